"""The line that says what we do is a courtesy: it is shown where there is room, or never."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from fakes.slack_store import TEAM, FakeSessions, a_place

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

    def has_capacity(self, method: str) -> bool:
        return self.room > 0

    async def wait_for_capacity(self, method: str) -> None:
        while not self.room:
            # Whoever does not wait sees the room first.
            for _ in range(5):
                await asyncio.sleep(0)


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
        self.doors.room -= 1
        self.seen.append((arguments["thread_ts"], arguments["status"]))
        return {}

    async def give(self, room: int) -> Sequence[tuple[str, str]]:
        """Make room, and return what was shown once nothing moves any more."""
        self.doors.room = room
        for _ in range(50):
            await asyncio.sleep(0)
        return self.seen


HEARD, READS = "is thinking…", "is reading the tasks…"


async def crowd(*, fresh_s: float = 600) -> tuple[Crowd, SlackStatusIndicator]:
    slack = Crowd()
    status = SlackStatusIndicator(cast(Web, slack), slack.sessions, fresh_s=fresh_s, timeout_s=0.1)
    await status.open(TEAM)
    return slack, status


async def test_the_first_sign_of_a_message_waits_for_room_and_goes_before_later_lines() -> None:
    slack, status = await crowd()
    for ts in ("1.0", "2.0", "3.0"):
        status.acknowledge(a_place(thread_ts=ts), HEARD)

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
        status.acknowledge(a_place(thread_ts=ts), HEARD)
    await slack.give(0)
    status.say(a_place(thread_ts="1.0"), "")

    assert await slack.give(5) == [("2.0", HEARD)]
    await status.close()


async def test_what_another_process_answered_meanwhile_shows_no_sign() -> None:
    slack, status = await crowd(fresh_s=0)
    for ts in ("1.0", "2.0"):
        status.acknowledge(a_place(thread_ts=ts), HEARD)
    slack.sessions.answered.add(a_place(thread_ts="1.0"))

    assert await slack.give(5) == [("2.0", HEARD)]
    await status.close()
