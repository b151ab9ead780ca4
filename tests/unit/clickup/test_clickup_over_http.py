"""The client against the workbench's ClickUp, over real HTTP, with everything that can go wrong."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
import pytest_asyncio
from aiohttp import web
from clickup_fake import FakeTime

from agencyclaw.clickup import lists
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import NewTask
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.domain.errors import Misconfigured, NotFound, Throttled, Unavailable, Unclear
from agencyclaw.domain.tasks import WindowKind, build_window
from workbench.clickup.api import RATE, add_clickup_routes
from workbench.clickup.board import Board
from workbench.clickup.records import Task
from workbench.clickup.seed import TEAM_ID, seed_clickup
from workbench.clock import MovableClock
from workbench.events import EVENTS, Broadcaster
from workbench.faults import Fault, Faults
from workbench.storage import Storage

EMPTY_LIST = "901005000091"
SOON_S = 0.7
MARKER = "agencyclaw run=0f3a9c2b1d4e key=5a1c77d0b2e94f6a"
TASK = NewTask(name="Create a coupon", markdown_content=f"Brief\n\n{MARKER}")
# Nothing here speaks TLS, and loading the machine's certificates for each client takes time.
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass
class Workbench:
    faults: Faults
    storage: Storage
    clock: MovableClock
    time: FakeTime
    origin: str
    client: ClickUpClient

    def expect(self, kind: str) -> None:
        """Only who must see a hang is in a hurry."""
        if kind == "hang_after":
            self.client = connect(self.origin, self.time, timeout_s=SOON_S)

    @property
    def reader(self) -> ClickUpReader:
        return ClickUpReader(self.client, TEAM_ID)

    @property
    def writer(self) -> ClickUpWriter:
        return ClickUpWriter(self.client)

    def plan(self, kind: Any, method: str, times: int = 1, delay_s: float | None = None) -> None:
        self.faults.add(Fault("clickup", kind, method=method, times=times, delay_s=delay_s))

    def kept(self) -> int:
        """How many tasks there are in truth, lag and filters aside."""
        return len(self.storage.all(f"clickup_task:{EMPTY_LIST}"))

    def served(self, operation: str) -> int:
        return sum(entry.get("operation") == operation for entry in self.storage.log())


def connect(
    origin: str, time: FakeTime, *, token: str = "pk_workbench", timeout_s: float = 60
) -> ClickUpClient:
    return ClickUpClient(
        token,
        f"{origin}/clickup/api/v2",
        rate_per_minute=10_000,
        transport=httpx.AsyncHTTPTransport(verify=PLAIN),
        timeout_s=timeout_s,
        clock=time.clock,
    )


@pytest_asyncio.fixture
async def bench() -> AsyncGenerator[Workbench]:
    storage, faults, clock = Storage(":memory:"), Faults(), MovableClock()
    seed_clickup(storage, clock)
    app = web.Application()
    app[EVENTS] = Broadcaster()
    add_clickup_routes(app, storage, faults, clock)
    app[RATE].limit = 10_000
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    time = FakeTime(wall=clock.now())
    client = connect(origin, time)
    bench = Workbench(faults, storage, clock, time, origin, client)
    yield bench
    await client.aclose()
    await bench.client.aclose()
    await runner.cleanup()
    storage.close()


CREATES: list[tuple[str, int, type[Exception] | None, int, int]] = [
    # what goes wrong, how often; the error, the tasks that exist, the requests that arrived
    ("rate_limited", 1, None, 1, 2),
    ("rate_limited", 2, None, 1, 3),
    ("rate_limited", 5, Throttled, 0, 3),
    ("error_before", 1, Unclear, 0, 1),
    ("error_after", 1, Unclear, 1, 1),
    ("reset_before", 1, Unclear, 0, 1),
    ("reset_after", 1, Unclear, 1, 1),
    ("hang_after", 1, Unclear, 1, 1),
    ("html", 1, Unclear, 0, 1),
    ("unauthorized", 1, Misconfigured, 0, 1),
    ("list_lag", 1, None, 1, 1),
]


@pytest.mark.parametrize(("kind", "times", "error", "tasks", "requests"), CREATES)
async def test_a_create_never_makes_two_tasks(
    bench: Workbench,
    kind: str,
    times: int,
    error: type[Exception] | None,
    tasks: int,
    requests: int,
) -> None:
    bench.expect(kind)
    bench.plan(kind, "create_task", times)
    if error is None:
        assert (await bench.writer.create_task(EMPTY_LIST, TASK)).name == TASK.name
    else:
        with pytest.raises(error) as told:
            await bench.writer.create_task(EMPTY_LIST, TASK)
        assert type(told.value) is error
    assert (bench.kept(), bench.served("create_task")) == (tasks, requests)
    if error is Unclear:
        since = datetime.now(UTC)
        assert len(await bench.reader.find_by_marker(EMPTY_LIST, MARKER, since)) == tasks


READS: list[tuple[str, type[Exception]]] = [
    ("rate_limited", Throttled),
    ("error_before", Unavailable),
    ("error_after", Unavailable),
    ("reset_before", Unavailable),
    ("reset_after", Unavailable),
    ("html", Unavailable),
]


@pytest.mark.parametrize(("kind", "times"), [("hang_after", 1), *((kind, 2) for kind, _ in READS)])
async def test_a_list_is_read_after_one_or_two_failures(
    bench: Workbench, kind: str, times: int
) -> None:
    await bench.writer.create_task(EMPTY_LIST, TASK)
    bench.expect(kind)
    bench.plan(kind, "list_tasks", times)
    [row] = (await bench.reader.tasks(EMPTY_LIST, None, "due", fresh=True)).rows
    assert row.name == TASK.name
    assert (bench.kept(), bench.served("list_tasks")) == (1, times + 1)


CASA_MUNDO, GLINTLY, OKAFOR = "901005000031", "901005000021", 100004


async def test_several_lists_are_read_together_as_each_alone(bench: Workbench) -> None:
    """Casa Mundo has 250 tasks, so three pages are needed for all."""
    both = [CASA_MUNDO, GLINTLY]
    each = [
        row for one in both for row in (await bench.reader.tasks(one, None, "due", fresh=True)).rows
    ]
    together = await bench.reader.tasks_together(both, None, "due", (), fresh=True)
    okafors = await bench.reader.tasks_together(both, None, "due", {OKAFOR}, fresh=True)

    assert {row.id: row for row in together.rows} == {row.id: row for row in each}
    assert {row.id for row in okafors.rows} == {
        row.id for row in each if OKAFOR in row.assignee_ids
    }
    assert (together.is_cut, bench.served("list_team_tasks")) == (False, 3 + 1)


async def test_a_look_at_many_lists_stops_at_its_limit_and_says_so(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "MOST_PAGES_TOGETHER", 2)
    read = await bench.reader.tasks_together([GLINTLY, CASA_MUNDO], None, "due", (), fresh=True)

    assert (len(read.rows), read.is_cut) == (200, True)
    dated = [row.due for row in read.rows if row.due]
    assert len(dated) == 200, "those with a date come first"


@pytest.mark.parametrize(("kind", "error"), READS)
async def test_a_list_that_keeps_failing_is_given_up(
    bench: Workbench, kind: str, error: type[Exception]
) -> None:
    bench.plan(kind, "list_tasks", times=9)
    with pytest.raises(error) as told:
        await bench.reader.tasks(EMPTY_LIST, None, "due", fresh=True)
    assert type(told.value) is error
    assert bench.served("list_tasks") == 3


async def test_a_dead_token_is_not_tried_again(bench: Workbench) -> None:
    bench.plan("unauthorized", "list_tasks", times=9)
    with pytest.raises(Misconfigured):
        await bench.reader.tasks(EMPTY_LIST, None, "due", fresh=True)
    assert bench.served("list_tasks") == 1


async def test_a_token_of_somebody_else_is_told(bench: Workbench) -> None:
    client = connect(bench.origin, bench.time, token="1_of_somebody_else")
    with pytest.raises(Misconfigured, match="OAUTH_025"):
        await ClickUpWriter(client).create_task(EMPTY_LIST, TASK)
    await client.aclose()
    assert (bench.kept(), bench.served("create_task")) == (0, 1)


async def test_a_wrong_address_is_told(bench: Workbench) -> None:
    client = connect(bench.origin + "/clickup/api/v2/old", bench.time)
    with pytest.raises(Misconfigured, match="CLICKUP_API_URL"):
        await ClickUpReader(client, TEAM_ID).whoami()
    await client.aclose()


async def test_nobody_at_home_is_tried_three_times_and_nothing_is_sent() -> None:
    time = FakeTime()
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        client = connect(f"http://127.0.0.1:{closed.getsockname()[1]}", time)
        with pytest.raises(Unavailable) as told:
            await ClickUpWriter(client).create_task(EMPTY_LIST, TASK)
        await client.aclose()
    assert type(told.value) is Unavailable
    assert time.slept == [1.0, 2.0]


def create_by_hand(number: int, now: int) -> Task:
    home = {"list_id": EMPTY_LIST, "status": "to do", "creator": 100099}
    return Task(
        id=f"86b{number}", number=number, name=f"{number}", created=now, updated=now, **home
    )


async def test_a_list_of_250_tasks_is_read_whole(bench: Workbench) -> None:
    board = Board(bench.storage, bench.clock, Broadcaster())
    with bench.storage.transaction():
        for number in range(250):
            task = create_by_hand(number, board.now_ms())
            board.save_task(task, "task_created")
    found = (await bench.reader.tasks(EMPTY_LIST, None, "due", fresh=True)).rows
    assert len({row.id for row in found}) == len(found) == 250
    assert bench.served("list_tasks") == 3


async def test_a_spent_minute_is_waited_out(bench: Workbench) -> None:
    bench.plan("rate_limited", "create_task", delay_s=30)
    await asyncio.gather(*[bench.writer.create_task(EMPTY_LIST, TASK) for _ in range(3)])
    assert bench.kept() == 3
    assert 30 <= bench.time.passed <= 32


async def test_a_look_during_the_lag_finds_nothing_and_a_later_one_does(bench: Workbench) -> None:
    bench.plan("list_lag", "create_task", delay_s=10)
    created = await bench.writer.create_task(EMPTY_LIST, TASK)
    since = datetime.now(UTC)
    assert await bench.reader.find_by_marker(EMPTY_LIST, MARKER, since) == []
    assert (await bench.reader.task_state(created.id)).facts.title == created.name
    bench.clock.advance(11)
    [found] = await bench.reader.find_by_marker(EMPTY_LIST, MARKER, since)
    assert (found.id, found.url) == (created.id, created.url)


async def test_a_closed_task_is_found_by_its_marker(bench: Workbench) -> None:
    created = await bench.writer.create_task(EMPTY_LIST, TASK)
    body = bench.storage.get(f"clickup_task:{EMPTY_LIST}", created.id)
    assert body is not None
    bench.storage.put(
        f"clickup_task:{EMPTY_LIST}", created.id, {**body, "status": "complete", "archived": True}
    )
    assert (await bench.reader.tasks(EMPTY_LIST, None, "due", fresh=True)).rows == ()
    assert len(await bench.reader.find_by_marker(EMPTY_LIST, MARKER, datetime.now(UTC))) == 1


async def test_a_due_day_and_assignees_come_back_as_they_were_sent(bench: Workbench) -> None:
    zone = await bench.reader.zone()
    today = datetime.now(zone).date()
    task = TASK.model_copy(
        update={"due_date": today, "timezone": str(zone), "assignees": (100004, 424242)}
    )
    created = await bench.writer.create_task(EMPTY_LIST, task)
    assert created.assignees_missing == (424242,)
    window = build_window(WindowKind.DATES, today, first=today, last=today)
    [row] = (await bench.reader.tasks(EMPTY_LIST, window, "due", fresh=True)).rows
    assert (row.due, row.assignees) == (today, ("Sara Okafor",))
    before = today - timedelta(days=1)
    window = build_window(WindowKind.DATES, today, first=before, last=before)
    assert (await bench.reader.tasks(EMPTY_LIST, window, "due", fresh=True)).rows == ()


async def test_a_requester_far_away_gets_the_day_they_said(bench: Workbench) -> None:
    for name in ("America/Los_Angeles", "America/New_York", "Asia/Tokyo", "Australia/Sydney"):
        task = TASK.model_copy(update={"due_date": date(2026, 12, 31), "timezone": name})
        created = await bench.writer.create_task(EMPTY_LIST, task)
        state = await bench.reader.task_state(created.id)
        assert state.facts.due == date(2026, 12, 31), name


async def test_the_agency_is_read_as_it_is(bench: Workbench) -> None:
    reader = bench.reader
    assert await reader.zone() == ZoneInfo("Europe/Lisbon")
    assert (await reader.whoami()).name == "AgencyClaw"
    assert {who.email for who in await reader.members() if who.name is None} == {
        "marta.ruiz@lanternfish.example"
    }
    spaces = {space.name: space.id for space in await reader.spaces()}
    inboxes = {name: await reader.inbox_of(space_id) for name, space_id in spaces.items()}
    assert {name: place.name if place else None for name, place in inboxes.items()} == {
        "Brightkettle Group": "Brightkettle Backlog",
        "Glintly": "Glintly Backlog",
        "Casa Mundo [Glintly]": "Inbox",
        "Hearthlane": "Inbox",
        "Hearthlane Kids": "Hearthlane Kids",
        "Pawtrail": None,
        "Roderick": "Rodric",
        "Reporting Requests": "Reporting Requests",
        "New Space 7": "New Space 7",
        "Oldfern Archive": None,
    }
    with pytest.raises(NotFound, match="no such list"):
        await reader.list_ref("901005999999")
    place = await reader.list_ref("901005000042")
    assert (place.name, place.space_name) == ("Inbox", "Hearthlane")
