"""Reminders, and when they are due on their owner's clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.clock import clock_name, zone_named
from agencyclaw.domain.days import WEEKDAYS, Weekday, in_months, spoken_day
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value

WORDS_LIMIT = 300
Every = Literal["once", "day", "week", "month"]


class Timing(Value):
    """When a reminder comes, on its owner's clock: on `day`, then as often as `every` says.

    `weekdays` are those of a weekly one; without any, the weekday of `day`. In a month without that
    day, it comes on the last. A time that the clock skips moves by as much; one that comes twice
    counts once. `moment` is set instead for one that was asked for in minutes from then.
    """

    day: date
    at: time
    every: Every = "once"
    weekdays: tuple[Weekday, ...] = ()
    zone: str
    moment: datetime | None = None

    @property
    def pattern(self) -> tuple[str, ...]:
        """Equal for timings that repeat in the same way, whatever day they begin on."""
        match self.every:
            case "once":
                exact = self.moment.isoformat() if self.moment else ""
                return self.every, self.zone, f"{self.at}", f"{self.day}", exact
            case "day":
                return self.every, self.zone, f"{self.at}"
            case "week":
                return self.every, self.zone, f"{self.at}", *self._wanted_weekdays
            case "month":
                return self.every, self.zone, f"{self.at}", f"{self.day.day}"

    def next_after(self, moment: datetime) -> datetime | None:
        """Return the first time after a moment; None if there is none any more."""
        if self.moment is not None:
            return self.moment if self.moment > moment else None
        zone = zone_named(self.zone)
        since = max(self.day, moment.astimezone(zone).date())
        occurrences = (
            datetime.combine(day, self.at.replace(fold=0), zone).astimezone(UTC)
            for day in self._days(since)
        )
        return next((occurrence for occurrence in occurrences if occurrence > moment), None)

    def missed(self, planned: datetime, now: datetime) -> int:
        """Return how often it was due after `planned` and until now."""
        count, following = 0, self.next_after(planned)
        while following is not None and following <= now:
            count, following = count + 1, self.next_after(following)
        return count

    def _days(self, since: date) -> Iterator[date]:
        """Yield its days from `since` on; at least one of them is later."""
        match self.every:
            case "once":
                yield self.day
            case "day":
                yield from (since + timedelta(days=ahead) for ahead in range(3))
            case "week":
                days = (since + timedelta(days=ahead) for ahead in range(9))
                wanted = self._wanted_weekdays
                yield from (day for day in days if WEEKDAYS[day.weekday()] in wanted)
            case "month":
                months = (since.year - self.day.year) * 12 + since.month - self.day.month
                days = (in_months(self.day, months + ahead) for ahead in range(3))
                yield from (day for day in days if day >= since)

    def __str__(self) -> str:
        """Return it as a person reads it: "every Monday at 09:00 (Lisbon)"."""
        at = f"{self.at:%H:%M} ({clock_name(self.zone)})"
        match self.every:
            case "once":
                return message("reminders.once", day=spoken_day(self.day), at=at)
            case "day":
                return message("reminders.every_day", at=at)
            case "week":
                weekdays = " and ".join(weekday.capitalize() for weekday in self._wanted_weekdays)
                return message("reminders.every_week", weekdays=weekdays, at=at)
            case "month":
                return message("reminders.every_month", number=self.day.day, at=at)

    @property
    def _wanted_weekdays(self) -> list[str]:
        own = WEEKDAYS[self.day.weekday()]
        return [weekday for weekday in WEEKDAYS if weekday in (self.weekdays or (own,))]


class Reminder(Value):
    """What somebody is reminded of, and when."""

    words: Annotated[str, Field(min_length=2, max_length=WORDS_LIMIT)]
    timing: Timing


class StoredReminder(Reminder):
    """A stored reminder, and when it comes next."""

    id: UUID
    next_at: datetime
