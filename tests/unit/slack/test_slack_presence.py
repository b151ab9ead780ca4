"""The line that says what we do is a courtesy: it is shown where there is room, or never."""

from __future__ import annotations

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
