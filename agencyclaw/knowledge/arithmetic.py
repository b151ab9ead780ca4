"""Figures that follow from known ones by one operation: sum, difference, product, share or mean.

Many pairs reach almost any figure: where more are known than that, two figures belong together only
if one text has them or the answer names one. The few figures of a short text are added and
subtracted all together, too: what is left of a budget after three bills. A few pairs reach almost
any percentage, so a share or mean counts only if its figures are in the same sentence, or if it is
that of a whole column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate, combinations, groupby, permutations, product

MOST_PAIRS = 1_800
MOST_ADDENDS = 6
# More than these reach almost any whole percentage.
MOST_OF_A_WHOLE = 4
MOST_BESIDE = 12
MOST_ROWS = 500

_FIELD = re.compile(r'\\?"([a-z_]{2,40})\\?":\s*\\?"?(-?\d{1,12}(?:\.\d{1,4})?)\b(?!-)')


def follows(
    value: Decimal,
    *,
    is_share: bool,
    texts: Iterable[frozenset[Decimal]],
    named: frozenset[Decimal],
) -> bool:
    """Return whether a figure follows from two known ones.

    Of these, `texts` has the figures of each text, and `named` those that the answer names.
    """
    others, known = named - {value}, frozenset[Decimal]().union(*texts)
    if any(value in _of_pairs(pool, is_share=is_share) for pool in (*texts, known, others)):
        return True
    return value in _of_two(others, known, is_share=is_share)


@lru_cache(maxsize=64)
def sums_of_few(figures: frozenset[Decimal]) -> frozenset[Decimal]:
    """Return what all ways of adding and subtracting figures give; nothing if there are many."""
    if not 2 < len(figures) <= MOST_ADDENDS:
        return frozenset()
    totals = {Decimal(0)}
    for figure in figures:
        totals |= {total + change for total in totals for change in (figure, -figure)}
    return frozenset(total for total in totals if total > 0)


@lru_cache(maxsize=64)
def shares_of_whole(figures: frozenset[Decimal]) -> frozenset[Decimal]:
    """Return in percent what the others of a few figures are of the largest, and what is left."""
    if not 2 < len(figures) <= MOST_OF_A_WHOLE:
        return frozenset()
    *parts, whole = sorted(figures)
    spent = [sum(some) for count in (2, 3) for some in combinations(parts, count)]
    return frozenset(100 * part / whole for total in spent for part in (total, whole - total))


def follows_beside(value: Decimal, *, is_share: bool, beside: Sequence[Decimal]) -> bool:
    """Return whether a figure is a share, sum or mean of the known ones in its own sentence."""
    others = [figure for figure in dict.fromkeys(beside) if figure != value][:MOST_BESIDE]
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


def of_rows(rows: Iterable[Sequence[Decimal]]) -> Iterator[Decimal]:
    """Yield the sums and means of columns; `rows` are the figures of each line, from the top.

    Lines with equally many figures are rows of one table. A sum may stand below what it adds up.
    """
    for width, lines in groupby(rows, key=len):
        columns = zip(*lines, strict=True) if width else ()
        for column in columns:
            sums = list(accumulate(column[:MOST_ROWS]))
            for count, total in enumerate(sums[1:], start=2):
                yield from (total, total / count)


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


@lru_cache(maxsize=64)
def _of_pairs(known: frozenset[Decimal], *, is_share: bool) -> frozenset[Decimal]:
    """Return what two of these figures give; nothing if there are too many pairs."""
    count = len(known) * (len(known) - 1) // 2
    return frozenset() if count > MOST_PAIRS else _results(combinations(known, 2), is_share)


@lru_cache(maxsize=16)
def _of_two(
    named: frozenset[Decimal], known: frozenset[Decimal], *, is_share: bool
) -> frozenset[Decimal]:
    """Return what a figure that the answer names gives with any known one."""
    is_much = len(named) * len(known) > MOST_PAIRS
    return frozenset() if is_much else _results(product(named, known), is_share)


def _results(couples: Iterable[tuple[Decimal, Decimal]], is_share: bool) -> frozenset[Decimal]:
    """Return sums and differences of pairs, and products, which are never percentages."""
    pairs = list(couples)
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
