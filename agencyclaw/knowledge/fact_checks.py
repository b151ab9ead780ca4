"""Checks the facts of a request against their quotes; what a quote does not support is dropped.

The checks work in any language: a quote must occur verbatim in a source, and every number of a fact
must occur in its quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from agencyclaw.domain.days import (
    Day,
    FromDay,
    OnDate,
    OnMonthDay,
    OnWeekday,
    counted_as,
    counted_by,
    is_next_to,
    numbers_of,
    resolve_day,
    spoken_day,
)
from agencyclaw.domain.field_sources import FieldSource, Material, Origin, UnsupportedFact
from agencyclaw.domain.identifiers import occurs_alone
from agencyclaw.domain.messages import message
from agencyclaw.domain.periods import (
    Period,
    QuotedPeriod,
    counted_period,
    holds_year,
    is_year_guessed,
    period_fault,
    resolve_period,
    spoken_period,
)
from agencyclaw.domain.quotes import (
    Fact,
    Quoted,
    QuotedDay,
    dates_in,
    figures_in,
    holds_number,
    is_among,
    missing_numbers,
    numbers_in,
    occurs_in,
)
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.figures import numbers_of as values_in
from agencyclaw.knowledge.figures import readings
from agencyclaw.knowledge.own_words import has_own_words, quoted, signs_of

_TALK = "what people wrote here"
_RESULTS = "what tools returned or procedures say"
_SCALES = tuple(Decimal(10) ** power for power in (3, 6, 9))
_SUFFIXED = re.compile(r"(?<![\w.,])(\d[\d.,]*)[^\W\d]")
_HALF_A_YEAR = timedelta(days=183)
AS_RELATIVE = (
    "give a day that was not said as a date by its kind: weekday, in, month_day, end_of, or from"
    " the day it is counted from"
)


@dataclass
class FactCheck:
    """Checks the facts of one request, and records the source of each or why it was dropped.

    - `talk`: what people wrote here
    - `results`: what tools returned
    - `known_days`: days on the cards and tasks that the request is about
    - `card_identifiers`, `card_facts`: from the card that is being corrected
    - `field_sources`, `unsupported_facts`, `left_out`: what the checks found
    - `assumed`: how days and months were read, where the person should see it
    """

    talk: Sequence[Material]
    results: Sequence[Material]
    today: date
    known_days: set[date] = field(default_factory=set[date])
    field_sources: list[FieldSource] = field(default_factory=list[FieldSource])
    left_out: list[str] = field(default_factory=list[str])
    unsupported_facts: list[UnsupportedFact] = field(default_factory=list[UnsupportedFact])
    assumed: list[str] = field(default_factory=list[str])
    card_identifiers: frozenset[str] = frozenset()
    card_facts: Mapping[str, str] = field(default_factory=dict[str, str])

    def text(self, label: str, fact: Fact | None) -> str:
        """Return a fact's value; "" if its quote does not support it."""
        if fact is None:
            return ""
        value = one_line(fact.value, 120)
        wrong = [f"“{number}”" for number in missing_numbers(value, fact.quote)]
        fault = f"{', '.join(wrong)} does not occur in its quote" if wrong else ""
        shown, is_as_quoted = _with_signs(value, fact.quote, self.card_facts.get(label, ""))
        reading = "" if is_as_quoted and has_own_words(value, fact.quote) else value
        return shown if self._rests(label, fact, value, fault, reading) else ""

    def day(
        self,
        label: str,
        fact: QuotedDay | None,
        *,
        start: date | None = None,
        end: QuotedDay | None = None,
        or_words: bool = False,
        beside: frozenset[int] = frozenset(),
    ) -> date | None:
        """Return the day a fact means; None if its quote does not support it.

        `start` and `end` are those of its range. With `or_words`, a quote without a day is enough.
        `beside` are figures of its quote that were read as something else, such as a time.
        """
        if fact is None:
            return None
        if fact.day is None:
            if not or_words:
                self._leave_out(label, fact, fact.quote, f"no day was given: {AS_RELATIVE}")
            return None
        try:
            until = end.day if end else None
            resolved = resolve_day(fact.day, self.today, start=start, end=until)
            fault = self._fault(fact.day, resolved, fact.quote, beside, until)
            reading = _reading(fact, resolved, self.today)
            resolved -= timedelta(days=fact.before)
        except (ValueError, OverflowError) as wrong:
            resolved, fault, reading = None, str(wrong), ""
        shown = spoken_day(resolved) if resolved else fact.quote
        if not self._rests(label, fact, shown, fault, reading) or resolved is None:
            return None
        self.known_days.add(resolved)
        if isinstance(fact.day, OnWeekday) and resolved == self.today:
            quote = one_line(fact.quote, 80)
            today = message("effects.taken_as_today", label=label, quote=quote, shown=shown)
            self.assumed.append(today)
        if _is_year_guessed(fact.day, resolved, fact.quote, self.today):
            self._assume_year(label, fact.quote, shown)
        return resolved

    def period(
        self, label: str, kind: Period, named: QuotedPeriod | None, *, past: bool = False
    ) -> date | None:
        """Return the first day of a month or year; None if its quote does not support it.

        With `past`, a month without a year is the last one, as `resolve_period` says.
        """
        if named is None:
            return None
        try:
            resolved = resolve_period(kind, named, self.today, past=past)
            fault = period_fault(kind, named, self.today, past=past)
        except ValueError as wrong:
            resolved, fault = None, str(wrong)
        shown = spoken_period(kind, resolved) if resolved else named.quote
        reading = counted_period(kind, named, self.today)
        if not self._rests(label, named, shown, fault, reading) or resolved is None:
            return None
        if is_year_guessed(kind, named, resolved, self.today):
            self._assume_year(label, named.quote, shown)
        return resolved

    def _assume_year(self, label: str, quote: str, shown: str) -> None:
        quote = one_line(quote, 80)
        self.assumed.append(message("effects.year_guessed", label=label, quote=quote, shown=shown))

    def quote(self, label: str, fact: QuotedDay | None) -> str:
        """Return the words for a start or an end that is not a day."""
        if fact is None or fact.day is not None:
            return ""
        return one_line(fact.quote, 200) if self._rests(label, fact, fact.quote) else ""

    def holds(self, text: str) -> bool:
        """Return whether an identifier occurs in a source as a whole word, ignoring case."""
        return text.upper() in self.card_identifiers or any(
            occurs_alone(text, material.text) for material in self._materials
        )

    def is_written(self, identifier: str) -> bool:
        """Return whether people wrote an identifier here."""
        return any(occurs_alone(identifier, material.text) for material in self.talk)

    @property
    def _materials(self) -> tuple[Material, ...]:
        return (*self.talk, *self.results)

    def unstated_numbers(self, text: str, *own: str) -> tuple[str, ...]:
        """Return a text's figures that occur in no source; `own` are figures that code adds.

        200,000 and 200k are one figure, and so are 28.50 and 28,5.
        """
        figures = figures_in(text)
        if not figures:
            return ()
        known = "\n".join([*own, *(material.text for material in self._materials)])
        values = frozenset((*values_in(known), *_scaled(known)))
        unsupported = (
            figure
            for figure in figures
            if not is_among(figure, known) and values.isdisjoint(readings(figure))
        )
        return tuple(dict.fromkeys(unsupported))

    def _fault(
        self, day: Day, resolved: date, quote: str, beside: frozenset[int], end: Day | None
    ) -> str:
        if isinstance(day, FromDay) and not self._is_known(day.date):
            return (
                f"{spoken_day(day.date)} is on no card that this replaces and in nothing that was"
                " said"
            )
        return _fault(day, resolved, quote, self.today, beside, end)

    def _is_known(self, day: date) -> bool:
        """Return whether a day is on a card or task this is about, or written as a date."""
        as_date = OnDate(kind="date", date=day)
        return day in self.known_days or any(
            not _fault(as_date, day, material.text, self.today) for material in self._materials
        )

    def is_quoted(self, quoted: Quoted) -> bool:
        """Return whether a quote occurs in a source of its kind."""
        return bool(self._holding(quoted))

    def _holding(self, quoted: Quoted) -> list[Material]:
        sources = self.talk if quoted.is_of_the_talk else self.results
        return [material for material in sources if occurs_in(quoted.quote, material.text)]

    def _leave_out(self, label: str, quoted: Quoted, value: str, fault: str) -> None:
        self.left_out.append(message("remarks.not_stated", label=label, fault=fault))
        # The words exist, though they give no day.
        was_written = isinstance(quoted, QuotedDay) and bool(self._holding(quoted))
        self.unsupported_facts.append(
            UnsupportedFact(
                field=label[:40],
                value=one_line(quoted.quote if was_written else value, 120),
                was_written=was_written,
                why=one_line(fault, 500),
            )
        )

    def _rests(
        self, label: str, quoted: Quoted, value: str, fault: str = "", reading: str = ""
    ) -> bool:
        holding = self._holding(quoted)
        if not holding and not fault:
            where = _TALK if quoted.is_of_the_talk else _RESULTS
            fault = f"“{one_line(quoted.quote, 80)}” does not stand in {where}"
        if fault:
            self._leave_out(label, quoted, value, fault)
            return False
        marked = [as_marked(material, [quoted]) for material in holding]
        source = next((material for material in marked if material.origin.is_trusted), marked[0])
        self.field_sources.append(
            FieldSource(
                field=label,
                origin=source.origin,
                whose=source.whose[:120],
                quote=one_line(quoted.quote, 200),
                needs_press=not source.origin.is_trusted,
                reading=one_line(reading, 120),
                is_mixed=source.origin is Origin.PASTED and quoted.source != "pasted",
            )
        )
        return True


def as_marked(material: Material, quotes: Sequence[Quoted]) -> Material:
    """Return a typed message as a pasted one where the model says that a quote in it is pasted."""
    is_pasted = material.origin is Origin.TYPED and any(
        quote.source == "pasted" and occurs_in(quote.quote, material.text) for quote in quotes
    )
    if not is_pasted:
        return material
    return material.model_copy(update={"origin": Origin.PASTED, "taints": True})


def _scaled(text: str) -> Iterator[Decimal]:
    """Yield what a figure with letters may mean: 200k is 200,000."""
    for written in _SUFFIXED.findall(text):
        yield from (value * scale for value in readings(written) for scale in _SCALES)


def _with_signs(value: str, quote: str, before: str) -> tuple[str, bool]:
    """Return a bare figure with the sign it has in its quote: 20 in "20% off" is 20%.

    A sign that it has not there is kept if the quote has it elsewhere or the card had it `before`:
    "20%, no, 15" or "make it 15" may mean 15%. Then the second value, "is as quoted", is False.
    """
    is_bare = not any(char.isalpha() for char in value)
    own = quoted(value, (quote,)) if is_bare else None
    if own is None:
        return value, True
    more = signs_of(value) - signs_of(own.text)
    if more and more <= signs_of(quote + before):
        return value, False
    return one_line(own.text, 120), True


def _reading(fact: QuotedDay, named: date, today: date) -> str:
    """Return how a day was counted from the quote, for the person to check; "" if it is literal."""
    counted = counted_as(fact.day, today) if fact.day else ""
    has_count = fact.day and counted_by(fact.day) in _counts_in(fact.day, fact.quote)
    if has_count or has_own_words(counted, fact.quote):
        counted = ""
    before = message("days.eve", day=spoken_day(named)) if fact.before else ""
    return ", ".join(part for part in (before, counted) if part)


def _fault(
    day: Day,
    resolved: date,
    quote: str,
    today: date,
    beside: frozenset[int] = frozenset(),
    end: Day | None = None,
) -> str:
    """Return which part of a typed day its quote does not support; "" if it supports all."""
    missing = [number for number in numbers_of(day) if not holds_number(number, quote)]
    if missing:
        return f"the day {missing[0]} does not occur in its quote; {AS_RELATIVE}"
    count, counts = counted_by(day), _counts_in(day, quote)
    if count is not None and not is_next_to(day) and count not in counts and counts - beside:
        return f"the number {count} does not occur in its quote"
    if isinstance(day, (OnDate, OnMonthDay)) and _is_other_month(resolved, quote):
        return f"the month {resolved.month} does not occur in its quote"
    if isinstance(day, OnDate) and not holds_number(resolved.year, quote):
        yearless = OnMonthDay(kind="month_day", month=resolved.month, day=resolved.day)
        expected = resolve_day(yearless, today, end=end)
        if expected != resolved:
            return f"the year {resolved.year} does not occur in its quote"
    return ""


def _is_year_guessed(day: Day, resolved: date, quote: str, today: date) -> bool:
    """Return whether a day without a year is nearer to the same day of the year before."""
    is_yearless = isinstance(day, (OnDate, OnMonthDay)) and not holds_year(resolved.year, quote)
    return is_yearless and resolved - today > _HALF_A_YEAR


def _counts_in(day: Day, quote: str) -> set[int]:
    """Return the numbers of a quote that may be a count: not those of the day counted from."""
    numbers = numbers_in(quote)
    if isinstance(day, FromDay):
        numbers -= {day.date.day, day.date.month, day.date.year, day.date.year % 100}
    return numbers


def _is_other_month(resolved: date, quote: str) -> bool:
    """Return whether the quote has the day in a numeric date of another month."""
    dates = [pair for pair in dates_in(quote) if resolved.day in pair]
    return bool(dates) and not any(
        sorted(pair) == sorted((resolved.day, resolved.month)) for pair in dates
    )
