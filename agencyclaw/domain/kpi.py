"""Targets of a brand in a marketplace, for a month or a year, and which of them are in force."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import ClientChange, ConsentPolicy, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value, stored_as
from agencyclaw.domain.periods import Period, spoken_period, start_of
from agencyclaw.domain.records import (
    Fields,
    NotWritten,
    Record,
    SetRecord,
    changed_since,
)

Percent = Annotated[Decimal, Field(ge=0, le=100, max_digits=6, decimal_places=2)]
Money = Annotated[Decimal, Field(ge=0, max_digits=14, decimal_places=2)]
Marketplace = Annotated[str, Field(pattern="^[A-Z]{2}$")]

# What people put between codes.
_SEPARATORS = ",;/&+"
_FACTORS = {"one": 1, "thousand": 1_000, "million": 1_000_000}
_GROUPED = re.compile(r"\d{1,3}([,. ])\d{3}(?:\1\d{3})*")
_PLAIN = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}")


def codes_in(text: str) -> tuple[str, ...]:
    """Return the marketplace codes in a text, in upper case, without duplicates.

    "US, CA" has two; empty if the text has anything else.
    """
    for separator in _SEPARATORS:
        text = text.replace(separator, " ")
    codes = text.upper().split()
    are_codes = all(len(code) == 2 and code.isascii() and code.isalpha() for code in codes)
    return tuple(dict.fromkeys(codes)) if are_codes else ()


class Goals(Fields):
    """Target values; None for a metric without a target."""

    acos: Percent | None = None
    tacos: Percent | None = None
    sales: Money | None = None
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] | None = None

    def rows(self, none: str = "") -> tuple[tuple[str, str], ...]:
        """Return the metrics that have a target, as people read them."""
        shown = (
            ("ACOS", f"{_written(self.acos)}%" if self.acos is not None else ""),
            ("TACOS", f"{_written(self.tacos)}%" if self.tacos is not None else ""),
            (
                "Sales",
                f"{_written(self.sales)} {self.currency or ''}".strip()
                if self.sales is not None
                else "",
            ),
        )
        return tuple((name, text or none) for name, text in shown if text or none)


class Amount(Value):
    """An amount as a person wrote it: 200k is 200 and thousand."""

    number: Annotated[str, Field(max_length=40, pattern=r"^\d[\d,. ]*$")]
    scale: Literal["one", "thousand", "million"] = "one"

    @property
    def value(self) -> Decimal | None:
        """The amount; None if its figures are not one number.

        A comma before one or two digits is a decimal comma.
        """
        digits, is_scaled = self.number.strip(), self.scale != "one"
        if _GROUPED.fullmatch(digits) and not (is_scaled and "." in digits):
            digits = "".join(char for char in digits if char.isdigit())
        elif _DECIMAL_COMMA.fullmatch(digits):
            digits = digits.replace(",", ".")
        elif not _PLAIN.fullmatch(digits):
            return None
        amount = Decimal(digits.replace(",", "")) * _FACTORS[self.scale]
        return amount.quantize(Decimal("0.01"))


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


class SetTarget(SetRecord[Goals], ClientChange):
    """Sets the targets of one brand, marketplace and period; `after` of None removes them.

    Without `is_period_explicit` nobody named the period, and it is the current one.
    """

    kind: Literal["set_target"] = "set_target"
    skill: ClassVar[str] = "kpi_target_upsert"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    incidental: ClassVar[frozenset[str]] = ClientChange.incidental | {"is_period_explicit"}
    noun: ClassVar[str] = "goals"
    record: ClassVar[Record] = Record(
        holds=Goals,
        table="brand_market_kpi_targets",
        key=("brand", "marketplace", "period", "start"),
        columns={
            "marketplace": "marketplace_code",
            "period": "period_granularity",
            "start": "period_start",
            "acos": "acos_target_pct",
            "tacos": "tacos_target_pct",
            "sales": "sales_target",
            "currency": "sales_currency",
        },
    )

    brand: Named
    marketplace: Marketplace
    period: Period
    start: date
    is_period_explicit: Annotated[bool, stored_as("is_period_stated")] = True

    @property
    def label(self) -> str:
        """Brand, marketplace and period."""
        return message(
            "built.targets", brand=self.brand.name, marketplace=self.marketplace, when=self.when
        )

    @property
    def when(self) -> str:
        """The period as a person reads it."""
        return spoken_period(self.period, self.start)

    def wanted(self) -> dict[str, Any]:
        """Return the goals that change; sales always with their currency."""
        goals = super().wanted()
        if self.after and "sales" in goals:
            goals["currency"] = self.after.currency
        return goals

    def preview(self) -> Preview:
        """Return the new and the previous targets."""
        now = dict(self.before.rows()) if self.before else {}
        goals = self.after or Goals()
        rows = [(name, f"{now.get(name, 'none')} → {value}") for name, value in goals.rows()]
        kind = self.period if self.is_period_explicit else message("kpi.present", kind=self.period)
        return Preview(
            headline=message(
                "kpi.set_targets",
                brand=self.brand.name,
                marketplace=self.marketplace,
                when=self.when,
            ),
            verb="Set targets",
            where=message("kpi.agencys_targets"),
            fields=(
                ("Client", self.client.name),
                ("Brand", self.brand.name),
                ("Marketplace", self.marketplace),
                ("Period", f"{self.when} ({kind})"),
                *rows,
            ),
        )

    def changed(self, now: Goals | None) -> NotWritten:
        """Say which targets are stored now."""
        why = message(
            "targets.targets_were_changed_since",
            brand=self.brand.name,
            marketplace=self.marketplace,
            when=self.when,
            worded=now or message("targets.none"),
        )
        return changed_since(why, self.onto(now))

    def receipt(self) -> str:
        """Say what is stored now, and what was before."""
        where = f"{self.brand.name} {self.marketplace}, {self.when}"
        if self.after is None:
            return message("targets.targets_are_taken_away", where=where)
        before = self.before or message("targets.none")
        return message("targets.set_before", where=where, worded=self.after, before=before)


def in_force(targets: Sequence[StoredTarget], marketplace: str, day: date) -> dict[str, InForce]:
    """Return each metric on a day; only targets of its month and year count."""
    current = {name: InForce() for name in ("ACOS", "TACOS", "Sales")}
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


def _written(number: Decimal) -> str:
    return f"{number:,.2f}".removesuffix(".00")
