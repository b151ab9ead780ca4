"""Checks that every figure of an answer occurs in a source or follows from figures that do.

Sources are everything the model was given: what people wrote, results of tools and calculations,
the situation, and the conversation before. The checks work in any language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from agencyclaw.knowledge.arithmetic import (
    follows,
    follows_beside,
    is_one_of,
    is_rounded,
    named_figures,
    of_columns,
    of_rows,
    shares_of_whole,
    sums_of_few,
)
from agencyclaw.knowledge.calculations import results_of
from agencyclaw.knowledge.checks import Issue
from agencyclaw.knowledge.figures import (
    WRITTEN,
    Moments,
    moments_in,
    numbers_of,
    parts_of,
    readings,
    without_moments,
)
from agencyclaw.knowledge.secrets import redacted

_READ = 20_000


def check_grounding(answer: str, seen: Sequence[str], today: date | None = None) -> list[Issue]:
    """Return the figures that an answer adds to the texts that were seen.

    `today` is the day from which the answer may count days.
    """
    answer = answer[:_READ]
    return [issue for issue in (_secret(answer), _figures(answer, seen, today)) if issue]


def _error(code: str, message: str) -> Issue:
    return Issue(severity="error", code=code, message=message)


def _secret(answer: str) -> Issue | None:
    if redacted(answer) == answer:
        return None
    return _error("secret", "Your answer holds something like a token or a password: leave it out.")


_CURRENCIES = "USD|EUR|GBP|CAD|AUD|MXN|JPY"
# After a dash a figure is negative or ends a range; in an id it follows letters.
_FIGURE = re.compile(
    rf"(?P<sign>[$€£¥]\s?|\b(?:{_CURRENCIES})\s)?"
    rf"(?:(?<![\w.,/-])|(?P<dash>(?<=\d-)|(?<=[%\s(]-)))(?P<number>{WRITTEN})"
    rf"(?P<unit>\s?(?:[%٪％]|[€£¥]|(?:{_CURRENCIES})\b)|[km]\b)?(?![\w]|-(?!\d)|\s?[ap]\.?m\b)",
    re.IGNORECASE,
)
# Thousands, millions and billions have as many abbreviations as there are languages.
_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 6, 9))
_PERCENT = ("%", "٪", "％")
_YEAR = re.compile(r"(?:19|20)\d\d")
# 0 and 100 % need no source.
_TRIVIAL = (Decimal(0), Decimal(100))
# A figure with fewer digits could be rounded from anything.
_DIGITS_TO_ROUND = 3
# Repair writes a ratio sign into an address that may not be live, and a space into one in code.
_LINK = re.compile('https?(?:[:\u2236]|: )//[^\\s"\\\\]+')
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_NO_MOMENTS = Moments(days=frozenset(), times=frozenset())


class _Claim(NamedTuple):
    """A figure that needs a source: its possible values, and whether it is a percentage."""

    values: tuple[Decimal, ...]
    as_shares: tuple[bool, ...]
    parts: tuple[Decimal, ...] = ()


class _Sources:
    """The figures of the texts that an answer rests on, each read when it is first needed."""

    def __init__(self, seen: Sequence[str]) -> None:
        self._seen = seen
        self._texts = [without_moments(_LINK.sub(" ", text)) for text in seen]
        self.known = numbers_in("\n".join(self._texts))

    @cached_property
    def amounts(self) -> tuple[frozenset[Decimal], ...]:
        """The figures of each text that may be used in arithmetic."""
        return tuple(filter(None, map(_amounts, self._texts)))

    @cached_property
    def sums(self) -> frozenset[Decimal]:
        """What the figures of each short text give, with small counts, without percentages."""
        figures = (frozenset(numbers_of(text)) - _shares(text) for text in self._texts)
        return frozenset[Decimal]().union(*map(sums_of_few, figures))

    @cached_property
    def shares_of_wholes(self) -> frozenset[Decimal]:
        """What several figures of each short text are of its largest, in percent."""
        figures = (_first_readings(text) - _shares(text) for text in self._texts)
        return frozenset[Decimal]().union(*map(shares_of_whole, figures))

    @cached_property
    def shares(self) -> tuple[frozenset[Decimal], ...]:
        """The percentages of each text."""
        return tuple(filter(None, map(_shares, self._texts)))

    @cached_property
    def columns(self) -> tuple[Decimal, ...]:
        """Sums and means of what tools returned more than once, and of tables in texts."""
        tables = (of_rows(_rows(text)) for text in self._texts)
        return (*of_columns("\n".join(self._seen)), *chain.from_iterable(tables))


def _figures(answer: str, seen: Sequence[str], today: date | None) -> Issue | None:
    """Return percentages, amounts and large numbers without a source.

    Small counts are the model's own reading of a list, and a figure that follows from seen ones by
    one operation is arithmetic. A question claims nothing.
    """
    text = _LINK.sub("", answer)
    parts = _SENTENCE.split(text)
    statements = [part for part in parts if not part.rstrip().endswith("?")]
    if not any(map(_claims, statements)):
        # Most answers; looking for days in all that was seen is not free.
        return None
    moments = moments_in("\n".join(seen), today)
    claims = [(part, claim) for part in statements for claim in _claims(part, moments)]
    if not claims:
        return None
    sources = _Sources(seen)
    unseen = [(part, claim) for part, claim in claims if not _is_seen(claim, sources)]
    if not unseen:
        return None
    beside = {part: _beside(part, sources) for part in parts}
    named = frozenset(chain.from_iterable(beside.values()))
    columns = (*of_rows(_rows(without_moments(text))), *sources.columns)
    written = results_of(text, sources.known | named)
    for part, claim in unseen:
        if _is_calculated(claim, sources, named, beside[part]) or _is_result(claim, written):
            continue
        if not any(is_one_of(value, columns) for value in claim.values):
            return _unseen(claim.values[0])
    return None


def _is_result(claim: _Claim, results: Sequence[Decimal]) -> bool:
    """Return whether a figure is what a written calculation comes to."""
    shares = [100 * result for result in results]
    return any(
        is_one_of(value, shares if is_share else results)
        for value in claim.values
        for is_share in claim.as_shares
    )


def _rows(text: str) -> list[list[Decimal]]:
    """Return the figures of each line that has one."""
    lines = (_FIGURE.finditer(line) for line in text.splitlines())
    rows = ([value for one in line for value in readings(one["number"])[:1]] for line in lines)
    return [row for row in rows if row]


def _is_seen(claim: _Claim, sources: _Sources) -> bool:
    """Return whether one reading of a figure was seen, or all of its parts."""
    if claim.parts and all(part in sources.known for part in claim.parts):
        return True
    return any(
        _is_known(value, sources.known, is_share=is_share)
        or (not is_share and any(100 * value in shares for shares in sources.shares))
        for value in claim.values
        for is_share in claim.as_shares
    )


def _is_calculated(
    claim: _Claim, sources: _Sources, named: frozenset[Decimal], beside: list[Decimal]
) -> bool:
    return any(
        follows(
            value,
            is_share=is_share,
            texts=sources.shares if is_share else sources.amounts,
            named=frozenset(beside) if is_share else named,
        )
        or (not is_share and value in sources.sums)
        or (is_share and is_one_of(value, sources.shares_of_wholes))
        or follows_beside(value, is_share=is_share, beside=beside)
        for value in claim.values
        for is_share in claim.as_shares
    )


def _is_known(value: Decimal, known: frozenset[Decimal], *, is_share: bool) -> bool:
    """Return whether a figure was seen, perhaps in thousands or millions, or as a fraction.

    1.2 and 1,200,000 are one amount, 28% and 0.28 one share; from three digits on it may be
    rounded.
    """
    scales = _SCALES[:1] if is_share else _SCALES
    if any(value * scale in known or value / scale in known for scale in scales):
        return True
    fractions = [100 * figure for figure in known if 0 < figure < 1] if is_share else []
    if value in fractions:
        return True
    if len(value.normalize().as_tuple().digits) < _DIGITS_TO_ROUND:
        return False
    exact = [*fractions, *(figure / scale for scale in scales for figure in known)]
    return any(is_rounded(figure, value) for figure in exact)


def _unseen(value: Decimal) -> Issue:
    return _error(
        "unknown_figure",
        f"Nothing that was looked up says {value.normalize():f}. Give only figures that a tool"
        " returned or the person wrote, or write the calculation: (120 + 80) / 4 = 50. A share or a"
        " mean needs the figures it is of in one sentence. Or say that you don't know.",
    )


def _claims(sentence: str, moments: Moments = _NO_MOMENTS) -> list[_Claim]:
    """Return the figures that need a source; days and times of day don't."""
    matches = [(_claimed(match), match) for match in _FIGURE.finditer(sentence)]
    return [
        _Claim(values, _as_shares(match), _parts(match["number"]))
        for values, match in matches
        if values and (match["unit"] or match["sign"] or not moments.has(match["number"]))
    ]


def _as_shares(match: re.Match[str]) -> tuple[bool, ...]:
    """Read a figure without a sign as a percentage, whose sign may be a word."""
    unit = (match["unit"] or "").strip()
    return (unit in _PERCENT,) if unit or match["sign"] else (False, True)


def _parts(written: str) -> tuple[Decimal, ...]:
    return tuple(value for part in parts_of(written) for value in readings(part)[:1])


def _beside(sentence: str, sources: _Sources) -> list[Decimal]:
    """Return a sentence's known figures, and amounts in it that follow from known ones."""
    figures: list[Decimal] = []
    for match in _FIGURE.finditer(sentence):
        for value in readings(match["number"])[:1]:
            is_sum = value in sources.sums or (
                _claimed(match)
                and follows(value, is_share=False, texts=sources.amounts, named=frozenset())
            )
            if is_sum or _is_known(value, sources.known, is_share=False):
                figures.append(value)
    return figures


def _claimed(match: re.Match[str]) -> tuple[Decimal, ...]:
    """Return a figure that needs a source: with a unit, decimals, or in the thousands."""
    values = readings(match["number"])
    if match["unit"] or match["sign"]:
        return values
    if match["dash"] is not None or _YEAR.fullmatch(match["number"]):
        return ()
    is_count = any(value < 1_000 and value == value.to_integral() for value in values)
    return () if is_count else values


def numbers_in(text: str) -> frozenset[Decimal]:
    """Return every number in a text."""
    return frozenset({*_TRIVIAL, *numbers_of(text)})


def _amounts(text: str) -> frozenset[Decimal]:
    """Return the figures that may be used in arithmetic; ordinals may not."""
    return frozenset({*named_figures(text), *_first_values(_claims(text))})


def _first_readings(text: str) -> frozenset[Decimal]:
    """Return the figures of a text, each in its first reading."""
    written = (readings(match["number"])[:1] for match in _FIGURE.finditer(text))
    return frozenset(chain.from_iterable(written)).difference(_TRIVIAL)


def _shares(text: str) -> frozenset[Decimal]:
    """Return the percentages, which are never added to counts."""
    return frozenset(_first_values(claim for claim in _claims(text) if claim.as_shares == (True,)))


def _first_values(claims: Iterable[_Claim]) -> Iterable[Decimal]:
    return (claim.values[0] for claim in claims)
