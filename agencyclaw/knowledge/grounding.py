"""Checks that every figure of an answer occurs in a source or follows from figures that do.

Sources are everything the model was given: what people wrote, results of tools and calculations,
the situation, and the conversation before. The checks know no language, but find no figure that is
written into a word, as in Japanese.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import chain

from agencyclaw.domain.consent.words import asks
from agencyclaw.domain.text import SENTENCE_ENDS, WIDE_SENTENCE_ENDS
from agencyclaw.knowledge.arithmetic import (
    follows,
    follows_beside,
    is_one_of,
    is_rounded,
    of_columns,
    of_rows,
    shares_of_whole,
    sums_of_few,
)
from agencyclaw.knowledge.calculations import results_of
from agencyclaw.knowledge.checks import Issue
from agencyclaw.knowledge.claimed_figures import (
    Claim,
    amounts,
    claims,
    figures,
    first_readings,
    money,
    rows,
    shares,
)
from agencyclaw.knowledge.figures import moments_in, numbers_of, without_moments
from agencyclaw.knowledge.secrets import redacted

_READ = 20_000
_WHOLE = Decimal(100)
# Thousands, millions and billions have as many abbreviations as there are languages.
_SCALES = tuple(Decimal(10) ** power for power in (0, 3, 6, 9))
# A figure with fewer digits could be rounded from anything, or from anything with its sign.
_DIGITS_TO_ROUND, _DIGITS_WITH_A_SIGN = 3, 2
# Of how many figures around its sentence a figure may be a share or a mean. Some two of many give
# any figure of few digits.
_AROUND, _AROUND_FEW_DIGITS = 4, 2
# Repair writes a ratio sign into an address that may not be live, and a space into one in code.
# Behind what closes a link in Markdown or Slack, or a cell of a table, text goes on.
_LINK = re.compile('https?(?:[:\u2236]|: )//[^\\s"\\\\)|<>]+')
# A statement also ends behind what closes its emphasis, bracket or quotation.
_SENTENCE = re.compile(
    rf"(?<=[{SENTENCE_ENDS}])\s+|(?<=[{WIDE_SENTENCE_ENDS}])\s*|\n+"
    r"""|(?<=[.!…।۔])[*_~`)\]"'”’“»]+\s+"""
)
_EMPHASIS = "*_"


def check_grounding(answer: str, seen: Sequence[str], today: date | None = None) -> list[Issue]:
    """Return the figures that an answer adds to the texts that were seen.

    `today` is the day from which the answer may count days.
    """
    answer = answer[:_READ]
    return [issue for issue in (_secret(answer), _figures(answer, seen, today)) if issue]


def reckoned(text: str, seen: Sequence[str]) -> frozenset[Decimal]:
    """Return the figures that a sentence of a text works out from seen ones which it names.

    Of three digits at least, because a shorter one may follow from anything.
    """
    sources = _Sources(seen)
    parts = [(claims(part), part) for part in _SENTENCE.split(_LINK.sub("", text))]
    return frozenset(
        value
        for claimed, part in parts
        for claim in claimed
        for value in claim.values
        if _digits(value) >= _DIGITS_TO_ROUND
        and (
            _is_result(claim, results_of(part, sources.in_calculations))
            or _follows_of(claim, value, [one for one, _ in figures(part) if one in sources.known])
        )
    )


def _secret(answer: str) -> Issue | None:
    if redacted(answer) == answer:
        return None
    words = "Your answer holds something like a token or a password: leave it out."
    return Issue(code="secret", message=words)


class _Sources:
    """The figures of the texts that an answer rests on, each read when it is first needed."""

    def __init__(self, seen: Sequence[str]) -> None:
        self._seen = seen
        self._texts = [without_moments(_LINK.sub(" ", text)) for text in seen]
        self.known = frozenset(numbers_of("\n".join(self._texts)))

    @property
    def in_calculations(self) -> frozenset[Decimal]:
        """What a written calculation may use: a percentage is of 100."""
        return self.known | {_WHOLE}

    @cached_property
    def amounts(self) -> tuple[frozenset[Decimal], ...]:
        """The figures of each text that may be used in arithmetic."""
        return tuple(filter(None, map(amounts, self._texts)))

    @cached_property
    def sums(self) -> frozenset[Decimal]:
        """What the figures of each short text give, with small counts, without percentages."""
        counts = (frozenset(numbers_of(text)) - shares(text) for text in self._texts)
        return frozenset[Decimal]().union(*map(sums_of_few, counts))

    @cached_property
    def shares_of_wholes(self) -> frozenset[Decimal]:
        """What several figures of each short text are of its largest, in percent."""
        counts = (first_readings(text) - shares(text) for text in self._texts)
        return frozenset[Decimal]().union(*map(shares_of_whole, counts))

    @cached_property
    def shares(self) -> tuple[frozenset[Decimal], ...]:
        """The percentages of each text."""
        return tuple(filter(None, map(shares, self._texts)))

    @cached_property
    def money(self) -> tuple[frozenset[Decimal], ...]:
        """The figures of each text that have a currency."""
        return tuple(filter(None, map(money, self._texts)))

    @cached_property
    def lines(self) -> tuple[frozenset[Decimal], ...]:
        """The figures of each sentence or line that has few."""
        lines = (first_readings(line) for text in self._texts for line in _SENTENCE.split(text))
        return tuple(line for line in lines if 1 < len(line) <= _AROUND)

    @cached_property
    def columns(self) -> tuple[Decimal, ...]:
        """Sums and means of what tools returned more than once, and of tables in texts."""
        tables = (of_rows(rows(text)) for text in self._texts)
        return (*of_columns("\n".join(self._seen)), *chain.from_iterable(tables))


def _figures(answer: str, seen: Sequence[str], today: date | None) -> Issue | None:
    """Return percentages, amounts and large numbers without a source.

    Small counts are the model's own reading of a list, and a figure that follows from seen ones by
    one operation is arithmetic. A question claims nothing.
    """
    text = _LINK.sub("", answer)
    parts = _SENTENCE.split(text)
    statements = [(at, part) for at, part in enumerate(parts) if not _asks(part)]
    if not any(claims(part) for _, part in statements):
        # Most answers; looking for days in all that was seen is not free.
        return None
    moments = moments_in("\n".join(seen), today)
    claimed = [(at, claim) for at, part in statements for claim in claims(part, moments)]
    if not claimed:
        return None
    sources = _Sources(seen)
    unseen = [(at, claim) for at, claim in claimed if not _is_seen(claim, sources)]
    if not unseen:
        return None
    known = [_known_in(part, sources) for part in parts]
    named = frozenset(chain.from_iterable(known))
    columns = (*of_rows(rows(without_moments(text))), *sources.columns)
    written = results_of(text, sources.in_calculations | named)
    for at, claim in unseen:
        if _is_calculated(claim, sources, named, known[at]) or _is_result(claim, written):
            continue
        if any(is_one_of(value, columns) for value in claim.values):
            continue
        if not _follows_around(claim, sources, known, at):
            return _unseen(claim.values[0])
    return None


def _asks(part: str) -> bool:
    """Return whether a sentence is a question, emphasised as a whole or not."""
    words = part.strip()
    return asks((words.strip(_EMPHASIS) if words[:1] in _EMPHASIS else words)[-1:])


def _is_result(claim: Claim, results: Sequence[Decimal]) -> bool:
    """Return whether a figure is what a written calculation comes to."""
    percents = [100 * result for result in results]
    return any(
        is_one_of(value, percents if is_share else results)
        for value in claim.values
        for is_share in claim.as_shares
    )


def _is_seen(claim: Claim, sources: _Sources) -> bool:
    """Return whether one reading of a figure was seen, or all of its parts; 0 and 100 are free."""
    if claim.values in ((Decimal(0),), (_WHOLE,)):
        return True
    if claim.parts and all(part in sources.known for part in claim.parts):
        return True
    return _is_rounded_of_its_kind(claim, sources) or any(
        _is_known(value, sources.known, is_share=is_share)
        or (not is_share and any(100 * value in some for some in sources.shares))
        for value in claim.values
        for is_share in claim.as_shares
    )


def _is_rounded_of_its_kind(claim: Claim, sources: _Sources) -> bool:
    """Return whether a percentage or an amount of money is rounded from another one."""
    if claim.as_shares == (True,):
        texts, scales = sources.shares, _SCALES[:1]
    elif claim.is_money:
        texts, scales = sources.money, _SCALES
    else:
        return False
    exact = [figure / scale for figure in frozenset[Decimal]().union(*texts) for scale in scales]
    return any(
        _digits(value) >= _DIGITS_WITH_A_SIGN and is_one_of(value, exact) for value in claim.values
    )


def _is_calculated(
    claim: Claim, sources: _Sources, named: frozenset[Decimal], beside: list[Decimal]
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


def _follows_around(
    claim: Claim, sources: _Sources, known: Sequence[Sequence[Decimal]], at: int
) -> bool:
    """Return whether a figure follows from its sentence's figures and those closest to them.

    The closest are in the sentences around, or in the line of a source that has one of its figures.
    `known` are the known figures of each sentence, `at` is which of them it stands in.
    """
    own, beside = known[at], _in_its_lines(known[at], sources)
    for value in claim.values:
        reach = _AROUND if _digits(value) >= _DIGITS_TO_ROUND else _AROUND_FEW_DIGITS
        before = [*chain.from_iterable(known[:at])][-reach:]
        after = [*chain.from_iterable(known[at + 1 :])][:reach]
        pools = ([*own, *before], [*own, *after], [*own, *beside])
        if any(_follows_of(claim, value, pool) for pool in pools):
            return True
    return False


def _follows_of(claim: Claim, value: Decimal, beside: Sequence[Decimal]) -> bool:
    return any(
        follows_beside(value, is_share=is_share, beside=beside) for is_share in claim.as_shares
    )


def _in_its_lines(named: Iterable[Decimal], sources: _Sources) -> list[Decimal]:
    """Return what short lines of sources have beside these figures; small counts tell nothing."""
    telling = frozenset(figure for figure in named if _digits(figure) >= _DIGITS_TO_ROUND)
    return sorted(frozenset[Decimal]().union(*(line for line in sources.lines if telling & line)))


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
    if _digits(value) < _DIGITS_TO_ROUND:
        return False
    exact = [*fractions, *(figure / scale for scale in scales for figure in known)]
    return any(is_rounded(figure, value) for figure in exact)


def _digits(value: Decimal) -> int:
    return len(value.normalize().as_tuple().digits)


def _unseen(value: Decimal) -> Issue:
    return Issue(
        code="unknown_figure",
        message=f"{value.normalize():f} stands in nothing that was said or looked up, and does not"
        " follow from the figures beside it. Give only figures that a tool returned or the person"
        " wrote, or write the calculation: (120 + 80) / 4 = 50. A share or a mean needs the figures"
        " it is of beside it. Or say that you don't know.",
    )


def _known_in(sentence: str, sources: _Sources) -> list[Decimal]:
    """Return a sentence's known figures, and amounts in it that follow from known ones."""
    return [
        value
        for value, is_claimed in figures(sentence)
        if value in sources.sums
        or (is_claimed and follows(value, is_share=False, texts=sources.amounts, named=frozenset()))
        or _is_known(value, sources.known, is_share=False)
    ]
