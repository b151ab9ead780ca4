"""How fast the client speaks, whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import httpx
import pytest
from clickup_fake import FakeClickUp, FakeTime, refused

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.limiter import IN_FLIGHT, LAST_PAUSE_S, Limiter
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import NewTask
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.domain.errors import AgencyClawError, Throttled

Connect = Callable[..., ClickUpClient]


def busiest_minute(arrivals: list[float]) -> int:
    return max(sum(1 for at in arrivals if start <= at <= start + 60) for start in arrivals)


async def quietly(work: Coroutine[Any, Any, object]) -> None:
    with suppress(AgencyClawError):
        await work


@pytest.mark.parametrize("rate", [1, 7, 30])
async def test_no_minute_sees_more_requests_than_the_configured_rate(
    connect: Connect, board: FakeClickUp, rate: int
) -> None:
    client = connect(rate_per_minute=rate)
    reader, writer = ClickUpReader(client, "1"), ClickUpWriter(client)
    board.fails(httpx.Response(500), refused(429), httpx.ReadTimeout("late"), refused(429))
    reads = [quietly(reader.whoami()) for _ in range(rate * 2)]
    writes = [quietly(writer.create_task("901", NewTask(name=f"{n}"))) for n in range(rate)]
    await asyncio.gather(*reads, *writes)
    assert len(board.arrivals) > rate
    assert busiest_minute(board.arrivals) <= rate


async def test_at_most_six_requests_are_in_flight(connect: Connect, board: FakeClickUp) -> None:
    writer, gate = ClickUpWriter(connect()), asyncio.Event()
    in_flight: list[int] = [0]

    async def hold(request: httpx.Request) -> httpx.Response:
        in_flight.append(in_flight[-1] + 1)
        await gate.wait()
        in_flight.append(in_flight[-1] - 1)
        return refused(400)

    board.fails(*[hold] * 20)
    create = [quietly(writer.create_task("901", NewTask(name="A task"))) for _ in range(20)]
    work = asyncio.gather(*create)
    await board.has_received(IN_FLIGHT)
    gate.set()
    await work
    assert len(board.requests) == 20
    assert max(in_flight) == IN_FLIGHT


async def test_reads_leave_a_seat_for_a_write(connect: Connect, board: FakeClickUp) -> None:
    client, gate = connect(), asyncio.Event()
    reader, writer = ClickUpReader(client, "1"), ClickUpWriter(client)

    async def hold_reads(request: httpx.Request) -> None:
        if request.method == "GET":
            await gate.wait()

    board.fails(*[hold_reads] * IN_FLIGHT * 3)
    reads = asyncio.gather(*[quietly(reader.whoami()) for _ in range(IN_FLIGHT * 2)])
    await board.has_received(IN_FLIGHT - 1)
    async with asyncio.timeout(300):
        created = await writer.create_task("901", NewTask(name="Not in the queue"))
    assert created.name == "Not in the queue"
    gate.set()
    await reads


async def test_reads_leave_a_tenth_of_the_minute_to_writes(time: FakeTime) -> None:
    limiter = Limiter(20, clock=time.clock)
    for _ in range(18):
        async with limiter.slot(is_write=False, until=time.steady() + 10):
            pass
    with pytest.raises(Throttled):
        async with limiter.slot(is_write=False, until=time.steady() + 10):
            pass
    for _ in range(2):
        async with limiter.slot(is_write=True, until=time.steady() + 10):
            pass
    assert time.slept == []


async def test_pauses_every_request_of_the_token_until_the_reset(
    connect: Connect, board: FakeClickUp, time: FakeTime
) -> None:
    client = connect()
    reader, writer = ClickUpReader(client, "1"), ClickUpWriter(client)
    answer = refused(429, "APP_002")
    answer.headers["X-RateLimit-Reset"] = str(int(time.wall()) + 40)
    board.fails(answer)
    await asyncio.gather(reader.whoami(), writer.create_task("901", NewTask(name="Later")))
    first, *others = board.arrivals
    assert [at - first for at in others] == [40.5, 40.5]


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"X-RateLimit-Reset": "1795262412"}, 12.5),
        ({"X-RateLimit-Reset": "1795262412000"}, 12.5),
        ({"X-RateLimit-Reset": "1795262412", "Retry-After": "3"}, 12.5),
        ({"Retry-After": "3"}, 3.5),
        ({"X-RateLimit-Reset": "soon", "Retry-After": "3"}, 3.5),
        ({"X-RateLimit-Reset": "17"}, 5.0),
        ({}, 5.0),
        ({"Retry-After": "-1"}, 5.0),
        ({"X-RateLimit-Reset": "1795262400"}, 0.5),
    ],
)
async def test_a_pause_is_as_long_as_clickup_says(
    reader: ClickUpReader,
    board: FakeClickUp,
    time: FakeTime,
    headers: dict[str, str],
    pause: float,
) -> None:
    answer = refused(429)
    answer.headers.update(headers)
    board.fails(answer)
    await reader.whoami()
    assert time.slept == [pytest.approx(pause)]


async def test_pauses_that_clickup_does_not_measure_grow_to_a_minute(time: FakeTime) -> None:
    limiter = Limiter(90, clock=time.clock)
    pauses: list[float] = []
    for _ in range(6):
        pauses.append(await limiter.pause(None))
        time.passed += pauses[-1]
    assert pauses == [5, 10, 20, 40, 60, 60]
    limiter.reset_pauses()
    assert await limiter.pause(None) == 5


async def test_a_usable_answer_ends_the_growing_of_pauses(
    reader: ClickUpReader, board: FakeClickUp, time: FakeTime
) -> None:
    for _ in range(2):
        board.fails(refused(429))
        await reader.whoami()
    assert time.slept == [5, 5]


async def test_requests_refused_together_count_as_one_strike(time: FakeTime) -> None:
    limiter = Limiter(90, clock=time.clock)
    assert [await limiter.pause(None) for _ in range(6)] == [5] * 6
    limiter.reset_pauses()
    assert await limiter.pause(None) == 5


async def test_whoever_would_wait_past_the_deadline_is_told_at_once_how_long(
    reader: ClickUpReader, board: FakeClickUp, time: FakeTime
) -> None:
    answer = refused(429)
    answer.headers["Retry-After"] = "300"
    board.fails(answer)
    with pytest.raises(Throttled) as told:
        await reader.whoami()
    assert told.value.after == pytest.approx(301)
    assert time.slept == []
    assert len(board.requests) == 1


async def test_a_request_that_waits_for_a_seat_gives_up_at_its_deadline(time: FakeTime) -> None:
    limiter = Limiter(90, clock=time.clock, in_flight=1)
    async with limiter.slot(is_write=True, until=time.steady() + 10):
        with pytest.raises(Throttled):
            async with limiter.slot(is_write=True, until=time.steady() + 0.01):
                pass
    async with limiter.slot(is_write=False, until=time.steady() + 10):
        pass


async def test_pauses_stay_the_longest_however_often_a_token_is_refused(time: FakeTime) -> None:
    limiter = Limiter(90, clock=time.clock)
    for _ in range(1_100):
        pause = await limiter.pause(None)
        await time.clock.sleep(pause)
    assert pause == LAST_PAUSE_S
