"""Figures that follow from known ones by one operation: sum, difference, product, share or mean.

A few pairs reach almost any percentage, so a share or mean counts only if its figures are in the
same sentence, or if it is that of a whole column a tool returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, permutations

MOST_COMBINED = 60
MOST_BESIDE = 12
MOST_ROWS = 500

_FIELD = re.compile(r'\\?"([a-z_]{2,40})\\?":\s*\\?"?(-?\d{1,12}(?:\.\d{1,4})?)\b(?!-)')


def follows(
    value: Decimal, *, is_share: bool, known: frozenset[Decimal], beside: Sequence[Decimal]
) -> bool:
    """Return whether a figure follows from known ones; `beside` are those in its own sentence."""
    if len(known) <= MOST_COMBINED and value in _of_pairs(known, is_share=is_share):
        return True
    others = [figure for figure in dict.fromkeys(beside) if figure != value][:MOST_BESIDE]
    if value in _of_pairs(frozenset(others), is_share=is_share):
        return True
    if is_share and any(is_rounded(share, value) for share in _shares(others)):
        return True
    return any(is_rounded(total, value) for total in _totals(others))


def of_columns(text: str) -> tuple[Decimal, ...]:
    """Return sum and mean of every named figure that a tool returned more than once."""
    columns: dict[str, list[Decimal]] = {}
    for name, figure in _FIELD.findall(text):
        columns.setdefault(name, []).append(Decimal(figure))
    whole = (
        column_values for column_values in columns.values() if 2 <= len(column_values) <= MOST_ROWS
    )
    return tuple(result for column in whole for result in _totals(column))


def named_figures(text: str) -> frozenset[Decimal]:
    """Return the figures that have a name in a tool's result."""
    return frozenset(Decimal(figure) for _, figure in _FIELD.findall(text))


def is_one_of(value: Decimal, exact: Iterable[Decimal]) -> bool:
    """Return whether a figure equals one of these, rounded to its own decimals."""
    return any(is_rounded(figure, value) for figure in exact)


def is_rounded(exact: Decimal, value: Decimal) -> bool:
    """Return whether a figure is another one rounded to its decimals; halves may go either way."""
    exponent = value.as_tuple().exponent
    places = min(exponent, 0) if isinstance(exponent, int) else 0
    return abs(exact - value) <= Decimal(5).scaleb(places - 1)


@lru_cache(maxsize=16)
def _of_pairs(known: frozenset[Decimal], *, is_share: bool) -> frozenset[Decimal]:
    """Return sums and differences of pairs, and products, which are never percentages."""
    pairs = list(combinations(known, 2))
    products = set[Decimal]() if is_share else {left * right for left, right in pairs}
    return frozenset(
        {left + right for left, right in pairs}
        | {abs(left - right) for left, right in pairs}
        | products
        | {value / 100 for value in products}
    )


def _shares(figures: Sequence[Decimal]) -> Iterable[Decimal]:
    """Return one figure as a share of another, and the difference between them, in percent."""
    for part, whole in permutations(figures, 2):
        if whole:
            yield 100 * part / whole
            yield 100 * abs(part - whole) / abs(whole)


def _totals(figures: Sequence[Decimal]) -> Sequence[Decimal]:
    if len(figures) < 2:
        return ()
    total = sum(figures, Decimal(0))
    return total, total / len(figures)
