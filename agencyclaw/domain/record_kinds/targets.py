"""Targets of a brand in a marketplace, for a month or a year."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.kpi import Goals, SetFigures
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, stored_as
from agencyclaw.domain.records import Record


class SetTarget(SetFigures[Goals]):
    """Sets the targets of one brand, marketplace and period; `after` of None removes them.

    Without `is_period_explicit` nobody named the period, and it is the current one.
    """

    kind: Literal["set_target"] = "set_target"
    skill: ClassVar[str] = "kpi_target_upsert"
    tier: ClassVar[Tier] = Tier.ADMIN
    incidental: ClassVar[frozenset[str]] = ClientChange.incidental | {"is_period_explicit"}
    noun: ClassVar[str] = "goals"
    what: ClassVar[str] = "targets"
    set_verb: ClassVar[str] = "Set targets"
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
        plural="targets",
    )

    is_period_explicit: Annotated[bool, stored_as("is_period_stated")] = True

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What its card says besides the figures, and what kind of period it is."""
        kind = self.period if self.is_period_explicit else message("kpi.present", kind=self.period)
        *rows, (name, when) = super().facts
        return (*rows, (name, f"{when} ({kind})"))
