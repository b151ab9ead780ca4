"""Schedules: what somebody asked to happen, and when it is due on their clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.clients import Named
from agencyclaw.domain.clock import clock_name, zone_named
from agencyclaw.domain.days import WEEKDAYS, Weekday, in_months, spoken_day
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.people import Value
from agencyclaw.domain.text import cut, folded, listed
from agencyclaw.domain.watches import Watch

WORDS_LIMIT = 300
# Later than this, a post says when it was planned.
LATE = timedelta(minutes=5)
# Between two answers to one question that come by themselves.
LEAST = timedelta(hours=1)
_AHEAD = 32
# So many posts in a row without any reaction: asked once whether it is still wanted.
UNHEARD_AT_MOST = 4
Every = Literal["once", "day", "week", "month"]


class Adjustment(StrEnum):
    """What a button does with a schedule."""

    PAUSE = "pause"
    RESUME = "resume"
    RARER = "rarer"


class Timing(Value):
    """When a schedule is due, on its owner's clock: on `day`, then as often as `every` says.

    "change" is whenever code looks and finds a change, which only watches have.
    `weekdays` are those of a weekly one; without any, the weekday of `day`. In a month without that
    day, it comes on the last. A time that the clock skips moves by as much; one that comes twice
    counts once. `moment` is set instead for one that was asked for in minutes from then.
    """

    day: date
    at: time
    every: Every | Literal["change"] = "once"
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
            case "change":
                return (self.every,)
            case "week":
                return self.every, self.zone, f"{self.at}", *self._wanted_weekdays
            case "month":
                return self.every, self.zone, f"{self.at}", f"{self.day.day}"

    @property
    def rarer(self) -> Timing | None:
        """The next rarer timing: weekly instead of daily, then monthly; None if there is none."""
        match self.every:
            case "change":
                return self.model_copy(update={"every": "day"})
            case "day":
                return self.model_copy(update={"every": "week"})
            case "week" if len(self.weekdays) > 1:
                return self.model_copy(update={"weekdays": self.weekdays[:1]})
            case "week":
                return self.model_copy(update={"every": "month", "weekdays": ()})
            case "once" | "month":
                return None

    def next_after(self, moment: datetime) -> datetime | None:
        """Return the first time after a moment; None if there is none any more."""
        if self.every == "change":
            return moment
        if self.moment is not None:
            return self.moment if self.moment > moment else None
        zone = zone_named(self.zone)
        since = max(self.day, moment.astimezone(zone).date())
        occurrences = (
            datetime.combine(day, self.at.replace(fold=0), zone).astimezone(UTC)
            for day in self._days(since)
        )
        return next((occurrence for occurrence in occurrences if occurrence > moment), None)

    def comes_on(self, day: date) -> bool:
        """Return whether it comes on a day of its own clock."""
        zone = zone_named(self.zone)
        before = datetime.combine(day, time.min, zone) - timedelta(microseconds=1)
        following = self.next_after(before.astimezone(UTC))
        return following is not None and following.astimezone(zone).date() == day

    def is_near(self, other: Timing, since: datetime) -> bool:
        """Return whether they ever come within an hour of each other, as far as one looks ahead."""
        coming = sorted((*self._coming(since), *other._coming(since)))
        return any(later - earlier < LEAST for earlier, later in pairwise(coming))

    def _coming(self, since: datetime) -> Iterator[datetime]:
        following = self.next_after(since)
        for _ in range(_AHEAD):
            if following is None:
                return
            yield following
            following = self.next_after(following)

    def missed(self, planned: datetime, now: datetime) -> int:
        """Return how often it was due after `planned` and until now."""
        if self.every == "change":
            return 0
        count, following = 0, self.next_after(planned)
        while following is not None and following <= now:
            count, following = count + 1, self.next_after(following)
        return count

    def _days(self, since: date) -> Iterator[date]:
        """Yield its days from `since` on; at least one of them is later."""
        match self.every:
            case "once" | "change":
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
                return message("reminders.every_week", weekdays=self._spoken_weekdays, at=at)
            case "month":
                return message("reminders.every_month", number=self.day.day, at=at)
            case "change":
                return message("watches.whenever")

    @property
    def _spoken_weekdays(self) -> str:
        wanted = self._wanted_weekdays
        if tuple(wanted) == WEEKDAYS[:5]:
            return message("reminders.working_day")
        return listed([weekday.capitalize() for weekday in wanted])

    @property
    def _wanted_weekdays(self) -> list[str]:
        own = WEEKDAYS[self.day.weekday()]
        return [weekday for weekday in WEEKDAYS if weekday in (self.weekdays or (own,))]


class QuietHours(Value):
    """The hours of a night in which nothing late is posted; what was planned for them still is."""

    since: time
    until: time

    def end_of(self, now: datetime, timing: Timing) -> datetime | None:
        """Return when a night that lasts ends on the owner's clock; None if there is none."""
        zone = zone_named(timing.zone)
        local = now.astimezone(zone)
        if not self._includes(local.time()) or self._includes(timing.at):
            return None
        day = local.date() + timedelta(days=1 if local.time() >= self.until else 0)
        return datetime.combine(day, self.until, zone).astimezone(UTC)

    def _includes(self, at: time) -> bool:
        if self.since <= self.until:
            return self.since <= at < self.until
        return at >= self.since or at < self.until


class Work(StrEnum):
    """What happens when a schedule is due.

    REMIND sends its owner their own words. ASK answers them as a question, with the owner's rights
    of that day. WATCH looks by code, without a model, for all watches of a client together.
    """

    REMIND = "remind"
    ASK = "ask"
    WATCH = "watch"

    @property
    def noun(self) -> str:
        """What people call such a schedule."""
        return {Work.REMIND: "reminder", Work.ASK: "question", Work.WATCH: "watch"}[self]


class Schedule(Value):
    """What somebody asked to happen, and when; a paused one does not come due.

    Answers are posted in `channel_id`: the owner's direct messages, unless it `is_in_channel` with
    others. One with `after_id` comes as soon as that schedule's run of the day has been answered,
    and is skipped if it has not been by its own time.
    """

    words: Annotated[str, Field(min_length=2, max_length=WORDS_LIMIT)]
    timing: Timing
    work: Work = Work.REMIND
    channel_id: str = ""
    is_in_channel: bool = False
    is_paused: bool = False
    watch: Watch | None = None
    after_id: UUID | None = None

    @property
    def label(self) -> str:
        """Its words, as much of them as a list shows."""
        return cut(self.words, 120)

    @property
    def comes(self) -> str:
        """When it comes, in words; for one that follows another, the latest."""
        if self.watch and self.watch.task and self.timing.every == "change":
            return message("watches.when_done")
        if self.after_id is None:
            return str(self.timing)
        return message("schedules.after_another", timing=self.timing)

    @property
    def spoken(self) -> str:
        """When it comes, in a sentence; of a paused one, once it is resumed."""
        if self.is_paused:
            return message("schedules.comes_resumed", label=self.label, timing=self.comes)
        return message("schedules.comes", label=self.label, timing=self.comes)

    @property
    def kept_as(self) -> str:
        """What it is and when it comes, as a list of them says it."""
        kind = localized(self.work.noun.capitalize())
        then = message("watches.and_prepares", then=self.then) if self.then else ""
        if self.is_paused:
            return message("schedules.kept_paused", kind=kind, timing=self.comes) + then
        return message("schedules.kept", kind=kind, timing=self.comes) + then

    @property
    def about(self) -> tuple[str, ...]:
        """Its words, the id of the one task that it waits for, and what is prepared then.

        Other tasks have the same title.
        """
        task = self.watch.task if self.watch else None
        return tuple(filter(None, (folded(self.words), task and task.id, folded(self.then))))

    @property
    def then(self) -> str:
        """What is to be prepared of what a watch finds, in its owner's words."""
        return self.watch.then if self.watch else ""

    @property
    def pattern(self) -> tuple[str, ...]:
        """Equal for schedules that do the same at the same times."""
        return (*self.about, *self.timing.pattern)

    def is_too_near(self, other: Schedule, since: datetime) -> bool:
        """Return whether both ask the same in one place, sooner after each other than an hour."""
        is_same = self.about == other.about and self.channel_id == other.channel_id
        is_asked = self.work is Work.ASK and other.work is Work.ASK
        return is_asked and is_same and self.timing.is_near(other.timing, since)

    def adjusted(self, adjustment: Adjustment) -> Schedule | None:
        """Return it paused, resumed or rarer; None if it can't be."""
        match adjustment:
            case Adjustment.PAUSE:
                return self.model_copy(update={"is_paused": True})
            case Adjustment.RESUME:
                return self.model_copy(update={"is_paused": False})
            case Adjustment.RARER:
                rarer = self.timing.rarer
                return self.model_copy(update={"timing": rarer}) if rarer else None


class StoredSchedule(Schedule):
    """A stored schedule, and when it comes next; None while it is paused."""

    id: UUID
    next_at: datetime | None

    @property
    def contents(self) -> Schedule:
        """The schedule without its row."""
        return Schedule.model_validate(self.model_dump(include=set(Schedule.model_fields)))


class OwnedSchedule(StoredSchedule):
    """A stored schedule with the name of whose it is."""

    owner: Named


class Firing(Value):
    """One time that a recurring question came due, and what is to be said of it.

    - `planned`: the time that its timing says; now, if it was asked for by a press
    - `is_extra`: whether it was, besides its times; so is all that a watch finds
    - `unsaid`: times that came due besides it and that no post has mentioned
    - `failures`: how many firings in a row failed before it
    - `next_at`: when it comes next
    - `unheard`: its posts in a row to which nobody has reacted
    - `trial_of`: the proposal of a question that has not begun and is tried first
    - `found`: what a watch found, of which its owner wants something prepared
    """

    schedule_id: UUID | None
    schedule: Schedule
    planned: datetime
    now: datetime
    is_extra: bool = False
    unsaid: int = 0
    failures: int = 0
    next_at: datetime | None = None
    unheard: int = 0
    trial_of: UUID | None = None
    found: str = ""

    @property
    def words(self) -> str:
        """What is asked."""
        return self.schedule.words

    @property
    def timing(self) -> Timing:
        """When it is asked."""
        return self.schedule.timing

    @property
    def is_late(self) -> bool:
        """Whether it comes so late that its post says when it was planned."""
        return self.now - self.planned > LATE

    @property
    def card_lasts_s(self) -> float:
        """How long a card that it leaves can be pressed: until it comes again, at most a day.

        When a watch finds something again, nobody knows.
        """
        day = timedelta(days=1)
        if self.next_at is None or self.schedule.work is Work.WATCH:
            return day.total_seconds()
        return min(day, self.next_at - self.now).total_seconds()
