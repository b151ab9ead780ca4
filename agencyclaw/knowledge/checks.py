"""Checks of an answer before a person sees it: what it claims, promises and gives away.

They read plain English, sentence by sentence, without a model. They catch the usual wordings, not
every one: code alone writes receipts, and those say what really changed. Words inside quotation
marks, block quotes and list rows are taken as somebody else's.
"""

from __future__ import annotations

import json
import re
from typing import Literal

from agencyclaw.domain.people import Value
from agencyclaw.knowledge.links import is_harmless, links_in, repair

ANSWER_LIMIT = 8_000
Severity = Literal["error", "warning"]


class Issue(Value):
    """Something wrong with an answer; `message` tells the model how to mend it."""

    severity: Severity
    code: str
    message: str


class AnswerFacts(Value):
    """What code knows about the run whose answer is checked.

    `request` is what the person wrote: what they named themselves may be said back to them.
    `tool_names` are those that no person would say.
    `allowed_links` as in `repair`: None means addresses in ClickUp.
    """

    request: str = ""
    tool_names: frozenset[str] = frozenset()
    allowed_links: frozenset[str] | None = None
    drafts: int = 0
    has_changed_before: bool = False
    has_proposed_before: bool = False
    limit: int = ANSWER_LIMIT


def check_answer(text: str, facts: AnswerFacts) -> list[Issue]:
    """Return what is wrong with an answer, errors first; an empty list lets it pass."""
    if not any(char.isalnum() for char in text):
        return [_error("empty", "The answer is empty. Write it, in plain sentences.")]
    found = (
        _promise(text),
        _claim(text, facts),
        _draft_claim(text, facts),
        _machinery(text, facts),
        _ids(text, facts),
        _length(text, facts),
        _links(text, facts),
    )
    return sorted((issue for issue in found if issue), key=lambda issue: issue.severity)


def _error(code: str, message: str) -> Issue:
    return Issue(severity="error", code=code, message=message)


_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\s+[–—]\s+|\n+")
_QUOTED = re.compile(r"“[^”\n]*”|\"[^\"\n]*\"|`[^`\n]*`|«[^»\n]*»|\[[^\]\n]*\](?=\()")
_ROW = re.compile(r"^\s*(?:[-*•+>|]|\d{1,3}[.)])\s")

_SEARCHING = (
    r"(?:look(?:ing)?|check(?:ing)?|find(?:ing)?|search(?:ing)?|pull(?:ing)?|fetch(?:ing)?"
    r"|review(?:ing)?|dig(?:ging)?|gather(?:ing)?|verify(?:ing)?|investigat(?:e|ing)|see|work(?:ing)?"
    r"|get(?:ting)?|tak(?:e|ing)|start(?:ing)?|draft(?:ing)?|prepar(?:e|ing)|creat(?:e|ing)"
    r"|read(?:ing)?|go(?:ing)?)"
)
_PROMISE = re.compile(
    rf"\b(?:let me (?!know\b)(?:\w+ )?{_SEARCHING}"
    r"|i(?:['’]ll| will|['’]m going to| am going to|['’]m| am)"
    rf" (?:now |just |quickly |also )*{_SEARCHING}"
    r"|(?:one|just a|give me a) (?:moment|minute|second|sec)\b|hold on|hang on|bear with me"
    r"|on it\b|working on it|stand by|checking (?:now|on|that|this|the)|looking into)",
    re.IGNORECASE,
)
_NICETY = re.compile(
    r"(?:sure(?: thing)?|ok(?:ay)?|of course|got it|great|alright|absolutely|certainly|no problem"
    r"|thanks?(?: you)?|understood|perfect|hi|hello|hey|happy to help|great question|please wait"
    r"|right away|i can help with that|yes)(?:[ ,]+\w+)?[.!…]*",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:once|when|after|as soon as|if|until|before|unless|next time)\b"
    r"|(?:^|[,;:] ?|\b(?:please|just|and|or) )"
    r"(?:tell me|give me|send|share|say|name|pick|choose|press|reply|provide|confirm)\b"
    r"(?!.{0,30}\b(?:moment|minute|second|sec)\b)",
    re.IGNORECASE,
)


def _promise(text: str) -> Issue | None:
    """A sentence that only announces work is no answer; one beside real content is harmless."""
    sentences = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
    promised = [part for part in sentences if _is_promise(part)]
    rest = [part for part in sentences if part not in promised and not _NICETY.fullmatch(part)]
    if promised and not rest:
        return _error(
            "only_promise",
            "You only announce that you will look. Call the tool now and answer from its result,"
            " or say what you need from the person.",
        )
    return None


def _is_promise(sentence: str) -> bool:
    if sentence.endswith("?") or _CONDITION.search(sentence):
        return False
    return _PROMISE.search(sentence) is not None and len(sentence) < 240


_MADE = (
    r"(?:created|saved|sent|posted|submitted|filed|deleted|completed|closed|archived|notified"
    r"|cancell?ed|undone|logged|booked|launched|published|paused|fixed|repaired|restored|reverted"
    r"|approved|synced|informed|reminded|messaged|e-?mailed|escalated|remembered)"
)
_EDITED = (
    r"(?:added(?! up)|assigned|reassigned|updated|changed|removed|renamed|moved|mapped|marked"
    r"|scheduled|set up)"
)
_DONE = rf"(?:{_MADE}|{_EDITED}|confirmed (?:it|this|that (?:for|one)|the (?:task|proposal|card)))"
_WRITTEN = r"(?:created|added|saved|sent|posted|submitted|filed|removed|deleted|updated|renamed)"
_ADVERB = r"(?:now |just |already |successfully |also |both |all |then |(?:gone|went) ahead and )*"
_TASKS = r"(?:task|ticket)s?"
_OTHERWISE_DONE = (
    r"(?:(?:took|taken) care of|(?:gone|went) ahead with|(?:rolled|put) (?:it|that|them) back"
    rf"|made (?:\S+ ){{1,4}}?{_TASKS}(?! list)|opened (?:a|one|two|new) (?:\S+ ){{0,3}}?{_TASKS}"
    r"|put (?:it|that|them|the \w+) (?:on|in|into) (?:the|your|clickup)\b"
    r"|set (?:\S+ ){1,4}?(?:date|day|start|deadline|status|assignee|owner|priority|title|target)\b"
    r"|let \w+ know(?! (?:if|when|once)))"
)
_FIRST_PERSON = re.compile(
    rf"\b(?:i|we)(?:['’]ve| have)? {_ADVERB}(?:{_DONE}\b|{_OTHERWISE_DONE})", re.IGNORECASE
)
# "It's created in Seller Central" tells how work is done, not that it was.
_NOT_HOW = (
    r"(?! (?:in|under|by|via|with|through|from|at|every|each)"
    r" (?!clickup|(?:the|your) (?:\w+ )?(?:backlog|board|list)))"
)
_PASSIVE = re.compile(
    rf"\b(?:has|have) {_ADVERB}been {_ADVERB}{_WRITTEN}\b"
    rf"|\b(?:is|are) (?:now|successfully) {_WRITTEN}\b"
    rf"|\b(?:the|your|this|all) (?:new )?{_TASKS} (?:is|are|was|were) {_ADVERB}{_WRITTEN}\b"
    rf"|\b{_TASKS} (?:is|are) (?:now|all) (?:live|closed|completed|archived|marked)\b"
    rf"|^it(?:['’]s| is| was) {_ADVERB}(?:{_WRITTEN}|live)\b{_NOT_HOW}|\bsuccessfully {_DONE}\b"
    r"|\bbeen taken care of\b"
    r"|^(?:✅|☑️|✔️|:white_check_mark:)?\s*(?:the |your |new )*(?:task|ticket)? ?"
    r"(?:created|added)\b",
    re.IGNORECASE,
)
_BARE_DONE = re.compile(
    r"^(?:✅ ?|☑️ ?|✔️ ?)?(?:(?:all |it['’]s |that['’]s |consider it )?done(?:[.!,;]|$)"
    rf"|confirmed[.!]|(?:(?:the |your )?{_TASKS} )?"
    rf"(?:{_WRITTEN}|changed|moved|assigned|archived|cancell?ed)[.!])",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:not|never|nothing|no|none|neither|without|cannot|yet to)\b|n['’]t\b", re.IGNORECASE
)
_FUTURE = re.compile(
    r"\b(?:will|would|can|could|should|may|might|must|to be|once|when|after|if|until|before|unless"
    r"|whether|as soon as)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:yesterday|ago|earlier|previously|originally|(?:last|this) (?:week|month|year|\w+day)"
    r"|since \w+|(?:in|over|within|during) the (?:last|past) \w+)\b"
    rf"|\b{_DONE}(?: \w+)?,? (?:(?:on|in|at|since) (?:the )?"
    r"(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|by (?-i:[A-Z])\w+)",
    re.IGNORECASE,
)
_DRAFT = re.compile(
    r"\b(?:drafted|draft|prepared|proposal|proposed|confirm(?:ation)?|card|still open)\b",
    re.IGNORECASE,
)
_ABOUT_DRAFT = re.compile(
    r"^(?:\W*\w+){0,3}?\W*(?:draft|proposal|preview|card)s?\b"
    r"|\b(?:to|in|on|from) (?:the|your|this|a(?: new)?) (?:draft|proposal|preview|card)s?\b"
    r"|\bfor (?:you|your)(?: to)? (?:confirm|review|approv|check)",
    re.IGNORECASE,
)
_DRAFT_SUBJECT = re.compile(
    r"\b(?:draft|proposal|preview|card|version|checklist)s?\b\W*$", re.IGNORECASE
)
_EDIT = re.compile(rf"(?:{_EDITED}|saved|set (?:\S+ )+\S+)$", re.IGNORECASE)
_ENDING = re.compile(r"(?:confirmed\b.*|cancell?ed)$", re.IGNORECASE)
_LATER = re.compile(r"\W*(?:only )?(?:once|when|after|if|as soon as|upon)\b", re.IGNORECASE)
_REPORTED = re.compile(
    r"\b(?:says?|said|writes?|wrote|according to|mentions?|reports?|reported)\b"
    r"|\b(?:from|in|per) (?:the|your) (?:\w+ )?(?:notes?|message|transcript|call|sop|procedure)\b"
    r"|\w,? that $|\w,? (?:whose|which|who) (?:\w+ ){0,2}$",
    re.IGNORECASE,
)


def _claim(text: str, facts: AnswerFacts) -> Issue | None:
    """The model's tools change nothing, so a change it reports as its own has not happened."""
    sentences = _own_sentences(text)
    is_on_card = bool(facts.drafts and _DRAFT.search(text))
    is_done = any(_BARE_DONE.search(part) for part in sentences) and not is_on_card
    if not is_done and not any(_claims_change(part, is_on_card) for part in sentences):
        return None
    so_far = (
        "It is prepared and waits for the person's confirmation."
        if facts.drafts
        else "Nothing was prepared either."
    )
    return Issue(
        severity="warning" if facts.has_changed_before and not facts.drafts else "error",
        code="claims_change",
        message=f"You say something was changed, but nothing was changed in this turn. {so_far}"
        " Say only that, and leave receipts to the system.",
    )


_PREPARED = re.compile(
    rf"\b(?:i|we)(?:['’]ve| have)? {_ADVERB}(?:prepared|drafted|proposed|put together)"
    r"(?: \S+){0,5}? (?:it|them|(?:task|ticket|card|proposal|draft)s?)\b",
    re.IGNORECASE,
)


def _draft_claim(text: str, facts: AnswerFacts) -> Issue | None:
    """A card comes only from a tool; whoever reads of one that isn't there looks for it in vain."""
    if facts.drafts or facts.has_proposed_before:
        return None
    for sentence in _own_sentences(text):
        match = _PREPARED.search(sentence)
        if match and not sentence.endswith("?") and not _DENIAL.search(sentence[: match.end()]):
            return _error(
                "claims_draft",
                "You say something was prepared, but nothing was: no card will appear. Prepare it"
                " with the tool, or say what is missing.",
            )
    return None


def _own_sentences(text: str) -> list[str]:
    """Return the sentences the assistant says itself: not rows of a list, not quotations."""
    lines = [_QUOTED.sub("it", line) for line in text.splitlines()]
    own = [line for line in lines if not _ROW.match(line) or _FIRST_PERSON.search(line)]
    return [part.strip(" *_") for line in own for part in _SENTENCE.split(line) if part.strip()]


def _claims_change(sentence: str, is_on_card: bool) -> bool:
    """`is_on_card`: there is a draft and it is spoken of, so edits are edits of the draft."""
    own = _FIRST_PERSON.search(sentence)
    match = own or _PASSIVE.search(sentence)
    if match is None or sentence.endswith("?"):
        return False
    before, after = sentence[: match.start()], sentence[match.end() :]
    near = " ".join([before, match[0], *after.split()[:2]])
    if _DENIAL.search(near) or _FUTURE.search(before) or _PAST.search(sentence):
        return False
    if _ENDING.search(match[0]):
        return True
    if not own and (_LATER.match(after) or _REPORTED.search(before)):
        return False
    if is_on_card and _EDIT.search(match[0]):
        return False
    return not _ABOUT_DRAFT.search(after) and not _DRAFT_SUBJECT.search(before)


_JSON = re.compile(r"[{\[]\s*\"[\w .-]{1,60}\"\s*(?:[:,]|\](?!\())|\{\s*'[\w-]{1,60}'\s*:")
_CALL_MARKUP = re.compile(r"</?(?:tool_call|function_call|tool|function|invoke)\b", re.IGNORECASE)


def _machinery(text: str, facts: AnswerFacts) -> Issue | None:
    said, written = (set(re.findall(r"\w+", words)) for words in (text, facts.request))
    if names := sorted((said - written) & facts.tool_names):
        return _error(
            "tool_name", f"Do not mention {names[0]}: say in plain words what you did or can do."
        )
    if _JSON.search(text) or _CALL_MARKUP.search(text) or _is_json(text):
        return _error("raw_json", "Do not show JSON or call markup: answer in plain sentences.")
    return None


def _is_json(text: str) -> bool:
    stripped = text.strip().removeprefix("```json").strip("`\n ")
    if not stripped.startswith(("{", "[")):
        return False
    try:
        json.loads(stripped)
    except ValueError:
        return False
    return True


_UUID = r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
_REFERENCE = re.compile(rf"\b(?:run|reference)\b[\s:#(`]*{_UUID}", re.IGNORECASE)
_ID = re.compile(rf"(?i:{_UUID}|\bev:[\w-]+)|\b[UCDGTW]0[A-Z0-9]{{5,}}\b")


def _ids(text: str, facts: AnswerFacts) -> Issue | None:
    """The reference of a run may be told; every other id is of no use to a person."""
    for link in links_in(text):
        text = text.replace(link, "")
    shown = set(_ID.findall(_REFERENCE.sub("", text)))
    if any(found not in facts.request for found in shown):
        return _error("shows_id", "Do not show internal ids: use names and titles.")
    return None


def _length(text: str, facts: AnswerFacts) -> Issue | None:
    if len(text) <= facts.limit:
        return None
    return _error(
        "too_long", f"The answer has {len(text):,} characters; at most {facts.limit:,}. Shorten it."
    )


def _links(text: str, facts: AnswerFacts) -> Issue | None:
    if all(is_harmless(link, facts.allowed_links) for link in links_in(text)):
        return None
    return Issue(
        severity="warning",
        code="unknown_link",
        message="A link that no tool returned will be shown as plain text.",
    )


__all__ = ["AnswerFacts", "Issue", "check_answer", "repair"]
