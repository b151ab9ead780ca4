"""Schedules: what people are reminded of, or asked to be answered, at times they choose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import choice
from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import Day, Weekday
from agencyclaw.domain.errors import NotAllowed, NotFound, Refused
from agencyclaw.domain.field_sources import FieldSource, Origin
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import NOT_A_BOOL, SurfaceKind, Tier
from agencyclaw.domain.quotes import Quoted, QuotedDay, numbers_in
from agencyclaw.domain.schedule_changes import (
    SCHEDULES_AT_MOST,
    BeginWatch,
    RecurringQuestion,
    SetChannelQuestion,
    SetQuestion,
    SetReminder,
    watch_setting_of,
)
from agencyclaw.domain.schedules import Every, Schedule, StoredSchedule, Timing, Work
from agencyclaw.domain.spending import SCHEDULE_A_MONTH_AT_MOST
from agencyclaw.domain.text import folded, one_line
from agencyclaw.domain.watches import (
    AGENCY_CHECKS,
    BRAND_CHECKS,
    DAYS_AT_MOST,
    THRESHOLD_AT_MOST,
    Check,
    Watch,
    WatchedTask,
)
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.arguments import Name, Request
from agencyclaw.tools.assignments import find_brand
from agencyclaw.tools.brands import brand_meant_by
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.implied_clients import client_hint
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.memory import Fact, as_written, best_fits, is_pressed, is_private
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_lookup import find_task

_WHEN = "When"
_USUAL = time(9)
_LONGEST_MINUTES = 2 * 24 * 60
_Written = tuple[str, tuple[FieldSource, ...]]
Clock = Annotated[str, Field(max_length=5, pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class When(Quoted):
    """When, on the person's clock: once in so many minutes, or at a time, once or again and again.

    Without a day, the next such time; without a time, nine o'clock.
    """

    minutes: Annotated[int, Field(ge=1, le=_LONGEST_MINUTES), NOT_A_BOOL] | None = None
    day: Day | None = None
    time: Clock | None = None
    every: Every = "once"
    weekdays: Annotated[tuple[Weekday, ...], Field(max_length=7)] = ()


@proposes(SetReminder, tier=Tier.MEMBER, on_demand=True)
async def remind(ctx: RunContext[Deps], words: Fact, when: When) -> SetReminder:
    """Prepare a reminder (set or create an alarm, a follow-up; recurring or once) for who asks.

    Their own words come to them alone at a time, once or every day, week or month. It makes no
    task, nor can anybody else be reminded.

    Args:
        words: What of, in their own words, copied.
        when: Their words for it, and what they mean.
    """
    planned = await _plan(ctx, words, when)
    return SetReminder(
        schedule=Schedule(words=planned.words, timing=planned.timing), **planned.common(ctx.deps)
    )


@proposes(RecurringQuestion, tier=Tier.MEMBER, on_demand=True)
async def ask_regularly(
    ctx: RunContext[Deps], words: Fact, when: When, after: Name | None = None
) -> RecurringQuestion | Ask:
    """Prepare a recurring question (a report, digest, overview, briefing or check-up, scheduled).

    It is answered here (for members in direct messages only) every day, week or month, from that
    day's state, and begins with the person's press. It is tried at once by itself, and its card
    comes below that first answer: say so, and don't answer it yourself.

    Args:
        words: The question or request to answer each time, in their own words, copied.
        when: Their words for it, and what they mean.
        after: Which other question of theirs has to be answered first on that day, if they said so;
            then `time` is the latest, after which it is skipped.
    """
    deps, place, lacking = ctx.deps, ctx.deps.place, Lacking()
    if not place.is_direct and deps.actor.tier < SetChannelQuestion.tier:
        raise NotAllowed(message("refused.schedules.in_a_channel"), reason="admin_skill_denied")
    followed = await lacking.settle(_followed(deps, after)) if after else None
    planned = await lacking.settle(_plan(ctx, words, when))
    if planned is None or lacking:
        return lacking.as_ask()
    if followed:
        planned = planned.after(followed, deps.now)
    schedule = Schedule(
        words=planned.words,
        timing=planned.timing,
        work=Work.ASK,
        channel_id=place.channel_id,
        is_in_channel=not place.is_direct,
        after_id=followed.id if followed else None,
    )
    second = planned.timing.next_after(planned.first)
    cost = await deps.operations.cost_of_an_answer()
    setting = SetChannelQuestion if schedule.is_in_channel else SetQuestion
    return setting(
        schedule=schedule,
        second=second.astimezone(deps.actor.zone).date() if second else None,
        cost=_cost(cost),
        follows=followed.words if followed else "",
        **planned.common(deps),
    )


@proposes(BeginWatch, tier=Tier.MEMBER, on_demand=True)
async def watch_client(
    ctx: RunContext[Deps],
    check: Check,
    client: Name | None = None,
    brand: Name | None = None,
    days: Annotated[int, Field(ge=1, le=DAYS_AT_MOST), NOT_A_BOOL] | None = None,
    above: Annotated[int, Field(ge=0, le=THRESHOLD_AT_MOST), NOT_A_BOOL] | None = None,
    task: Request | None = None,
    then: Fact = "",
) -> BeginWatch | Ask:
    """Prepare a watch (an alert, a threshold): notify who asks when a task is done, or the like.

    Code looks every 15 minutes and reports in their direct messages what is new, and nothing else.
    No model is asked, so it costs nothing, but for `then`.

    Args:
        check: Of a task: done. Of a client: late, due_soon or unassigned open tasks; brands that
            are unmapped or without a target; a missed_target. Of the agency: changed_procedure. For
            admins: unanswered_question of a client or of all, error_rate of answers, cost of
            models.
        client: What they called the client.
        brand: Only of this brand.
        days: For due_soon, if they said so: within so many days; else within a week.
        above: Their threshold: only above so many tasks, brands, misses or questions, percent of
            errors, or dollars a month.
        task: For done: the task's title, or its link.
        then: What they want prepared of what is found (a task, for example), in their own words,
            copied; only if they said so.
    """
    deps = ctx.deps
    await _require_schedulable(deps, is_prepared=bool(then))
    wanted = as_written(deps, then) if then else None
    if check is Check.DONE:
        return await _watch_task(deps, task, client_hint(client, brand), wanted)
    if check is Check.COST and above is None:
        return Ask(question=message("watches.which_cost"))
    _require_known_of(check, client, brand)
    found = None
    if check not in AGENCY_CHECKS and (client or check is not Check.UNANSWERED_QUESTION):
        found = await find_client(deps, client_hint(client, brand))
        if isinstance(found, Ask):
            return found
    chosen = None
    if found and check in BRAND_CHECKS:
        chosen = find_brand(deps, found, brand_meant_by(deps, found, brand))
        if isinstance(chosen, Ask):
            return chosen
    watch = Watch(
        client=found.client.named if found else None,
        brand=chosen.named if chosen else None,
        check=check,
        days=days,
        above=above,
    )
    return await _begin(deps, watch, wanted)


def _require_known_of(check: Check, client: str | None, brand: str | None) -> None:
    """Raise Refused for a client or brand that a check can't tell from the others."""
    if check in AGENCY_CHECKS and folded(f"{client or ''} {brand or ''}"):
        raise Refused(message("watches.of_agency_alone"), reason="of_agency_alone")
    if check not in BRAND_CHECKS and folded(brand or ""):
        raise Refused(message("watches.not_of_a_brand"), reason="not_of_a_brand")


async def _watch_task(
    deps: Deps, task: str | None, client: str, then: _Written | None
) -> BeginWatch | Ask:
    """Return the watch of one task until it is done."""
    if not task:
        return Ask(question=message("watches.which_task"))
    found = await find_task(deps, task, client)
    if isinstance(found, Ask):
        return found
    title = one_line(found.state.facts.title, 120)
    if found.state.is_closed:
        raise Refused(message("refused.reminders.is_done", title=title), reason="is_done")
    awaited = WatchedTask(id=found.state.id, title=title, url=found.state.url)
    watch = Watch(client=found.client.named, check=Check.DONE, task=awaited)
    return await _begin(deps, watch, then)


async def _begin(deps: Deps, watch: Watch, then: _Written | None) -> BeginWatch:
    """Return the watch, with the words of what is to be prepared."""
    sources, cost = (), None
    if then:
        kept, sources = then
        watch = watch.model_copy(update={"then": kept})
        cost = await deps.operations.cost_of_an_answer()
    local = deps.now.astimezone(deps.actor.zone)
    timing = Timing(day=local.date(), at=_USUAL, every="change", zone=deps.actor.timezone)
    return watch_setting_of(watch)(
        person=Named(id=deps.actor.profile_id, name=deps.actor.name),
        schedule=Schedule(
            words=watch.wanted,
            timing=timing,
            work=Work.WATCH,
            # What is prepared is said where it was asked for.
            channel_id=deps.place.channel_id if then else "",
            watch=watch,
        ),
        cost=_cost(cost),
        field_sources=sources,
    )


def _cost(cost: float | None) -> str:
    return message("schedules.cost", cost=cost, most=SCHEDULE_A_MONTH_AT_MOST) if cost else ""


@dataclass(frozen=True)
class _Planned:
    """What a person asked to be scheduled: their words, when, and what their card says of that."""

    words: str
    timing: Timing
    first: datetime
    remarks: tuple[str, ...]
    sources: tuple[FieldSource, ...]

    def after(self, followed: StoredSchedule, now: datetime) -> _Planned:
        """Return it on the days of the question that it follows, later than that."""
        timing = followed.timing.model_copy(update={"at": self.timing.at, "moment": None})
        first = timing.next_after(max(now, followed.next_at or now))
        if timing.at <= followed.timing.at or first is None:
            raise Refused(
                message("refused.reminders.before_the_other", timing=followed.timing),
                reason="before_the_other",
            )
        return replace(self, timing=timing, first=first)

    def common(self, deps: Deps) -> dict[str, Any]:
        """Return the fields that all effects which set a schedule have."""
        return {
            "person": Named(id=deps.actor.profile_id, name=deps.actor.name),
            "first": self.first.astimezone(deps.actor.zone).date(),
            "remarks": self.remarks,
            "field_sources": self.sources,
        }


async def _plan(ctx: RunContext[Deps], words: str, when: When) -> _Planned:
    """Return what is to be scheduled; raises Refused where nobody asked for it, or not so."""
    deps, check = ctx.deps, fact_check(ctx)
    await _require_schedulable(deps)
    lacking = Lacking()
    written = lacking.tried(lambda: as_written(deps, words))
    timing = lacking.tried(lambda: _timing(deps, check, when))
    if written is None or timing is None:
        raise lacking.refusal()
    kept, sources = written
    first = timing.next_after(deps.now)
    if first is None:
        raise Refused(message("refused.reminders.has_passed", timing=timing), reason="has_passed")
    remarks = (*check.assumed, *_remarks(when, timing.at, check))
    return _Planned(kept, timing, first, remarks, (*sources, *check.field_sources))


async def _followed(deps: Deps, named: str) -> StoredSchedule | Ask:
    """Return the person's recurring question that these words mean, or ask which one.

    In a channel only those that are answered there: others read along.
    """
    kept, are_all_shown = await deps.memory.schedules(deps.actor.profile_id), is_private(deps)
    shown = [one for one in kept if are_all_shown or one.channel_id == deps.place.channel_id]
    questions = [one for one in shown if one.work is Work.ASK and not one.is_paused]
    if chosen := [one for one in questions if is_pressed(deps, str(one.id))]:
        return chosen[0]
    found, is_meant = best_fits(named, questions)
    if not found:
        words = (
            message("refused.reminders.nothing_to_follow")
            if are_all_shown
            else message("refused.reminders.nothing_to_follow_here")
        )
        raise NotFound(words, reason="nothing_to_follow")
    if not is_meant:
        options = (choice("note", one.id, one.label) for one in found)
        return ask_which(message("schedules.which_first"), options)
    return found[0]


async def _require_schedulable(deps: Deps, *, is_prepared: bool = False) -> None:
    """Raise Refused if nothing can be scheduled here, or the person has too many schedules.

    What `is_prepared` by a schedule waits on a card for its person alone, so it can't be asked for
    in a channel.
    """
    if deps.surface.kind is SurfaceKind.TERMINAL:
        raise Refused(message("refused.reminders.only_in_slack"), reason="only_in_slack")
    if deps.firing:
        raise Refused(message("refused.reminders.not_by_itself"), reason="not_from_a_schedule")
    if len(await deps.memory.schedules(deps.actor.profile_id)) >= SCHEDULES_AT_MOST:
        why = message("refused.reminders.too_many", most=SCHEDULES_AT_MOST)
        raise Refused(why, reason="too_many")
    if is_prepared and not deps.place.is_direct:
        raise Refused(message("watches.not_in_a_channel"), reason="not_in_a_channel")


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
    if when.minutes is not None and when.every != "once":
        raise Refused(message("refused.reminders.too_often"), reason="too_often")
    if when.weekdays and when.every != "week":
        raise Refused(message("refused.reminders.weekdays"), reason="weekdays")
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
        weekdays=when.weekdays,
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


def _remarks(when: When, at: time, check: FactCheck) -> list[str]:
    """Return what the person should see of how the time was read.

    Where the quote has no number, the time may be in something else that they typed.
    """
    quote = one_line(when.quote, 80)
    typed = "\n".join(one.text for one in check.talk if one.origin is Origin.TYPED)
    numbers = numbers_in(when.quote) or numbers_in(typed)
    if when.minutes is not None:
        return [message("reminders.read_as", quote=quote, at=f"{at:%H:%M}")]
    if when.time is None:
        return [message("reminders.assumed_time", at=f"{at:%H:%M}")]
    is_hour = not {at.hour, at.hour % 12 or 12}.isdisjoint(numbers)
    is_written = is_hour and (at.minute == 0 or at.minute in numbers)
    return [] if is_written else [message("reminders.read_as", quote=quote, at=f"{at:%H:%M}")]
