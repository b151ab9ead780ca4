"""Times on a person's own clock: what is due comes once, on both nights when clocks change too."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import WEEKDAYS
from agencyclaw.domain.schedule_changes import EndSchedule
from agencyclaw.domain.schedules import LEAST, Every, Schedule, Timing, Work
from agencyclaw.domain.watches import Check, Watch

ZONES = (
    *("Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"),
    *("America/Santiago", "UTC"),
)
TIMINGS = st.builds(
    Timing,
    day=st.dates(date(2026, 1, 1), date(2027, 12, 31)),
    at=st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    every=st.sampled_from(("day", "week", "month")),
    weekdays=st.lists(st.sampled_from(WEEKDAYS), unique=True, max_size=4).map(tuple),
    zone=st.sampled_from(ZONES),
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def timing(every: Every = "once", day: str = "2026-03-28", hour: str = "01:30") -> Timing:
    return Timing(
        day=date.fromisoformat(day),
        at=time.fromisoformat(hour),
        every=every,
        zone="Europe/Lisbon",
    )


def due(one: Timing, since: datetime, times: int) -> list[datetime]:
    found: list[datetime] = []
    for _ in range(times):
        following = one.next_after(found[-1] if found else since)
        assert following is not None
        found.append(following)
    return found


@given(TIMINGS)
@example(
    # Midnight comes twice where a clock goes back then; which of them is no part of a time of day.
    Timing(day=date(2026, 1, 1), at=time(0, fold=1), every="day", zone="Africa/Cairo")
)
def test_each_time_comes_after_the_one_before_and_none_is_left_out(one: Timing) -> None:
    """For two years, counted by days on the owner's clock, whatever the clock does meanwhile."""
    zone = ZoneInfo(one.zone)
    first = one.next_after(datetime.combine(one.day, time(0), zone) - timedelta(hours=3))
    assert first is not None
    found, end = [first], first + timedelta(days=730)
    while found[-1] < end:
        following = one.next_after(found[-1])
        assert following is not None
        assert following > found[-1]
        found.append(following)

    days = [moment.astimezone(zone).date() for moment in found]
    assert len(days) == len(set(days))
    assert days[0] >= one.day
    match one.every:
        case "day":
            assert {b - a for a, b in pairwise(days)} == {timedelta(days=1)}
        case "week":
            wanted = one.weekdays or (WEEKDAYS[one.day.weekday()],)
            every = {days[0] + timedelta(days=ahead) for ahead in range((days[-1] - days[0]).days)}
            assert {day for day in every if WEEKDAYS[day.weekday()] in wanted} == set(days[:-1])
        case _:
            months = [(day.year, day.month) for day in days]
            assert len(months) == len(set(months))
            assert len(months) == (days[-1].year - days[0].year) * 12 + (
                days[-1].month - days[0].month + 1
            )


@given(TIMINGS, st.integers(0, 60))
def test_what_was_missed_is_as_many_as_came_due(one: Timing, days: int) -> None:
    planned = one.next_after(datetime(2026, 1, 1, tzinfo=UTC))
    assert planned is not None
    now, count = planned + timedelta(days=days), 0
    following = one.next_after(planned)
    while following is not None and following <= now:
        count, following = count + 1, one.next_after(following)

    assert one.missed(planned, now) == count


def test_an_hour_that_the_clock_skips_is_that_much_later() -> None:
    """On 29 March 2026 Lisbon goes from one o'clock to two."""
    assert due(timing("day"), at("2026-03-28T00:00:00"), 3) == [
        at("2026-03-28T01:30:00"),
        at("2026-03-29T01:30:00"),
        at("2026-03-30T00:30:00"),
    ]
    [there] = due(timing("day"), at("2026-03-29T00:00:00"), 1)
    assert there.astimezone(ZoneInfo("Europe/Lisbon")).time() == time(2, 30)


def test_an_hour_that_comes_twice_counts_once() -> None:
    """On 25 October 2026 Lisbon has one o'clock twice."""
    assert due(timing("day"), at("2026-10-24T12:00:00"), 2) == [
        at("2026-10-25T00:30:00"),
        at("2026-10-26T01:30:00"),
    ]


def test_a_month_without_the_day_has_it_on_its_last() -> None:
    moments = due(timing("month", "2027-01-31", "09:00"), at("2027-01-01T00:00:00"), 3)

    assert [str(one.date()) for one in moments] == ["2027-01-31", "2027-02-28", "2027-03-31"]


def test_what_is_due_once_is_never_due_again() -> None:
    once = timing()
    planned = once.next_after(at("2026-03-01T00:00:00"))

    assert planned == at("2026-03-28T01:30:00")
    assert once.next_after(planned) is None
    assert once.missed(planned, at("2026-04-28T01:30:00")) == 0


@pytest.mark.parametrize(
    ("every", "spoken"),
    [
        ("once", snapshot("Sat 28 Mar 2026 at 01:30 (Lisbon)")),
        ("day", snapshot("every day at 01:30 (Lisbon)")),
        ("week", snapshot("every Saturday at 01:30 (Lisbon)")),
        ("month", snapshot("every month on day 28 at 01:30 (Lisbon)")),
    ],
)
def test_it_reads_as_people_say_it(every: Every, spoken: str) -> None:
    assert str(timing(every)) == spoken


def test_minutes_are_counted_whatever_the_clock_does() -> None:
    """At ten to two, twenty minutes before Lisbon has its second one o'clock."""
    exact = at("2026-10-25T01:10:00")
    soon = timing(day="2026-10-25", hour="01:10").model_copy(update={"moment": exact})

    assert soon.next_after(at("2026-10-25T00:50:00")) == exact
    assert soon.next_after(exact) is None


@pytest.mark.parametrize(
    ("one", "other", "is_near"),
    [
        (timing("day", hour="09:00"), timing("day", hour="09:10"), True),
        (timing("day", hour="09:00"), timing("day", hour="10:00"), False),
        (timing("day", hour="00:30"), timing("week", hour="23:50"), True),
        (timing("week", hour="09:00"), timing("week", day="2026-03-29", hour="09:30"), False),
        (timing("month", hour="09:00"), timing("week", hour="09:30"), True),
        (timing(hour="09:00"), timing(hour="09:30"), True),
    ],
)
def test_an_hour_is_the_least_between_two_of_one_question(
    one: Timing, other: Timing, is_near: bool
) -> None:
    since = at("2026-03-27 12:00")
    assert one.is_near(other, since) is is_near
    assert other.is_near(one, since) is is_near


@given(TIMINGS)
def test_no_timing_comes_twice_within_an_hour(one: Timing) -> None:
    moments = due(one, at("2026-01-01 00:00"), 60)
    assert all(later - earlier >= LEAST for earlier, later in pairwise(moments))


def test_several_weekdays_are_listed_in_their_order() -> None:
    several = timing("week").model_copy(update={"weekdays": ("friday", "monday", "tuesday")})

    assert str(several) == "every Monday, Tuesday and Friday at 01:30 (Lisbon)"


def test_monday_to_friday_are_every_weekday() -> None:
    several = timing("week").model_copy(update={"weekdays": WEEKDAYS[:5]})

    assert str(several) == "every weekday at 01:30 (Lisbon)"


@pytest.mark.parametrize(
    ("work", "every", "is_paused", "said"),
    [
        (
            Work.ASK,
            "week",
            True,
            snapshot(
                "“Late tasks” is paused. Once resumed, it comes every Saturday at 01:30 (Lisbon)."
            ),
        ),
        (Work.WATCH, "day", False, snapshot("“Late tasks” comes every day at 01:30 (Lisbon).")),
    ],
)
def test_what_an_undo_restores_is_said_to_come_as_it_came(
    work: Work, every: Every, is_paused: bool, said: str
) -> None:
    watch = Watch(check=Check.LATE) if work is Work.WATCH else None
    ended = Schedule(
        words="Late tasks", timing=timing(every), work=work, watch=watch, is_paused=is_paused
    )
    person = Named(id=UUID(int=1), name="Ines")
    undo = EndSchedule(person=person, schedule=ended, schedule_id=UUID(int=2)).reverse()

    assert undo.receipt() == said


@pytest.mark.parametrize("work", Work)
def test_a_paused_schedule_is_listed_as_paused_whatever_it_is(work: Work) -> None:
    paused = Schedule(words="call Hana", timing=timing("day"), work=work, is_paused=True)

    assert paused.kept_as == f"{work.noun.capitalize()}, paused (every day at 01:30 (Lisbon))"
