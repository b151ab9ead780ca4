"""Results of a brand in a marketplace for a month or a year, beside the targets of that period."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from agencyclaw.domain.clock import day_of
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.kpi import METRICS, Figures, Goals, Metric, StoredTarget
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.periods import Period, spoken_period, start_of

SOURCE_LIMIT = 120
# Where more is better; of the others, less is.
_MORE_IS_BETTER: frozenset[Metric] = frozenset({"sales"})


class Results(Figures):
    """What was reached; one that `is_delivered` was brought by a machine."""

    is_delivered: bool = False


class StoredResult(Value):
    """What one source says was reached, and who brought it when."""

    brand_id: UUID
    marketplace: str
    period: Period
    start: date
    source: str
    figures: Results
    brought_by: str
    brought_at: datetime

    def origin_in(self, zone: ZoneInfo) -> str:
        """Return where it is from, as a person of that zone reads it."""
        day = spoken_day(day_of(self.brought_at, zone))
        if self.figures.is_delivered:
            how = message("kpi.delivered", day=day)
        else:
            how = message("kpi.brought", name=self.brought_by, day=day)
        return ", ".join(filter(None, (self.source, how)))


class Compared(Value):
    """The latest result of a metric beside its target; `is_met` is None without a comparable one.

    A month without a target of its own has the year's, except for sales, which add up.
    """

    brand_id: UUID
    marketplace: str
    metric: Metric
    period: Period
    start: date
    result: str
    target: str
    is_met: bool | None
    origin: str

    @property
    def when(self) -> str:
        """The period as a person reads it."""
        return spoken_period(self.period, self.start)

    @property
    def key(self) -> str:
        """What it is about."""
        return ":".join(
            (str(self.brand_id), self.marketplace, self.metric, self.period, str(self.start))
        )


def compared(
    targets: Sequence[StoredTarget], results: Sequence[StoredResult], day: date, zone: ZoneInfo
) -> tuple[Compared, ...]:
    """Return the latest month and year of each metric until a day; of two sources, the later.

    Their origins are told for the calendar of `zone`.
    """
    latest: dict[tuple[UUID, str, Metric, Period], StoredResult] = {}
    for one in sorted(results, key=lambda one: (one.start, one.brought_at)):
        for metric in METRICS:
            if one.start <= day and getattr(one.figures, metric) is not None:
                latest[one.brand_id, one.marketplace, metric, one.period] = one
    return tuple(_beside_target(key[2], latest[key], targets, zone) for key in sorted(latest))


def is_met(metric: Metric, goals: Goals, figures: Figures) -> bool | None:
    """Return whether figures meet goals, exactly or better; None if they can't be compared."""
    goal, reached = getattr(goals, metric), getattr(figures, metric)
    is_other = metric == "sales" and goals.currency != figures.currency
    if goal is None or reached is None or is_other:
        return None
    return bool(reached >= goal if metric in _MORE_IS_BETTER else reached <= goal)


def _beside_target(
    metric: Metric, one: StoredResult, targets: Sequence[StoredTarget], zone: ZoneInfo
) -> Compared:
    goals = next(_goals_for(metric, one, targets), Goals())
    return Compared(
        brand_id=one.brand_id,
        marketplace=one.marketplace,
        metric=metric,
        period=one.period,
        start=one.start,
        result=one.figures.shown(metric),
        target=goals.shown(metric),
        is_met=is_met(metric, goals, one.figures),
        origin=one.origin_in(zone),
    )


def _goals_for(
    metric: Metric, one: StoredResult, targets: Sequence[StoredTarget]
) -> Iterator[Goals]:
    """Yield the goals for a metric in a result's period, its own before the year's."""
    periods: tuple[Period, ...] = (one.period,) if metric == "sales" else (one.period, "annual")
    for period in periods:
        for target in targets:
            is_its = (target.brand_id, target.marketplace) == (one.brand_id, one.marketplace)
            is_then = (target.period, target.start) == (period, start_of(period, one.start))
            if is_its and is_then and target.goals.shown(metric):
                yield target.goals
