"""Measures "my plate": one person's tasks of all clients, at ClickUp's limit of requests.

The reader is the product's, the ClickUp is the workbench's in the same process, over HTTP. It takes
a hundred requests a minute, which a look at all tasks must not use up.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.tasks import Window, WindowKind, build_window
from workbench.clickup.board import LIST, Board
from workbench.clickup.records import Task
from workbench.clickup.seed import TEAM_ID
from workbench.clock import MachineClock
from workbench.events import EVENTS
from workbench.fixture import Bench, running_workbench

LISTS, TASKS = 40, 1_000
ME = 100003
_PEOPLE = (100001, 100002, ME, 100004, 100005)
_SEEDED_LIST = "901005000021"
_DAY_MS = 86_400_000


async def measure() -> dict[str, dict[str, float]]:
    """Look once at one person's week, and once at all open tasks of everybody."""
    week = build_window(WindowKind.THIS_WEEK, datetime.now(UTC).date()).from_ever()
    async with running_workbench() as bench:
        list_ids = fill(bench)
        return {
            "my week, and what is late": await _timed(bench, list_ids, week, {ME}),
            "all my open tasks": await _timed(bench, list_ids, None, {ME}),
            "all open tasks of everybody": await _timed(bench, list_ids, None, set()),
        }


def fill(bench: Bench) -> list[str]:
    """Add the lists with their tasks, and return the lists' ids."""
    place = bench.storage.get(LIST, _SEEDED_LIST)
    assert place
    list_ids = [str(901_009_000_000 + number) for number in range(LISTS)]
    now_ms = int(time.time() * 1000)
    with bench.storage.transaction():
        for list_id in list_ids:
            bench.storage.put(LIST, list_id, {**place, "id": list_id})
        board = Board(bench.storage, MachineClock(), bench.app[EVENTS])
        for order in range(TASKS):
            number, task_id = board.next_number()
            task = Task(
                id=task_id,
                number=number,
                name=f"Rewrite the bullets of product {order}",
                list_id=list_ids[order % LISTS],
                status="to do",
                created=now_ms,
                updated=now_ms,
                creator=_PEOPLE[0],
                assignees=[_PEOPLE[order % len(_PEOPLE)]],
                due=now_ms + (order % 60 - 20) * _DAY_MS,
            )
            board.save_task(task, "task_created")
    return list_ids


async def _timed(
    bench: Bench, list_ids: list[str], window: Window | None, assignee_ids: set[int]
) -> dict[str, float]:
    client = ClickUpClient("pk_workbench", bench.clickup_api_url)
    reader = ClickUpReader(client, TEAM_ID)
    before = len(await bench.log(target="clickup"))
    began = time.perf_counter()
    read = await reader.tasks_together(list_ids, window, "due", assignee_ids, fresh=True)
    took_s = time.perf_counter() - began
    await client.aclose()
    requests = len(await bench.log(target="clickup")) - before
    return {"tasks": len(read.rows), "requests": requests, "seconds": round(took_s, 2)}
