"""Typed facts against the words they rest on: what does not stand there is not stated.

Nothing here reads a language: a quote stands in its source to the letter or it does not, and a
number of a fact occurs in its quote or it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from agencyclaw.domain.days import Day, OnDate, OnMonthDay, counted_by, numbers_of, resolve_day
from agencyclaw.domain.field_sources import FieldSource, Material
from agencyclaw.domain.quotes import (
    Fact,
    Quoted,
    QuotedDay,
    dates_in,
    holds_number,
    holds_numbers,
    is_among,
    missing_numbers,
    numbers_by_themselves,
    stands_in,
)
from agencyclaw.domain.tasks import stands_alone
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.own_words import quoted

_TALK = "what people wrote here"
_RESULTS = "what tools returned or procedures say"
AS_RELATIVE = "give a day that was not said as a date by its kind: weekday, in, month_day, end_of"


@dataclass
class FactCheck:
    """Takes the facts of one request; keeps what each rests on, and why others were left out.

    `talk` is what people wrote here, `results` what tools returned.
    """

    talk: Sequence[Material]
    results: Sequence[Material]
    today: date
    bases: list[FieldSource] = field(default_factory=list[FieldSource])
    left_out: list[str] = field(default_factory=list[str])

    def text(self, label: str, fact: Fact | None) -> str:
        """Return a fact's value, or nothing where its quote does not carry it."""
        if fact is None:
            return ""
        value = one_line(fact.value, 120)
        wrong = [f"“{one}”" for one in missing_numbers(value, fact.quote)]
        fault = f"{', '.join(wrong)} does not occur in its quote" if wrong else ""
        return _with_signs(value, fact.quote) if self._rests(label, fact, fault) else ""

    def day(
        self,
        label: str,
        fact: QuotedDay | None,
        *,
        start: date | None = None,
        or_words: bool = False,
    ) -> date | None:
        """Return the day that is meant, or None where its quote does not carry it.

        With `or_words`, the quote alone may say when.
        """
        if fact is None:
            return None
        if fact.day is None:
            if not or_words:
                self.left_out.append(f"{label}: not stated, because no day was given.")
            return None
        try:
            found = resolve_day(fact.day, self.today, start=start)
            fault = _fault(fact.day, found, fact.quote, self.today)
        except (ValueError, OverflowError) as wrong:
            found, fault = None, str(wrong)
        return found if self._rests(label, fact, fault) else None

    def quote(self, label: str, fact: QuotedDay | None) -> str:
        """Return the words of an end that is no day."""
        if fact is None or fact.day is not None:
            return ""
        return one_line(fact.quote, 200) if self._rests(label, fact, "") else ""

    def holds(self, text: str) -> bool:
        """Return whether an identifier stands anywhere by itself, whatever its case."""
        return any(stands_alone(text, one.text) for one in (*self.talk, *self.results))

    def unstated_numbers(self, prose: str, *own: str) -> tuple[str, ...]:
        """Return the numbers of a prose text that stand in no source; `own` is what code adds."""
        known = "\n".join([*own, *(one.text for one in (*self.talk, *self.results))])
        found = (one for one in numbers_by_themselves(prose) if not is_among(one, known))
        return tuple(dict.fromkeys(found))

    def _rests(self, label: str, quoted: Quoted, fault: str) -> bool:
        sources = self.talk if quoted.is_of_the_talk else self.results
        holding = [one for one in sources if stands_in(quoted.quote, one.text)]
        if not holding and not fault:
            where = _TALK if quoted.is_of_the_talk else _RESULTS
            fault = f"“{one_line(quoted.quote, 80)}” does not stand in {where}"
        if fault:
            self.left_out.append(f"{label}: not stated, because {fault}.")
            return False
        source = next((one for one in holding if one.origin.is_trusted), holding[0])
        self.bases.append(
            FieldSource(
                field=label,
                origin=source.origin,
                whose=source.whose[:120],
                quote=one_line(quoted.quote, 200),
                needs_press=not source.origin.is_trusted,
            )
        )
        return True


def _with_signs(value: str, quote: str) -> str:
    """Return a bare figure as it stands in its quote: 20 of "20% off" is 20%."""
    is_bare = not any(one.isalpha() for one in value)
    own = quoted(value, (quote,)) if is_bare else None
    return one_line(own.text, 120) if own else value


def _fault(day: Day, found: date, quote: str, today: date) -> str:
    """Say what of a typed day its quote does not carry."""
    missing = [one for one in numbers_of(day) if not holds_number(one, quote)]
    if missing:
        return f"the day {missing[0]} does not occur in its quote; {AS_RELATIVE}"
    count = counted_by(day)
    if count is not None and holds_numbers(quote) and not holds_number(count, quote):
        return f"the number {count} does not occur in its quote"
    if isinstance(day, (OnDate, OnMonthDay)) and _is_other_month(found, quote):
        return f"the month {found.month} does not occur in its quote"
    if isinstance(day, OnDate) and not holds_number(found.year, quote):
        expected = resolve_day(
            OnMonthDay(kind="month_day", month=found.month, day=found.day), today
        )
        if expected != found:
            return f"the year {found.year} does not occur in its quote"
    return ""


def _is_other_month(found: date, quote: str) -> bool:
    """Whether a quote has the day in a date of figures that has another month."""
    dates = [pair for pair in dates_in(quote) if found.day in pair]
    return bool(dates) and not any(
        sorted(pair) == sorted((found.day, found.month)) for pair in dates
    )
