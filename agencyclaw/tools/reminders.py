"""Reminders: what people ask to be told again, themselves, at a time they choose."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Annotated

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import Day, Weekday
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import SurfaceKind, Tier
from agencyclaw.domain.quotes import Quoted, QuotedDay, numbers_in
from agencyclaw.domain.reminders import REMINDERS_AT_MOST, SetReminder
from agencyclaw.domain.schedules import Every, Reminder, Timing
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.memory import Fact, as_written
from agencyclaw.tools.sources import fact_check

_WHEN = "When"
_USUAL = time(9)
_LONGEST_MINUTES = 2 * 24 * 60
Clock = Annotated[str, Field(max_length=5, pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class When(Quoted):
    """When, on the person's clock: in so many minutes, or at a time, on a day or again and again.

    Without a day, the next such time; without a time, nine o'clock.
    """

    minutes: Annotated[int, Field(ge=1, le=_LONGEST_MINUTES)] | None = None
    day: Day | None = None
    time: Clock | None = None
    every: Every = "once"
    weekdays: Annotated[tuple[Weekday, ...], Field(max_length=7)] = ()


@proposes(SetReminder, tier=Tier.MEMBER, title=message("steps.remind"), on_demand=True)
async def remind(ctx: RunContext[Deps], words: Fact, when: When) -> SetReminder:
    """Prepare a reminder (create an alarm, a follow-up; recurring or once) for who asks.

    Their own words come to them alone at a time, once or every day, week or month. It makes no
    task, nor can anybody else be reminded.

    Args:
        words: What of, in their own words, copied.
        when: When, with their words for it.
    """
    deps, check = ctx.deps, fact_check(ctx)
    if deps.surface.kind is SurfaceKind.TERMINAL:
        raise Refused(message("refused.reminders.only_in_slack"), reason="only_in_slack")
    if len(await deps.memory.reminders(deps.actor.profile_id)) >= REMINDERS_AT_MOST:
        raise Refused(_TOO_MANY, reason="too_many")
    kept, sources = as_written(deps, words)
    timing = _timing(deps, check, when)
    first = timing.next_after(deps.now)
    if first is None:
        raise Refused(message("refused.reminders.has_passed", timing=timing), reason="has_passed")
    return SetReminder(
        person=Named(id=deps.actor.profile_id, name=deps.actor.name),
        reminder=Reminder(words=kept, timing=timing),
        first=first.astimezone(deps.actor.zone).date(),
        remarks=(*check.assumed, *_remarks(when, timing.at)),
        timezone=deps.actor.timezone,
        field_sources=(*sources, *check.field_sources),
    )


_TOO_MANY = f"They have {REMINDERS_AT_MOST} reminders already: one has to be forgotten first."


def _timing(deps: Deps, check: FactCheck, when: When) -> Timing:
    """Return when it comes; raises Refused where the quote does not support the day."""
    now = deps.now.astimezone(deps.actor.zone)
    quoted = QuotedDay(quote=when.quote, source=when.source, day=when.day)
    if when.day:
        day = check.day(_WHEN, quoted, beside=_figures_of(when.time))
    else:
        day = now.date() if check.quote(_WHEN, quoted) else None
    if day is None:
        raise Refused(" ".join(check.left_out), reason="not_stated")
    if when.minutes is not None:
        # Counted in UTC: clocks may change meanwhile.
        moment = _whole_minute(deps.now.astimezone(UTC) + timedelta(minutes=when.minutes))
        local = moment.astimezone(deps.actor.zone)
        return Timing(day=local.date(), at=local.time(), zone=deps.actor.timezone, moment=moment)
    at = time.fromisoformat(when.time) if when.time else _USUAL
    is_past = when.day is None and when.every == "once" and now.time() >= at
    return Timing(
        day=day + timedelta(days=1) if is_past else day,
        at=at,
        every=when.every,
        weekdays=when.weekdays if when.every == "week" else (),
        zone=deps.actor.timezone,
    )


def _figures_of(clock: Clock | None) -> frozenset[int]:
    """Return the numbers by which a time may be said: 21:00 is 9, too."""
    if clock is None:
        return frozenset()
    at = time.fromisoformat(clock)
    return frozenset({at.hour, at.hour % 12 or 12, at.minute})


def _whole_minute(moment: datetime) -> datetime:
    return (moment + timedelta(seconds=59)).replace(second=0, microsecond=0)


def _remarks(when: When, at: time) -> list[str]:
    """Return what the person should see of how the time was read."""
    quote, numbers = one_line(when.quote, 80), numbers_in(when.quote)
    if when.minutes is not None:
        return [message("reminders.read_as", quote=quote, at=f"{at:%H:%M}")]
    if when.time is None:
        return [message("reminders.assumed_time", at=f"{at:%H:%M}")]
    is_hour = not {at.hour, at.hour % 12 or 12}.isdisjoint(numbers)
    is_written = is_hour and (at.minute == 0 or at.minute in numbers)
    return [] if is_written else [message("reminders.read_as", quote=quote, at=f"{at:%H:%M}")]
