"""Each method of Slack's at its own pace: what must be said waits, a courtesy is left out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from agencyclaw.domain.errors import Throttled
from agencyclaw.slack import limits
from agencyclaw.slack.limits import PER_MINUTE, Pace
from agencyclaw.slack.web import Method
from workbench.clock import MachineClock
from workbench.slack.rate import SlackRate


class Day(asyncio.SelectorEventLoop):
    """A loop whose clock jumps to whatever is waited for next."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0

    def time(self) -> float:
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            # A little more, as on a real clock: what is due must not be missed by a rounding.
            self.now = max(self.now, self._scheduled[0]._when) + 1e-6  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


@pytest.fixture
def day() -> Iterator[Day]:
    loop = Day()
    yield loop
    loop.close()


async def sent_over(seconds: float, pace: Pace, method: Method, channels: int = 1) -> list[float]:
    """Call as fast as it goes; returns when each call went out."""
    clock = asyncio.get_running_loop().time
    ends, at = clock() + seconds, list[float]()
    while clock() < ends and len(at) < 10_000:
        try:
            await pace.acquire(method, f"C{len(at) % channels}")
        except Throttled:
            continue
        at.append(clock())
    return at


def most_within(at: list[float], seconds: float) -> int:
    return max(sum(begin <= one < begin + seconds for one in at) for begin in at)


def test_every_method_has_a_limit() -> None:
    assert set(PER_MINUTE) == set(Method)


@pytest.mark.parametrize("method", Method)
def test_the_limit_of_a_method_is_one_that_slack_has(method: Method) -> None:
    slack = SlackRate(MachineClock())
    slack.switch(is_on=True)

    waits = [slack.refuse(method, f"C{call}") for call in range(PER_MINUTE[method])]
    assert set(waits) == {None}


@pytest.mark.parametrize("method", [Method.SET_SESSION, Method.START_STREAM, Method.USERS_INFO])
def test_no_minute_has_more_calls_of_a_method_than_slack_allows(day: Day, method: Method) -> None:
    at = day.run_until_complete(sent_over(300, Pace(), method))

    assert most_within(at, 60) <= PER_MINUTE[method]
    assert len(at) >= 4 * PER_MINUTE[method] * 0.8


def test_a_channel_gets_a_message_a_second_and_a_short_burst(day: Day) -> None:
    at = day.run_until_complete(sent_over(60, Pace(), Method.POST))

    assert most_within(at, 10) <= 15
    assert at[4] - at[0] < 0.1
    assert len(at) >= 60


def test_many_channels_share_what_a_workspace_may_be_told(day: Day) -> None:
    at = day.run_until_complete(sent_over(180, Pace(), Method.POST, channels=100))

    assert most_within(at, 60) <= PER_MINUTE[Method.POST]


def test_what_would_wait_long_is_said_to_come_later_and_nothing_is_sent(day: Day) -> None:
    async def wait() -> float:
        pace = Pace()
        pace.pause(Method.POST, 30)
        with pytest.raises(Throttled) as later:
            await pace.acquire(Method.POST, "C1")
        await pace.acquire(Method.UPDATE, "C1")
        return later.value.after

    assert day.run_until_complete(wait()) == pytest.approx(30)


def test_what_slack_holds_up_shortly_is_waited_for(day: Day) -> None:
    async def wait() -> float:
        pace, began = Pace(), day.time()
        pace.pause(Method.POST, 2)
        await pace.acquire(Method.POST, "C1")
        return day.time() - began

    assert day.run_until_complete(wait()) == pytest.approx(2)


def test_a_courtesy_leaves_room_for_what_must_be_sent(day: Day) -> None:
    async def count() -> int:
        pace, calls = Pace(), 0
        while pace.has_capacity(Method.UPDATE):
            await pace.acquire(Method.UPDATE)
            calls += 1
        began = day.time()
        await pace.acquire(Method.UPDATE)
        assert day.time() - began < 0.1
        return calls

    assert day.run_until_complete(count()) > 5


def test_room_is_waited_for_and_not_taken(day: Day) -> None:
    async def wait() -> None:
        pace = Pace()
        pace.pause(Method.SET_SESSION, 20)
        began = day.time()
        await pace.wait_for_capacity(Method.SET_SESSION)
        await pace.wait_for_capacity(Method.SET_SESSION)
        assert day.time() - began >= 20
        assert pace.has_capacity(Method.SET_SESSION)

    day.run_until_complete(wait())


def test_what_is_known_of_channels_does_not_grow_for_ever(day: Day) -> None:
    async def speak() -> int:
        pace = Pace()
        for at in range(limits._CHANNELS_KNOWN + 500):
            pace._of_channel(f"C{at}")
        return len(pace._channels)

    assert day.run_until_complete(speak()) == limits._CHANNELS_KNOWN
