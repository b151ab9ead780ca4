"""Results of a brand in a marketplace, for a month or a year that is over."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.kpi import SetFigures
from agencyclaw.domain.kpi_results import SOURCE_LIMIT, Results
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import Record


class SetResult(SetFigures[Results]):
    """Records what one source says was reached; `after` of None takes it back.

    What another source says of the same period stays.
    """

    kind: Literal["set_result"] = "set_result"
    skill: ClassVar[str] = "kpi_result_upsert"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "recorded"
    noun: ClassVar[str] = "results"
    what: ClassVar[str] = "results"
    set_verb: ClassVar[str] = "Record results"
    record: ClassVar[Record] = Record(
        holds=Results,
        table="brand_market_kpi_results",
        key=("brand", "marketplace", "period", "start", "source"),
        plural="results",
    )

    source: Annotated[str, Field(max_length=SOURCE_LIMIT)] = ""

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What its card says besides the figures."""
        return (*super().facts, *((("Source", self.source),) if self.source else ()))

    def prose(self) -> dict[str, str]:
        """Return the source, which is a free text."""
        return {"Source": self.source} if self.source else {}
