"""Facts with the quotes they rest on, checked without understanding any language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from agencyclaw.domain.days import Day
from agencyclaw.domain.field_sources import QUOTE_LIMIT
from agencyclaw.domain.people import Value

_SEPARATORS = ".,'’\u00a0\u202f"
# A number in digits, with grouping and decimal marks.
_NUMBER = re.compile(rf"\d+(?:[{_SEPARATORS}]\d+)*")
_SEPARATOR = re.compile(rf"([{_SEPARATORS}])")
_JOINED = re.compile(rf"\d+(?:[:/{_SEPARATORS}-]\d+)*")
_DATE = re.compile(r"(?<![\d.,])(\d{1,2})[./](\d{1,2})(?!\d)")
_DIGITS = re.compile(r"\d+")
# A number with more digits is no year, day or count.
_LONGEST_COUNTED = 9
_ALONE = re.compile(rf"(?<!\w)(?<!\w[.,/-]){_JOINED.pattern}(?!\w|[/-]\w)")
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
    return any(_is_in_word(text, at) or _is_in_number(text, at) for at in (start, end))


def _is_in_word(text: str, at: int) -> bool:
    """Return whether a place lies between two letters of one word.

    Scripts without case may write words without spaces, so only letters with case count.
    """
    edge = text[max(at - 1, 0) : at + 1]
    return len(edge) == 2 and all(char.lower() != char.upper() for char in edge)


def _is_in_number(text: str, at: int) -> bool:
    """Return whether a place lies within a number, marks included: nobody who wrote 3.5 said 5."""
    around = text[max(at - 2, 0) : at + 2]
    place = at - max(at - 2, 0)
    return any(one.start() < place < one.end() for one in _NUMBER.finditer(around))


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
    """Return whether a text has a number, as a whole or as parts of one: 24.11. in 2026-11-24."""
    if not missing_numbers(number, text):
        return True
    wanted = _parts(number)
    return any(wanted <= _parts(joined) for joined in _JOINED.findall(text))


def _parts(joined: str) -> set[str]:
    return {_plain(digits) for digits in _DIGITS.findall(joined)}


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
    """Return a number in one form: 1,000 and 1000 are equal, 28.50 and 28,5, but not 1.5 and 15.

    A mark before exactly three digits groups them, except after a zero; one before others is the
    decimal mark. A date or version keeps a dot between its parts.
    """
    first, *rest = _SEPARATOR.split(number)
    separators, groups = rest[::2], rest[1::2]
    if not groups or (_plain(first) != "0" and _are_grouped(groups)):
        return _plain("".join((first, *groups)))
    *whole, places = groups
    if (
        separators[-1] in ".,"
        and separators[-1] not in separators[:-1]
        and (not whole or _are_grouped(whole))
    ):
        return f"{_plain(''.join((first, *whole)))}.{_places(places)}".removesuffix(".")
    return ".".join(map(_plain, (first, *groups)))


def _are_grouped(groups: Sequence[str]) -> bool:
    """Return whether the last group has three digits and the others two or three: 1,00,000."""
    *others, last = map(len, groups)
    return last == 3 and all(length in (2, 3) for length in others)


def _places(digits: str) -> str:
    """Return decimal places as ASCII, without the zeros at their end."""
    return _ascii(digits).rstrip("0")


def _ascii(digits: str) -> str:
    return "".join(str(unicodedata.decimal(digit)) for digit in digits)


def _plain(digits: str) -> str:
    """Return digits of any script as ASCII, without leading zeros."""
    return _ascii(digits).lstrip("0") or "0"
