"""A start that finds Slack out of breath: what is asked again, what is not, and what is said."""

from __future__ import annotations

import pytest

from agencyclaw.domain.errors import Misconfigured, Throttled, Unavailable, Unclear
from agencyclaw.slack.retrying import retry_until_answered


class Slack:
    """Refuses in these ways, one after another, and answers in the end."""

    def __init__(self, *refusals: Exception) -> None:
        self._refusals = list(refusals)
        self.asked = 0

    async def ask(self) -> str:
        self.asked += 1
        if self._refusals:
            raise self._refusals.pop(0)
        return "U01CLAW"


async def test_what_passes_is_asked_again() -> None:
    slack = Slack(Unclear("auth.test: 503"), Throttled("auth.test: wait", after=0.0))

    assert await retry_until_answered(slack.ask, (0.0, 0.0)) == "U01CLAW"
    assert slack.asked == 3


async def test_in_the_end_it_says_what_slack_said_and_what_to_do() -> None:
    slack = Slack(*[Unclear("auth.test: 503")] * 9)

    with pytest.raises(Unavailable) as raised:
        await retry_until_answered(slack.ask, (0.0, 0.0))

    said = "Slack does not answer (auth.test: 503), asked 3 times."
    assert str(raised.value).startswith(said)
    assert "slack-status.com" in str(raised.value)


@pytest.mark.parametrize("error", [Misconfigured("SLACK_BOT_TOKEN"), Unavailable("nobody")])
async def test_what_waiting_does_not_mend_is_said_at_once(error: Exception) -> None:
    slack = Slack(error)

    with pytest.raises(type(error)):
        await retry_until_answered(slack.ask, (0.0, 0.0))
    assert slack.asked == 1
