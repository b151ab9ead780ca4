"""Checks of an answer against what was really seen: no figure without a source, no secret.

What counts as seen is everything the model was given: what people wrote, what tools returned,
calculations too, the situation, the conversation before. An answer may leave out; it may not add.
No check knows a language: a figure is digits, a sign, a decimal.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from agencyclaw.knowledge.arithmetic import follows, is_one_of, named_figures, of_columns
from agencyclaw.knowledge.checks import Issue
from agencyclaw.knowledge.secrets import redacted

_READ = 20_000
_DIGITS = 15


def check_grounding(answer: str, seen: str) -> list[Issue]:
    """Return what an answer adds to the text of all that was seen."""
    answer = answer[:_READ]
    return [issue for issue in (_secret(answer), _figures(answer, seen)) if issue]


def _error(code: str, message: str) -> Issue:
    return Issue(severity="error", code=code, message=message)


def _secret(answer: str) -> Issue | None:
    if redacted(answer) == answer:
        return None
    return _error("secret", "Your answer holds something like a token or a password: leave it out.")


_CURRENCIES = "USD|EUR|GBP|CAD|AUD|MXN|JPY"
_FIGURE = re.compile(
    rf"(?P<sign>[$€£¥]\s?|\b(?:{_CURRENCIES})\s)?(?<![\w.,/-])(?P<number>\d[\d,.’']*\d|\d)"
    rf"(?P<unit>\s?(?:[%٪％]|[€£¥]|(?:{_CURRENCIES})\b)|[km]\b)?(?![\w-]|\s?[ap]\.?m\b)",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(r"(?<![A-Za-z])\d[\d,.’']*\d|(?<![A-Za-z\d])\d")
# Thousands, millions and billions are written in as many ways as there are languages.
_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 6, 9))
_PERCENT = ("%", "٪", "％")
_YEAR = re.compile(r"(?:19|20)\d\d")
# None and all of them.
_TRIVIAL = (Decimal(0), Decimal(100))
# Repair writes an address that may not be live with a ratio sign.
_LINK = re.compile('https?[:\u2236]//[^\\s"\\\\]+')
# The 28th of a month speaks for no 28%.
_WHEN = re.compile(r"\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\b\d{1,2}:\d\d(?::\d\d)?\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def _figures(answer: str, seen: str) -> Issue | None:
    """A percentage, an amount or a large number that nothing returned was made up.

    Small counts are the model's own reading of a list, and what follows from seen figures by one
    operation is arithmetic. What a question asks about is not claimed.
    """
    said = [one for one in _SENTENCE.split(_LINK.sub("", answer)) if not one.rstrip().endswith("?")]
    claims = [(one, *claim) for one in said for claim in _claims(one)]
    if not claims:
        return None
    text = _WHEN.sub(" ", _LINK.sub(" ", seen))
    known, amounts, shares = numbers_in(text), _amounts(text), _shares(text)
    columns: tuple[Decimal, ...] | None = None
    for sentence, value, readings in claims:
        beside = _beside(sentence, known, amounts)
        if any(_is_known(value, known, is_share=is_share) for is_share in readings):
            continue
        reckoned = [(is_share, shares if is_share else amounts) for is_share in readings]
        if any(follows(value, is_share=one, known=of, beside=beside) for one, of in reckoned):
            continue
        columns = of_columns(seen) if columns is None else columns
        if not is_one_of(value, columns):
            return _unseen(value)
    return None


def _is_known(value: Decimal, known: frozenset[Decimal], *, is_share: bool) -> bool:
    """Whether a figure was seen, an amount also in thousands or millions: 1.2 and 1,200,000."""
    scales = _SCALES[:1] if is_share else _SCALES
    return any(value * scale in known or value / scale in known for scale in scales)


def _unseen(value: Decimal) -> Issue:
    return _error(
        "unknown_figure",
        f"Nothing that was looked up says {value.normalize():f}. Give only figures that a tool"
        " returned or the person wrote; a share or a mean with the figures it is of, in one"
        " sentence. Or say that you don't know.",
    )


def _claims(sentence: str) -> list[tuple[Decimal, tuple[bool, ...]]]:
    """Return the figures that need evidence, and whether each is a percentage.

    A figure without a sign may be one whose sign is a word of some language.
    """
    found = [(_claimed(match), match) for match in _FIGURE.finditer(sentence)]
    return [(value, _readings(match)) for value, match in found if value is not None]


def _readings(match: re.Match[str]) -> tuple[bool, ...]:
    unit = (match["unit"] or "").strip()
    return (unit in _PERCENT,) if unit or match["sign"] else (False, True)


def _beside(sentence: str, known: frozenset[Decimal], amounts: frozenset[Decimal]) -> list[Decimal]:
    """Return the known figures of a sentence, and the amounts in it that follow from known ones."""
    found: list[Decimal] = []
    for match in _FIGURE.finditer(sentence):
        value = _number(match["number"])
        if value is None:
            continue
        is_sum = _claimed(match) is not None and follows(
            value, is_share=False, known=amounts, beside=()
        )
        if is_sum or _is_known(value, known, is_share=False):
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
    return value


def _number(written: str) -> Decimal | None:
    plain = re.sub(r"[,’'](?=\d{3}\b)", "", written).replace(",", ".")
    if len(plain) > _DIGITS:  # an id, not a figure
        return None
    try:
        return Decimal(plain)
    except InvalidOperation:  # a date or a version: 12.11.2026
        return None


def numbers_in(text: str) -> frozenset[Decimal]:
    """Return every number of a text."""
    found = {value for one in _ANY_NUMBER.findall(text) if (value := _number(one)) is not None}
    return frozenset({*_TRIVIAL, *found})


def _amounts(text: str) -> frozenset[Decimal]:
    """Return the figures that may be reckoned with wherever they stand: no mere ordinals."""
    written = (_claimed(match) for match in _FIGURE.finditer(text))
    return frozenset({*named_figures(text), *(one for one in written if one is not None)})


def _shares(text: str) -> frozenset[Decimal]:
    """Return the percentages: tasks and percents added up are nothing."""
    return frozenset(value for value, readings in _claims(text) if readings == (True,))
