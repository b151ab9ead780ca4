"""Targets of a brand in a marketplace, for a month or a year, and which of them are in force."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import ClientChange, ConsentPolicy, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.marketplaces import Marketplace
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.periods import Period, spoken_period, start_of
from agencyclaw.domain.records import (
    Fields,
    NotWritten,
    SetRecord,
    changed_since,
)

Metric = Literal["acos", "tacos", "sales"]
METRICS: dict[Metric, str] = {"acos": "ACOS", "tacos": "TACOS", "sales": "Sales"}

# More may be spent on advertising than is sold.
Ratio = Annotated[Decimal, Field(ge=0, max_digits=6, decimal_places=2)]
Percent = Annotated[Decimal, Field(ge=0, le=100, max_digits=6, decimal_places=2)]
Money = Annotated[Decimal, Field(ge=0, max_digits=14, decimal_places=2)]

_FACTORS = {"one": 1, "thousand": 1_000, "million": 1_000_000}
# Room for every digit of an amount at its scale.
_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)
HUNDREDTH = Decimal("0.01")
_GROUPED = re.compile(r"[1-9]\d{0,2}([,. ])\d{3}(?:\1\d{3})*")
_PLAIN = re.compile(r"(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}")


class Figures(Fields):
    """Values of metrics; None for a metric without one."""

    acos: Annotated[Ratio | None, Field(title="ACOS")] = None
    tacos: Annotated[Ratio | None, Field(title="TACOS")] = None
    sales: Money | None = None
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] | None = None

    def rows(self, none: str = "") -> tuple[tuple[str, str], ...]:
        """Return the metrics that have a value, as people read them."""
        shown = ((label, self.shown(metric) or none) for metric, label in METRICS.items())
        return tuple((label, text) for label, text in shown if text)

    def shown(self, metric: Metric) -> str:
        """Return a metric's value with its unit; "" without one."""
        value: Decimal | None = getattr(self, metric)
        if value is None:
            return ""
        unit = f" {self.currency or ''}" if metric == "sales" else "%"
        return f"{value:,.2f}".removesuffix(".00") + unit.rstrip()


class Goals(Figures):
    """Target values; None for a metric without a target."""

    acos: Annotated[Percent | None, Field(title="ACOS")] = None
    tacos: Annotated[Percent | None, Field(title="TACOS")] = None


class Amount(Value):
    """An amount as a person wrote it: 200k is 200 and thousand."""

    number: Annotated[str, Field(max_length=40, pattern=r"^\d[\d,. ]*$")]
    scale: Literal["one", "thousand", "million"] = "one"

    @property
    def value(self) -> Decimal | None:
        """The exact amount, however many decimals it has; None if its figures are not one number.

        A comma before one or two digits is a decimal comma.
        """
        digits, is_scaled = self.number.strip(), self.scale != "one"
        if _GROUPED.fullmatch(digits) and not (is_scaled and "." in digits):
            digits = "".join(char for char in digits if char.isdigit())
        elif _DECIMAL_COMMA.fullmatch(digits):
            digits = digits.replace(",", ".")
        elif not _PLAIN.fullmatch(digits):
            return None
        return _EXACT.multiply(Decimal(digits.replace(",", "")), _FACTORS[self.scale])

    @property
    def rounded(self) -> Decimal | None:
        """The amount with the two decimals that are kept."""
        amount = self.value
        return None if amount is None else _EXACT.quantize(amount, HUNDREDTH)


class StoredTarget(Value):
    """One active row: the goals of a brand in a marketplace for a month or a year."""

    brand_id: UUID
    marketplace: str
    period: Period
    start: date
    goals: Goals


class InForce(Value):
    """A metric's target on a day: the month's, else the year's, else none."""

    value: str = ""
    source: Literal["monthly", "annual", "none"] = "none"
    start: date | None = None


HeldFigures = TypeVar("HeldFigures", bound=Figures)


class SetFigures(SetRecord[HeldFigures], ClientChange, Generic[HeldFigures]):
    """Sets figures of one brand, marketplace and period, which are called `what`.

    `remarks` say how the period was read.
    """

    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    what: ClassVar[str]

    brand: Named
    marketplace: Marketplace
    period: Period
    start: date
    remarks: tuple[Annotated[str, Field(max_length=500)], ...] = Field(default=(), max_length=1)

    @property
    def label(self) -> str:
        """Brand, marketplace and period."""
        return message("built.of", what=self.what.capitalize(), whose=self.where)

    @property
    def when(self) -> str:
        """The period as a person reads it."""
        return spoken_period(self.period, self.start)

    @property
    def where(self) -> str:
        """Brand, marketplace and period as a person reads them."""
        return f"{self.brand.name} {self.marketplace}, {self.when}"

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What its card says besides the figures."""
        return (
            ("Client", self.client.name),
            ("Brand", self.brand.name),
            ("Marketplace", self.marketplace),
            ("Period", self.when),
        )

    def wanted(self) -> dict[str, Any]:
        """Return the figures that change; sales and their currency are one figure."""
        figures, after = super().wanted(), self.after
        if after and not figures.keys().isdisjoint({"sales", "currency"}):
            figures |= {"sales": after.sales, "currency": after.currency}
        return figures

    @property
    def verb(self) -> str:
        """What is done with the figures, as on a button."""
        return self.set_verb if self.after else message("built.remove", what=self.what)

    def preview(self) -> Preview:
        """Return the previous and the new figures."""
        none, empty = message("records.none"), self.record.holds()
        sides = ((held or empty).rows(none) for held in (self.before, self.after))
        changes = ((name, was, to) for (name, was), (_, to) in zip(*sides, strict=True))
        figures = ((name, f"{was} → {to}") for name, was, to in changes if {was, to} != {none})
        return Preview(
            headline=message("built.of", what=self.verb, whose=self.where),
            verb=self.verb,
            where=message("kpi.where", what=self.what),
            fields=(*self.facts, *figures),
            against=self.remarks,
        )

    def changed(self, now: HeldFigures | None) -> NotWritten:
        """Say which figures are stored now."""
        worded = now or message("kpi.none", what=self.what)
        why = message("kpi.changed_since", what=self.what, where=self.where, worded=worded)
        return changed_since(why, self.onto(now))

    def reverse(self) -> Self:
        """Return the change back; the period is no longer to be checked."""
        return super().reverse().model_copy(update={"remarks": ()})

    def receipt(self) -> str:
        """Say what is stored now, and what was before."""
        if self.after is None:
            return message("kpi.taken_away", what=self.what, where=self.where)
        return message(
            "kpi.receipt",
            done=self.done.capitalize(),
            where=self.where,
            worded=self.after,
            before=self.before or message("kpi.none", what=self.what),
        )


def in_force(targets: Sequence[StoredTarget], marketplace: str, day: date) -> dict[str, InForce]:
    """Return each metric on a day; only targets of its month and year count."""
    current = {name: InForce() for name in METRICS.values()}
    periods: tuple[Period, ...] = ("annual", "monthly")
    for period in periods:
        for target in targets:
            is_now = target.period == period and target.start == start_of(period, day)
            if target.marketplace == marketplace and is_now:
                current |= {
                    name: InForce(value=value, source=period, start=target.start)
                    for name, value in target.goals.rows()
                }
    return current
