"""Facts with the quotes they rest on, checked without understanding any language."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from agencyclaw.domain.days import Day
from agencyclaw.domain.field_sources import QUOTE_LIMIT
from agencyclaw.domain.people import Value

# A number in digits, with grouping marks.
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")
_DATE = re.compile(r"(?<![\d.,])(\d{1,2})[./](\d{1,2})(?!\d)")
_DIGITS = re.compile(r"\d+")
# A number with more digits is no year, day or count.
_LONGEST_COUNTED = 9
_ALONE = re.compile(r"(?<![\w.,/-])\d+(?:[.,:/'’\u00a0\u202f-]\d+)*(?![\w/-])")
_AMOUNT = re.compile(rf"\W*({_NUMBER.pattern})\s?[^\W\d]*\W*")
_MARKER = re.compile(r"^\s*(?:[-*]\s*)?\d+[.)](?=\s)")

# A named type appears only once in a tool's schema.
QuoteSource = TypeAliasType(
    "QuoteSource", Literal["message", "earlier", "pasted", "tool", "procedure"]
)


class NotVerbatim:
    """Marks an argument, or a field of one, whose words are not written anywhere as they are given.

    It looks a record up, points at a person's own words, or is the model's judgement. Figures in
    everything else must have been stated by somebody.
    """


NOT_VERBATIM = NotVerbatim()


class Quoted(Value):
    """Words copied verbatim, and the kind of text they are from."""

    quote: Annotated[str, Field(min_length=1, max_length=QUOTE_LIMIT)]
    source: QuoteSource = "message"

    @property
    def is_of_the_talk(self) -> bool:
        """Whether people wrote it here; else a tool returned it."""
        return self.source in ("message", "earlier", "pasted")


class Fact(Quoted):
    """A short value."""

    value: Annotated[str, Field(min_length=1, max_length=120)]


class QuotedDay(Quoted):
    """A day, or the one `before` it; a promotion's may be a quote alone: "from Black Friday"."""

    day: Day | None = None
    before: bool = False


def occurs_in(quote: str, text: str) -> bool:
    """Return whether a quote occurs in a text verbatim, ignoring white space.

    Not within a word or number: nobody who wrote "focus" said "us".
    """
    quote, text = " ".join(quote.split()), " ".join(text.split())
    at = text.find(quote) if quote else -1
    while at >= 0 and _cuts_word(text, at, at + len(quote)):
        at = text.find(quote, at + 1)
    return at >= 0


def _cuts_word(text: str, start: int, end: int) -> bool:
    """Return whether a piece of a text begins or ends within a word or number."""
    edges = [text[max(at - 1, 0) : at + 1] for at in (start, end)]
    return any(len(edge) == 2 and _is_one_word(*edge) for edge in edges)


def _is_one_word(before: str, after: str) -> bool:
    """Return whether two characters are in one word or number.

    Scripts without case may write words without spaces, so only letters with case count.
    """
    is_number = before.isdecimal() and after.isdecimal()
    return is_number or all(char.lower() != char.upper() for char in (before, after))


def missing_numbers(value: str, quote: str) -> list[str]:
    """Return the numbers of a value that do not occur, whole, in a quote."""
    held = {plain_number(number) for number in _NUMBER.findall(quote)}
    return [number for number in _NUMBER.findall(value) if plain_number(number) not in held]


def numbers_by_themselves(text: str) -> list[str]:
    """Return the numbers of a text that are neither part of a word nor of a list marker."""
    lines = (_MARKER.sub("", line) for line in text.splitlines())
    return [number for line in lines for number in _ALONE.findall(line)]


def figures_in(value: str) -> list[str]:
    """Return the figures in a written value; "200k" is one."""
    amount = _AMOUNT.fullmatch(value)
    return [amount[1]] if amount else numbers_by_themselves(value)


def is_among(number: str, text: str) -> bool:
    """Return whether a text has a number, as a whole or in parts: 24.11. in 2026-11-24."""
    parts = {_plain(part) for part in _DIGITS.findall(text)}
    return not missing_numbers(number, text) or parts.issuperset(
        map(_plain, _DIGITS.findall(number))
    )


def holds_number(number: int, quote: str) -> bool:
    """Return whether a quote has a number, also as part of a date: 1 in "01.12."."""
    return number in numbers_in(quote)


def numbers_in(quote: str) -> set[int]:
    """Return the numbers of a quote, those of a date apart."""
    plain = (_plain(digits) for digits in _DIGITS.findall(quote))
    return {int(digits) for digits in plain if len(digits) <= _LONGEST_COUNTED}


def dates_in(quote: str) -> list[tuple[int, int]]:
    """Return the pairs of figures written as dates, with a dot or slash between them."""
    return [(int(first), int(second)) for first, second in _DATE.findall(quote)]


def plain_number(number: str) -> str:
    """Return a number's digits without grouping marks and leading zeros."""
    return _plain("".join(_DIGITS.findall(number)))


def _plain(digits: str) -> str:
    """Return digits of any script as ASCII, without leading zeros."""
    return "".join(str(unicodedata.decimal(digit)) for digit in digits).lstrip("0") or "0"
