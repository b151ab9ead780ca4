"""Checks of an answer against what was really seen: figures, procedures, whole lists, secrets.

What counts as seen is everything the model was given: what people wrote, what tools returned, the
situation, the conversation before. An answer may leave out; it may not add.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from agencyclaw.domain.people import Value
from agencyclaw.domain.search_keys import telling, words_of
from agencyclaw.domain.text import folded
from agencyclaw.knowledge.arithmetic import follows, is_one_of, named_figures, of_columns
from agencyclaw.knowledge.checks import Issue
from agencyclaw.knowledge.secrets import redacted

_READ = 20_000
_SHORT = 50
_LONG_REQUEST = 60
_DIGITS = 15


class Seen(Value):
    """What a run rests on.

    `text` is all that was given, as text; `procedures` are the titles of those found in this run;
    `listed` is the length of the longest task list a tool returned in this run.
    """

    request: str = ""
    text: str = ""
    procedures: tuple[str, ...] = ()
    listed: int = 0


def check_grounding(answer: str, seen: Seen) -> list[Issue]:
    """Return what an answer adds to what was seen, errors first; warnings are only recorded."""
    answer = answer[:_READ]
    found = (
        _secret(answer),
        _procedure(answer, seen),
        _citation(answer, seen),
        _figures(answer, seen),
        _sample(answer, seen),
        _too_short(answer, seen),
        _off_topic(answer, seen),
        _uncited(answer, seen),
    )
    return sorted((issue for issue in found if issue), key=lambda issue: issue.severity)


def _error(code: str, message: str) -> Issue:
    return Issue(severity="error", code=code, message=message)


def _warning(code: str, message: str) -> Issue:
    return Issue(severity="warning", code=code, message=message)


def _secret(answer: str) -> Issue | None:
    if redacted(answer) == answer:
        return None
    return _error("secret", "Your answer holds something like a token or a password: leave it out.")


# A title in front of its kind, or in quotation marks behind it: "the Coupons Promotion SOP",
# "the procedure “Coupons Promotion”".
_TITLE = re.compile(r"((?:[A-Z0-9][\w&/'’-]*[ ]){1,7})(SOP|Playbook)\b")
_QUOTED = re.compile(
    r"\b(?:SOP|playbook|procedure)s?:?,? (?:called |named |titled )?[“\"]([^”\"\n]{3,120})[”\"]",
    re.IGNORECASE,
)
_BEFORE = (
    "the a an this that these those our your their its my per see use from in no by it and or as if"
    " is are was which what each every any some one another only all both neither such under with"
    " for of on to about via when where whether once after before while but so then also new"
    " follow following"
)
_LEADING = frozenset(_BEFORE.split())
_NONE = re.compile(
    r"(?:\b(?:no|not|without|neither|cannot)|n['’]t)(?:\s+\w+){0,4}\s*$", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?<!\w)\[(\d{1,2})\](?!\()")


def _procedure(answer: str, seen: Seen) -> Issue | None:
    """A procedure that nobody mentioned was made up; that there is none of a name may be said."""
    named = [(one, title) for one in _SENTENCE.split(answer) for title in _titles(one)]
    known = folded(seen.text) if named else ""
    for sentence, (title, begins) in named:
        if _NONE.search(sentence[:begins]) or folded(title) in known:
            continue
        return _error(
            "unknown_source",
            f"No tool returned a procedure “{title}”. Name only procedures that were found, by"
            " their exact title, or say that none was found.",
        )
    return None


def _titles(sentence: str) -> Iterable[tuple[str, int]]:
    """Return the procedures that a sentence names, and where they begin in it."""
    for match in _TITLE.finditer(sentence):
        words = match[1].split()
        while words and words[0].lower() in _LEADING:
            words.pop(0)
        if title := " ".join(words):
            yield title, match.end(1) - len(title) - 1
    for match in _QUOTED.finditer(sentence):
        yield match[1], match.start()


def _citation(answer: str, seen: Seen) -> Issue | None:
    numbers = [int(number) for number in _NUMBERED.findall(answer)]
    if not numbers or max(numbers) <= len(seen.procedures):
        return None
    return _error(
        "unknown_source",
        f"You cite source [{max(numbers)}], and there is none of that number. Name sources by"
        " their titles.",
    )


_CURRENCIES = "USD|EUR|GBP|CAD|AUD|MXN|JPY"
_FIGURE = re.compile(
    rf"(?P<sign>[$€£¥]\s?|\b(?:{_CURRENCIES})\s)?(?<![\w.,/-])(?P<number>\d[\d,.’']*\d|\d)"
    r"(?P<unit>\s?(?:%|[€£¥]|(?:percent|per cent|pct|k|m|bn|thousand|million|billion|dollars?"
    rf"|euros?|pounds|{_CURRENCIES})\b))?(?![\w-]|\s?[ap]\.?m\b)",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(r"(?<![A-Za-z])\d[\d,.’']*\d|(?<![A-Za-z\d])\d")
_SCALE = {
    "k": 1_000,
    "thousand": 1_000,
    "m": 1_000_000,
    "million": 1_000_000,
    "bn": 1_000_000_000,
    "billion": 1_000_000_000,
}
_PERCENT = ("%", "percent", "per cent", "pct")
_YEAR = re.compile(r"(?:19|20)\d\d")
# None and all of them.
_TRIVIAL = (Decimal(0), Decimal(100))
# Repair writes an address that may not be live with a ratio sign.
_LINK = re.compile('https?[:\u2236]//[^\\s"\\\\]+')
# The 28th of a month speaks for no 28%.
_WHEN = re.compile(r"\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\b\d{1,2}:\d\d(?::\d\d)?\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def _figures(answer: str, seen: Seen) -> Issue | None:
    """A percentage, an amount or a large number that nothing returned was made up.

    Small counts are the model's own reading of a list, and what follows from seen figures by one
    operation is arithmetic. What a question asks about is not claimed.
    """
    said = [one for one in _SENTENCE.split(_LINK.sub("", answer)) if not one.rstrip().endswith("?")]
    claims = [(one, *claim) for one in said for claim in _claims(one)]
    if not claims:
        return None
    text = _WHEN.sub(" ", _LINK.sub(" ", seen.text))
    known, amounts, shares = numbers_in(text), _amounts(text), _shares(text)
    columns: tuple[Decimal, ...] | None = None
    for sentence, value, is_share in claims:
        beside = _beside(sentence, known, amounts)
        reckoned = shares if is_share else amounts
        if value in known or follows(value, is_share=is_share, known=reckoned, beside=beside):
            continue
        columns = of_columns(seen.text) if columns is None else columns
        if not is_one_of(value, columns):
            return _unseen(value)
    return None


def _unseen(value: Decimal) -> Issue:
    return _error(
        "unknown_figure",
        f"Nothing that was looked up says {value.normalize():f}. Give only figures that a tool"
        " returned or the person wrote; a share or a mean with the figures it is of, in one"
        " sentence. Or say that you don't know.",
    )


def _claims(sentence: str) -> list[tuple[Decimal, bool]]:
    """Return the figures that need evidence, and whether each is a percentage."""
    found = [
        (_claimed(match), (match["unit"] or "").strip()) for match in _FIGURE.finditer(sentence)
    ]
    return [(value, unit.lower() in _PERCENT) for value, unit in found if value is not None]


def _beside(sentence: str, known: frozenset[Decimal], amounts: frozenset[Decimal]) -> list[Decimal]:
    """Return the known figures of a sentence, and the amounts in it that follow from known ones.

    They are as large as their units make them.
    """
    found: list[Decimal] = []
    for match in _FIGURE.finditer(sentence):
        value = _number(match["number"])
        if value is None:
            continue
        value *= _SCALE.get((match["unit"] or "").strip().lower(), 1)
        is_sum = _claimed(match) is not None and follows(
            value, is_share=False, known=amounts, beside=()
        )
        if value in known or is_sum:
            found.append(value)
    return found


def _claimed(match: re.Match[str]) -> Decimal | None:
    """Return a figure that needs evidence: one with a unit, with decimals, or in the thousands."""
    unit = (match["unit"] or "").strip().lower()
    value = _number(match["number"])
    if value is None:
        return None
    is_bare = not unit and not match["sign"]
    is_count = value < 1_000 and value == value.to_integral()
    if is_bare and (is_count or _YEAR.fullmatch(match["number"])):
        return None
    return value * _SCALE.get(unit, 1)


def _number(written: str) -> Decimal | None:
    plain = re.sub(r"[,’'](?=\d{3}\b)", "", written).replace(",", ".")
    if len(plain) > _DIGITS:  # an id, not a figure
        return None
    try:
        return Decimal(plain)
    except InvalidOperation:  # a date or a version: 12.11.2026
        return None


def numbers_in(text: str) -> frozenset[Decimal]:
    """Return every number of a text, as large as its unit makes it too."""
    found = {value for one in _ANY_NUMBER.findall(text) if (value := _number(one)) is not None}
    scaled = {
        value * _SCALE[match["unit"].strip().lower()]
        for match in _FIGURE.finditer(text)
        if (match["unit"] or "").strip().lower() in _SCALE
        and (value := _number(match["number"])) is not None
    }
    return frozenset({*_TRIVIAL, *found, *scaled})


def _amounts(text: str) -> frozenset[Decimal]:
    """Return the figures that may be reckoned with wherever they stand: no mere ordinals."""
    written = (_claimed(match) for match in _FIGURE.finditer(text))
    return frozenset({*named_figures(text), *(one for one in written if one is not None)})


def _shares(text: str) -> frozenset[Decimal]:
    """Return the percentages: tasks and percents added up are nothing."""
    return frozenset(value for value, is_share in _claims(text) if is_share)


_ALL = re.compile(r"\b(?:all|every|each|complete|entire|full|whole)\b", re.IGNORECASE)
_SAMPLE = re.compile(
    r"\b(?:for example|for instance|e\.g\.|such as|including|among others|to name a few|and so on"
    r"|etc\b|some of (?:them|these|the)|here are (?:some|a few)"
    r"|(?:and|plus) (?:\d+|some|several|a few|many) (?:more|others))|…\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_ROW = re.compile(r"^\s*(?:[-*•+]|\d{1,3}[.)])\s", re.MULTILINE)


def _sample(answer: str, seen: Seen) -> Issue | None:
    """Who asked for all of them does not get some of them and a phrase."""
    rows = len(_ROW.findall(answer))
    if not _ALL.search(seen.request) or rows == 0 or rows >= seen.listed:
        return None
    if not _SAMPLE.search(answer):
        return None
    return _error(
        "sample_for_all",
        f"All were asked for and {seen.listed} were found, but you list {rows}. List every one.",
    )


def _too_short(answer: str, seen: Seen) -> Issue | None:
    if len(seen.request) < _LONG_REQUEST or len(answer) >= _SHORT:
        return None
    return _warning("short", "A long question got a very short answer.")


def _off_topic(answer: str, seen: Seen) -> Issue | None:
    asked = {word for word in words_of(telling(seen.request)) if len(word) > 3}
    if not asked or asked & set(words_of(answer)):
        return None
    return _warning("off_topic", "No word of the question is in the answer.")


def _uncited(answer: str, seen: Seen) -> Issue | None:
    if not seen.procedures or cited(answer, seen.procedures):
        return None
    return _warning("uncited", "Procedures were found, and none is named.")


def cited(answer: str, titles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the titles an answer names, in their order; the rest was looked at and not used."""
    said = folded(answer)
    return tuple(title for title in titles if folded(title) in said)
