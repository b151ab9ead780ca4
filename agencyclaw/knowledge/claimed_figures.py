"""Finds the figures of a text, and which of them an answer may not give without a source."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

from agencyclaw.knowledge.arithmetic import named_figures
from agencyclaw.knowledge.figures import WRITTEN, Moments, numbers_of, parts_of, readings

_CURRENCIES = "USD|EUR|GBP|CAD|AUD|MXN|JPY"
_CURRENCY = rf"\s?(?:[€£¥]|(?:{_CURRENCIES})\b)"
# After a dash a figure is negative or ends a range; in an id it follows letters.
_FIGURE = re.compile(
    rf"(?P<sign>[$€£¥]\s?|\b(?:{_CURRENCIES})\s)?"
    rf"(?:(?<![\w.,/-])|(?P<dash>(?<=\d-)|(?<=[%\s(]-)))(?P<number>{WRITTEN})"
    rf"(?P<unit>\s?[%٪％]|{_CURRENCY}|[km]\b(?:{_CURRENCY})?)?(?!(?!x\b)\w|-(?!\d)|\s?[ap]\.?m\b)",
    re.IGNORECASE,
)
_PERCENT = ("%", "٪", "％")
_SCALES = ("k", "m")
_YEAR = re.compile(r"(?:19|20)\d\d")
# 0 and 100 % need no source.
_TRIVIAL = (Decimal(0), Decimal(100))
_NO_MOMENTS = Moments(days=frozenset(), times=frozenset())


class Claim(NamedTuple):
    """A figure that needs a source: its possible values, and whether it is a percentage."""

    values: tuple[Decimal, ...]
    as_shares: tuple[bool, ...]
    parts: tuple[Decimal, ...] = ()
    is_money: bool = False


def claims(text: str, moments: Moments = _NO_MOMENTS) -> list[Claim]:
    """Return the figures that need a source; days and times of day don't."""
    matches = [(_claimed(match), match) for match in _FIGURE.finditer(text)]
    return [
        Claim(values, _as_shares(match), _parts(match["number"]), _is_money(match))
        for values, match in matches
        if values and (match["unit"] or match["sign"] or not moments.has(match["number"]))
    ]


def figures(text: str) -> list[tuple[Decimal, bool]]:
    """Return every figure in its first reading, and whether it would need a source."""
    return [
        (value, bool(_claimed(match)))
        for match in _FIGURE.finditer(text)
        for value in readings(match["number"])[:1]
    ]


def numbers_in(text: str) -> frozenset[Decimal]:
    """Return every number in a text."""
    return frozenset({*_TRIVIAL, *numbers_of(text)})


def amounts(text: str) -> frozenset[Decimal]:
    """Return the figures that may be used in arithmetic; ordinals may not."""
    return frozenset({*named_figures(text), *_first_values(claims(text))})


def first_readings(text: str) -> frozenset[Decimal]:
    """Return the figures of a text, each in its first reading."""
    return frozenset(value for value, _ in figures(text)).difference(_TRIVIAL)


def shares(text: str) -> frozenset[Decimal]:
    """Return the percentages, which are never added to counts."""
    return frozenset(_first_values(claim for claim in claims(text) if claim.as_shares == (True,)))


def money(text: str) -> frozenset[Decimal]:
    """Return the figures that have a currency."""
    return frozenset(_first_values(claim for claim in claims(text) if claim.is_money))


def rows(text: str) -> list[list[Decimal]]:
    """Return the figures of each line that has one."""
    lines = ([value for value, _ in figures(line)] for line in text.splitlines())
    return [line for line in lines if line]


def _first_values(found: Iterable[Claim]) -> Iterable[Decimal]:
    return (claim.values[0] for claim in found)


def _as_shares(match: re.Match[str]) -> tuple[bool, ...]:
    """Read a figure without a sign as a percentage, whose sign may be a word."""
    unit = (match["unit"] or "").strip()
    return (unit in _PERCENT,) if unit or match["sign"] else (False, True)


def _is_money(match: re.Match[str]) -> bool:
    unit = (match["unit"] or "").strip().lower()
    return bool(match["sign"] or (unit and unit not in (*_PERCENT, *_SCALES)))


def _parts(written: str) -> tuple[Decimal, ...]:
    return tuple(chain.from_iterable(readings(part)[:1] for part in parts_of(written)))


def _claimed(match: re.Match[str]) -> tuple[Decimal, ...]:
    """Return a figure that needs a source: with a unit, decimals, or in the thousands."""
    values = readings(match["number"])
    if match["unit"] or match["sign"]:
        return values
    if match["dash"] is not None or _YEAR.fullmatch(match["number"]):
        return ()
    is_count = any(value < 1_000 and value == value.to_integral() for value in values)
    return () if is_count else values
