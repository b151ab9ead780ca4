"""Reads figures as people write them: 1,000, 1.000 or 1 000, but not 24.11. or 9.30.

No country is assumed: a figure or day that can be read in two ways has two readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from time import strptime

from agencyclaw.domain.people import Value

_DIGITS = 15
_SPACES = " \u00a0\u202f\u2009"
_SPACED = rf"(?<![\d.,])[1-9]\d{{0,2}}(?:[{_SPACES}]\d{{3}}(?!\d))+(?:[.,]\d+)?"
# A figure with its grouping marks; spaces group only threes.
WRITTEN = rf"{_SPACED}|\d[\d,.’']*\d|\d"
_ANY = re.compile(r"(?<![A-Za-z])\d[\d,.’']*\d|(?<![A-Za-z\d])\d")
_ANY_SPACED = re.compile(_SPACED)
_GROUPED = re.compile(
    rf"([1-9]\d{{0,2}})([.,’'{_SPACES}])(\d{{3}}(?:\2\d{{3}})*)(?:(?!\2)[.,](\d+))?"
)
_PLAIN = re.compile(r"\d+(?:[.,]\d+)?")

_ISO_DAY = r"(?<!\d)\d{4}-\d\d-\d\d"
_CLOCK = r"(?<![\d:])(\d{1,2}):(\d\d)(?::\d\d)?(?!\d)"
# A month is a word that the standard library reads as one.
_DAY_WORD = re.compile(r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?\.? (?P<word>[^\W\d_]{3,9})\b")
_WORD_DAY = re.compile(r"\b(?P<word>[^\W\d_]{3,9}) (?P<day>\d{1,2})(?:st|nd|rd|th)?\b(?!\s?%)")
_PAIR = re.compile(
    r"(?<![\d.,/-])(\d{1,2})[./-](\d{1,2})(?=\.(?!\d)|[./-](?:\d{4}|\d\d)\b|(?![\d.,/-]))"
)
_FULL_DAY = re.compile(r"(?<![\d.,/-])\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)(?![\d%])")
_WHEN = re.compile(rf"{_ISO_DAY}(?:T[\d:.]+Z?)?|{_CLOCK}")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})")
# Days this close to today need no source: tomorrow, the end of the month.
_NEAR = timedelta(days=31)


def readings(written: str) -> tuple[Decimal, ...]:
    """Return the values a written figure may have: 1.500 is fifteen hundred or 1.5.

    Nothing for what is no figure: a date, a version, an id.
    """
    if len(written) > _DIGITS:
        return ()
    values: list[Decimal] = []
    if grouped := _GROUPED.fullmatch(written):
        head, sign, groups, places = grouped.groups()
        values.append(Decimal(f"{head}{groups.replace(sign, '')}.{places or 0}").normalize())
    if _PLAIN.fullmatch(written):
        values.append(Decimal(written.replace(",", ".")))
    return tuple(values)


def parts_of(written: str) -> tuple[str, ...]:
    """Return the figures in "48 300", which may be two: "in week 48 300 orders"."""
    return tuple(written.split(" ")) if " " in written else ()


def numbers_of(text: str) -> Iterator[Decimal]:
    """Yield every reading of every number in a text."""
    for expression in (_ANY, _ANY_SPACED):
        for written in expression.findall(text):
            yield from readings(written)


class Moments(Value):
    """Days and times of day in a text, as (month, day) and (hour, minute)."""

    days: frozenset[tuple[int, int]]
    times: frozenset[tuple[int, int]]

    def has(self, written: str) -> bool:
        """Return whether 24.11 or 9.30 is one of these days or times instead of a figure."""
        match = _DOTTED.fullmatch(written)
        if match is None:
            return False
        first, second = int(match[1]), int(match[2])
        return (second, first) in self.days or (first, second) in self.times


def moments_in(text: str, today: date | None = None) -> Moments:
    """Return the days and times in a text; those around today always count."""
    days = {*_iso_days(text), *_word_days(text), *_pair_days(text)}
    if today is not None:
        around = (today + timedelta(days=ahead) for ahead in range(-_NEAR.days, _NEAR.days + 1))
        days |= {(day.month, day.day) for day in around}
    clocks = re.finditer(_CLOCK, text)
    return Moments(
        days=frozenset(days), times=frozenset((int(clock[1]), int(clock[2])) for clock in clocks)
    )


def without_moments(text: str) -> str:
    """Return a text without days and times: the 28th of a month is no evidence for 28%."""
    text = _FULL_DAY.sub(" ", _WHEN.sub(" ", text))
    for expression in (_DAY_WORD, _WORD_DAY):
        text = expression.sub(lambda match: " " if _month(match["word"]) else match[0], text)
    return text


def _iso_days(text: str) -> Iterator[tuple[int, int]]:
    for written in re.findall(_ISO_DAY, text):
        try:
            day = date.fromisoformat(written)
        except ValueError:
            continue
        yield day.month, day.day


def _word_days(text: str) -> Iterator[tuple[int, int]]:
    for expression in (_DAY_WORD, _WORD_DAY):
        for match in expression.finditer(text):
            if month := _month(match["word"]):
                yield month, int(match["day"])


@lru_cache(maxsize=4_096)
def _month(word: str) -> int | None:
    for form in ("%b", "%B"):
        try:
            return strptime(word, form).tm_mon
        except ValueError:
            continue
    return None


def _pair_days(text: str) -> Iterator[tuple[int, int]]:
    """Return the days of 24.11. and 11/24, in both orders if both are days."""
    for first, second in _PAIR.findall(text):
        for month, day in ((int(first), int(second)), (int(second), int(first))):
            if 1 <= month <= 12 and 1 <= day <= 31:
                yield month, day
