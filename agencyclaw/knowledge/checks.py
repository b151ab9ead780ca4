"""Checks an answer before a person sees it: what it reveals, and what its fields claim.

These checks work in any language: they use formats, our own names and stored rows. Whether the
wording suggests a change that did not happen is judged by a model.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence

from agencyclaw.domain.names import OneName, match_names
from agencyclaw.domain.people import Value
from agencyclaw.domain.quotes import occurs_in
from agencyclaw.domain.replies import Reply
from agencyclaw.domain.text import folded
from agencyclaw.knowledge.link_breaking import web_addresses

ANSWER_LIMIT = 8_000
_SHORT, _LONG_REQUEST = 50, 60
# Markers of our own prompts, and those with which models mark notes to themselves.
SYMBOLS = (
    "[Situation]",
    "[Earlier in this thread, condensed]",
    "[The thread, as it stands in Slack]",
    "[The thread, since then]",
    "[The thread, unread]",
    "[The message they mean]",
    "[Its files are left out:",
    "[Attached: ",
    " older messages, condensed]",
    "[whole result:",
    "[PLANNER_REPORT]",
    "[/PLANNER_REPORT]",
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
)


class Issue(Value):
    """A fault of an answer; `message` tells the model how to correct it."""

    code: str
    message: str


class AnswerFacts(Value):
    """What code knows about the run whose answer is checked.

    - `request`: what the person wrote; an answer may repeat names from it
    - `reference`: the run's own id, which tools mention when they fail
    - `own_names`: names of tools, skills and fields that no person would use
    - `drafts`: how many effects this turn prepared
    - `waiting`: how many cards were open before
    - `earlier`: keys of changes that were carried out before
    - `read`: titles of the documents that this turn quoted
    """

    request: str = ""
    reference: str = ""
    own_names: frozenset[str] = frozenset()
    drafts: int = 0
    waiting: int = 0
    earlier: frozenset[str] = frozenset()
    read: tuple[str, ...] = ()
    limit: int = ANSWER_LIMIT


def check_answer(text: str, facts: AnswerFacts) -> list[Issue]:
    """Return the faults of an answer's wording; an empty list lets it pass."""
    if not any(char.isalnum() or unicodedata.category(char) == "So" for char in text):
        return [Issue(code="empty", message="The answer is empty. Write it, in plain sentences.")]
    issues = (_machinery(text, facts), _ids(text, facts), _length(text, facts))
    return [issue for issue in issues if issue]


def is_short(answer: str, request: str) -> bool:
    """Whether an answer is short for what was asked: it may be right, so a trace says it only."""
    return len(answer) < _SHORT and len(request) >= _LONG_REQUEST


def check_reply(reply: Reply, facts: AnswerFacts) -> list[Issue]:
    """Return claims of a reply's fields that the rows contradict."""
    if reply.changes == "prepared" and not facts.drafts:
        return [Issue(code="claims_draft", message=_NO_DRAFT)]
    if reply.changes == "waiting" and not facts.waiting:
        return [Issue(code="claims_draft", message=_NONE_WAITS)]
    if reply.changes == "earlier" and not (reply.keys and facts.earlier.issuperset(reply.keys)):
        return [Issue(code="claims_change", message=_NO_CHANGE)]
    return []


_NO_DRAFT = (
    "You say something is prepared, but no tool prepared anything in this turn: no card will"
    " appear. Prepare it with the tool, or say what is missing and set `changes` to what is so."
)
_NONE_WAITS = (
    "You say that a card waits, but none of this person's does, and nobody confirms another's."
    " Prepare it with the tool, or say what is missing and set `changes` to what is so."
)
_NO_CHANGE = (
    "You say something was carried out earlier, but no change of this conversation has that key."
    " Nothing was changed. Say only what is so, with the key that the situation gives, or set"
    " `changes` to none or wanted_not_done."
)


def check_sources(named: tuple[str, ...], facts: AnswerFacts) -> Issue | None:
    """Require that an answer names a document it read; a card names its own sources."""
    if not facts.read or named or facts.drafts:
        return None
    titles = ", ".join(f"“{title}”" for title in facts.read[:3])
    return Issue(
        code="unnamed_source",
        message=f"In this turn you read {titles}. Name in `sources` what the answer rests on; if it"
        " rests on none of them, give the same answer again.",
    )


def named_among(titles: tuple[str, ...], text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Return the titles a reply names, in its sources or as whole words of its text.

    Sources change nothing, so a similar title counts as the intended one.
    """
    words = folded(text)
    known = [OneName(name=title) for title in titles]
    meant = {match.name for source in sources for match in match_names(source, known).things[:1]}
    return tuple(title for title in titles if title in meant or occurs_in(folded(title), words))


_JSON = re.compile(r"[{\[]\s*\"[\w .-]{1,60}\"\s*(?:[:,]|\](?!\())|\{\s*'[\w-]{1,60}'\s*:")
_NAME = re.compile(r"\w+", re.ASCII)
_CALL_MARKUP = re.compile(r"</?(?:tool_call|function_call|tool|function|invoke)\b", re.IGNORECASE)


def _machinery(text: str, facts: AnswerFacts) -> Issue | None:
    used, written = (set(_NAME.findall(words)) for words in (text, facts.request))
    symbols = [mark for mark in SYMBOLS if mark in text and mark not in facts.request]
    if ours := [*sorted((used - written) & facts.own_names), *symbols]:
        words = f"Do not write {ours[0]}: say in plain words what you did or can do."
        return Issue(code="tool_name", message=words)
    if _JSON.search(text) or _CALL_MARKUP.search(text) or _is_json(text):
        words = "Do not show JSON or call markup: answer in plain sentences."
        return Issue(code="raw_json", message=words)
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
_ID = re.compile(rf"(?i:{_UUID}|\bev:[\w-]+)|\b[UCDGTW]0[A-Z0-9]{{5,}}\b", re.ASCII)


def _ids(text: str, facts: AnswerFacts) -> Issue | None:
    """Find ids in an answer; a person can use none but the run's own reference."""
    # The longest first, because one address may begin with another one.
    for link in sorted(web_addresses(text), key=len, reverse=True):
        text = text.replace(link, "")
    shown = set(_ID.findall(text))
    if any(shown_id not in facts.request and shown_id != facts.reference for shown_id in shown):
        return Issue(code="shows_id", message="Do not show internal ids: use names and titles.")
    return None


def _length(text: str, facts: AnswerFacts) -> Issue | None:
    if len(text) <= facts.limit:
        return None
    words = f"The answer has {len(text):,} characters; at most {facts.limit:,}. Shorten it."
    return Issue(code="too_long", message=words)
