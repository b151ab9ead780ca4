"""The line that says what we do is a courtesy: it is shown where there is room, or never."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from fakes.slack_store import TEAM, FakeSessions, a_place

from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    NotGranted,
    Refused,
    Unavailable,
    Unclear,
)
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import SessionState, SessionUpdate
from agencyclaw.slack import status
from agencyclaw.slack.limits import Pace
from agencyclaw.slack.status import SlackStatusIndicator
from agencyclaw.slack.web import Method, Web


@dataclass
class Statuses:
    """A Slack that notes every call, whether or not its method has room."""

    pace: Pace = field(default_factory=Pace)
    calls: list[tuple[Method, str]] = field(default_factory=list[tuple[Method, str]])

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        self.calls.append((method, arguments["status"]))
        return {}


@pytest.mark.parametrize("held_s", [0, 600])
async def test_a_line_without_room_is_left_out_and_does_not_come_later(held_s: int) -> None:
    slack = Statuses()
    presence = SlackStatusIndicator(cast(Web, slack), FakeSessions())
    await presence.open(TEAM)
    slack.pace.pause(Method.SET_STATUS, held_s)

    presence.say(a_place(), "is reading the tasks…")
    await presence.close()

    shown = [] if held_s else [(Method.SET_STATUS, "is reading the tasks…")]
    assert slack.calls == shown


@dataclass
class Doors(Pace):
    """A Slack with room for as many calls as a test gives."""

    room: int = 0
    crowding: int = 0
    most_crowding: int = 0

    def has_capacity(self, method: str) -> bool:
        return self.room > 0

    async def wait_for_capacity(self, method: str) -> None:
        while not self.room:
            # Whoever does not wait sees the room first.
            for _ in range(5):
                await asyncio.sleep(0)

    async def acquire(self, method: str, channel: str = "") -> None:
        self.crowding += 1
        self.most_crowding = max(self.most_crowding, self.crowding)
        await asyncio.sleep(0)
        await self.wait_for_capacity(method)
        self.crowding, self.room = self.crowding - 1, self.room - 1


@dataclass
class SlowRows(FakeSessions):
    """Rows that take a while to answer, and note what they were asked."""

    asked: list[str] = field(default_factory=list[str])
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def is_awaited(self, place: Place) -> bool:
        self.asked.append(place.thread_ts)
        await self.gate.wait()
        return await super().is_awaited(place)


@dataclass
class Crowd:
    """Threads of a rush, and which of them showed a line."""

    doors: Doors = field(default_factory=Doors)
    seen: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    sessions: FakeSessions = field(default_factory=FakeSessions)

    @property
    def pace(self) -> Pace:
        return self.doors

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        await self.doors.acquire(method)
        return await self.call_in_turn(method, **arguments)

    async def call_in_turn(self, _: Method, **arguments: Any) -> dict[str, Any]:
        self.seen.append((arguments["thread_ts"], arguments["status"]))
        return {}

    async def give(self, room: int) -> Sequence[tuple[str, str]]:
        """Make room, and return what was shown once nothing moves any more."""
        self.doors.room = room
        for _ in range(50):
            await asyncio.sleep(0)
        return self.seen


HEARD, READS = "is thinking…", "is reading the tasks…"


async def crowd(
    *, fresh_s: float = 600, sessions: FakeSessions | None = None
) -> tuple[Crowd, SlackStatusIndicator]:
    slack = Crowd(sessions=sessions or FakeSessions())
    status = SlackStatusIndicator(cast(Web, slack), slack.sessions, fresh_s=fresh_s, timeout_s=0.1)
    await status.open(TEAM)
    return slack, status


async def test_the_first_sign_of_a_message_waits_for_room_and_goes_before_later_lines() -> None:
    slack, status = await crowd()
    for ts in ("1.0", "2.0", "3.0"):
        status.acknowledge(a_place(thread_ts=ts), HEARD, receipt_id=1)

    assert await slack.give(1) == [("1.0", HEARD)]
    status.say(a_place(thread_ts="1.0"), READS)
    assert await slack.give(1) == [("1.0", HEARD), ("2.0", HEARD)]
    status.say(a_place(thread_ts="3.0"), READS)
    assert await slack.give(5) == [("1.0", HEARD), ("2.0", HEARD), ("3.0", READS)]
    status.say(a_place(thread_ts="1.0"), READS)
    assert (await slack.give(5))[3:] == [("1.0", READS)]
    await status.close()


async def test_what_was_handled_while_it_waited_shows_no_sign() -> None:
    slack, status = await crowd()
    for ts in ("1.0", "2.0"):
        status.acknowledge(a_place(thread_ts=ts), HEARD, receipt_id=1)
    await slack.give(0)
    status.say(a_place(thread_ts="1.0"), "")

    assert await slack.give(5) == [("2.0", HEARD)]
    await status.close()


async def test_a_sign_that_was_shown_is_repeated_only_for_another_message() -> None:
    slack, status = await crowd()
    status.acknowledge(a_place(), HEARD, receipt_id=1)
    await slack.give(5)
    status.begin(a_place(), receipt_id=1)
    status.say(a_place(), HEARD)
    assert len(await slack.give(5)) == 1

    # Another process handled the second message, and the third one waited in its lane.
    status.acknowledge(a_place(), HEARD, receipt_id=2)
    assert len(await slack.give(5)) == 2
    status.begin(a_place(), receipt_id=3)
    status.say(a_place(), HEARD)
    assert len(await slack.give(5)) == 3
    await status.close()


async def test_what_another_process_answered_meanwhile_shows_no_sign() -> None:
    slack, status = await crowd(fresh_s=0)
    for ts in ("1.0", "2.0"):
        status.acknowledge(a_place(thread_ts=ts), HEARD, receipt_id=1)
    slack.sessions.answered.add(a_place(thread_ts="1.0"))

    assert await slack.give(5) == [("2.0", HEARD)]
    await status.close()


async def test_room_for_one_lets_one_through_however_long_the_rows_take() -> None:
    rows = SlowRows()
    slack, status = await crowd(fresh_s=0, sessions=rows)
    for ts in ("1.0", "2.0", "3.0"):
        status.acknowledge(a_place(thread_ts=ts), HEARD, receipt_id=1)

    assert await slack.give(1) == []
    assert rows.asked == ["1.0"]
    rows.gate.set()
    for shown in (1, 2, 3):
        assert len(await slack.give(1)) == shown
    assert slack.doors.most_crowding == 1
    await status.close()


async def test_room_is_taken_before_the_next_in_line_may_look_for_some() -> None:
    slack, status = await crowd()
    for ts in ("1.0", "2.0", "3.0"):
        status.acknowledge(a_place(thread_ts=ts), HEARD, receipt_id=1)

    for shown in (1, 2, 3):
        assert len(await slack.give(1)) == shown
    assert slack.doors.most_crowding == 1
    await status.close()


async def test_a_message_that_comes_while_the_rows_are_asked_keeps_no_later_line_back() -> None:
    rows = SlowRows()
    slack, status = await crowd(fresh_s=0, sessions=rows)
    status.acknowledge(a_place(thread_ts="1.0"), HEARD, receipt_id=1)
    await slack.give(2)
    status.acknowledge(a_place(thread_ts="1.0"), HEARD, receipt_id=1)
    rows.gate.set()
    await slack.give(2)

    status.say(a_place(thread_ts="2.0"), READS)
    assert ("2.0", READS) in await slack.give(2)
    await status.close()


@dataclass
class ShakyRows(FakeSessions):
    """Threads to be shown as busy, in a database that fails the first time."""

    failures: int = 1
    waiting: list[SessionUpdate] = field(default_factory=list[SessionUpdate])
    is_shown: asyncio.Event = field(default_factory=asyncio.Event)

    async def mark(self, places: Sequence[Place]) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("the database is away")
        self.waiting += [
            SessionUpdate(
                place, SessionState.PROCESSING, None, datetime.now(UTC), 0, "Glintly's banner"
            )
            for place in places
        ]

    async def next(self, team_id: str, busy_s: float) -> SessionUpdate | None:
        return self.waiting[0] if self.waiting else None

    async def shown(self, showing: SessionUpdate, *, as_it_is: bool = True) -> None:
        self.waiting.remove(showing)
        self.is_shown.set()

    async def not_shown(self, showing: SessionUpdate, after_s: float, *, is_certain: bool) -> None:
        pass


@dataclass
class ShakySlack(Statuses):
    """A Slack that does not answer the first time, and notes the titles it is sent."""

    failures: int = 1
    titles: list[str] = field(default_factory=list[str])

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        self.titles.append(arguments["title"])
        if self.failures:
            self.failures -= 1
            raise Unavailable("Slack can't be reached.")
        return {}


async def test_a_thread_keeps_its_start_and_title_until_slack_shows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(status, "_LOOK_S", 0.01)
    slack, rows = ShakySlack(), ShakyRows()
    indicator = SlackStatusIndicator(cast(Web, slack), rows)
    await indicator.open(TEAM)

    indicator.begin(a_place(), receipt_id=1)
    async with asyncio.timeout(20):
        await rows.is_shown.wait()
    await indicator.close()

    assert slack.titles == ["Glintly's banner", "Glintly's banner"]


@dataclass
class FailingSlack(Statuses):
    """A Slack that always fails in one way."""

    error: AgencyClawError = field(default_factory=Unavailable)
    calls: int = 0

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        self.calls += 1
        raise self.error


@dataclass
class PatientRows(ShakyRows):
    """One thread to be shown, whose pauses pass at once."""

    failures: int = 0
    pauses: list[float] = field(default_factory=list[float])

    async def not_shown(self, showing: SessionUpdate, after_s: float, *, is_certain: bool) -> None:
        self.pauses.append(after_s)
        self.waiting = [showing._replace(waited_s=showing.waited_s + after_s)]


async def shown_with(error: AgencyClawError) -> tuple[int, list[float]]:
    """Return how often a thread was tried, and how long was waited between, until it was over."""
    slack, rows = FailingSlack(error=error), PatientRows()
    indicator = SlackStatusIndicator(cast(Web, slack), rows)
    await indicator.open(TEAM)
    indicator.begin(a_place(), receipt_id=1)
    async with asyncio.timeout(20):
        await rows.is_shown.wait()
    await indicator.close()
    return slack.calls, rows.pauses


@pytest.mark.parametrize(
    "error",
    [
        Misconfigured("SLACK_BOT_TOKEN is refused by Slack: token_revoked."),
        NotGranted("The Slack app lacks chat:write."),
        Refused("Slack refuses it.", reason="channel_not_found"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_no_waiting_mends_is_tried_once(error: AgencyClawError) -> None:
    assert await shown_with(error) == (1, [])


@pytest.mark.parametrize("error", [Unavailable("Slack is away."), Unclear("internal_error")])
async def test_what_may_pass_is_tried_again_after_longer_and_longer_pauses(
    error: AgencyClawError,
) -> None:
    calls, pauses = await shown_with(error)
    first, *_, last = pauses
    assert (first, last) == (10.0 if isinstance(error, Unclear) else 5.0, 60.0)
    assert pauses == sorted(pauses)
    assert calls <= 15, "ten minutes take few attempts"
