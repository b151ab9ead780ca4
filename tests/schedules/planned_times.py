"""When schedules should come due, worked out day by day, without the product's own timing."""

from __future__ import annotations

import calendar
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

# Both nights of the changed clock, on either side of the equator, by a half hour, and none.
ZONES = (
    "Europe/Lisbon",
    "America/New_York",
    "Australia/Lord_Howe",
    "America/Santiago",
    "Asia/Kolkata",
    "Africa/Cairo",
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True)
class Rule:
    """What a person asked for: on these weekdays, on this day of the month, or every day."""

    zone: str
    at: time
    every: str
    begins: date
    weekdays: tuple[int, ...] = ()

    def as_timing(self) -> dict[str, object]:
        """Return it as the product stores it."""
        return {
            "day": self.begins.isoformat(),
            "at": self.at.isoformat(),
            "every": self.every,
            "weekdays": [_WEEKDAYS[day] for day in self.weekdays],
            "zone": self.zone,
        }

    def occurrences(self, since: datetime, until: datetime) -> Iterator[datetime]:
        """Yield every moment after `since`, up to `until`, at which it is due."""
        day = self.begins
        while day <= until.date() + timedelta(days=2):
            if self._is_on(day):
                moment = datetime.combine(day, self.at, ZoneInfo(self.zone)).astimezone(UTC)
                if since < moment <= until:
                    yield moment
            day += timedelta(days=1)

    def _is_on(self, day: date) -> bool:
        if self.every == "week":
            return day.weekday() in self.weekdays
        if self.every == "month":
            last = calendar.monthrange(day.year, day.month)[1]
            return day.day == min(self.begins.day, last)
        return True


def random_rule(dice: random.Random, begins: date) -> Rule:
    """Return a rule; every fourth is at an hour that clocks skip or repeat."""
    zone = dice.choice(ZONES)
    hour = dice.choice((0, 1, 2, 3)) if dice.random() < 0.25 else dice.randrange(24)
    at = time(hour, dice.choice((0, 15, 30, 45)))
    every = dice.choices(("day", "week", "month"), (25, 45, 30))[0]
    weekdays = tuple(sorted(dice.sample(range(7), dice.choice((1, 1, 2)))))
    begins += timedelta(days=dice.randrange(28))
    return Rule(zone, at, every, begins, weekdays if every == "week" else ())


@dataclass(frozen=True)
class Downtimes:
    """Stretches in which nothing runs."""

    stretches: tuple[tuple[datetime, datetime], ...]

    @classmethod
    def random(cls, dice: random.Random, since: datetime, days: int, count: int) -> Downtimes:
        """Return so many of an hour to two days."""
        starts = [since + timedelta(minutes=dice.randrange(days * 1440)) for _ in range(count)]
        lengths = [timedelta(minutes=dice.randrange(60, 2880)) for _ in starts]
        return cls(tuple(sorted((at, at + long) for at, long in zip(starts, lengths, strict=True))))

    def up_at(self, moment: datetime) -> datetime:
        """Return when what is due at a moment can run."""
        for down, up in self.stretches:
            if down <= moment < up:
                moment = up
        return moment
