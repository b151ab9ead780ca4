"""A ClickUp in memory that fails when told to, and time that stands still until somebody waits."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from agencyclaw.clickup.limiter import Clock

BASE = "https://clickup.test/api/v2"
TEAM = "90010001"
BOT = {"id": 700001, "username": "AgencyClaw", "email": "bot@lanternfish.example"}
Answer = httpx.Response | Exception | Callable[[httpx.Request], Awaitable[httpx.Response | None]]


class FakeTime:
    """Seconds that pass only while somebody sleeps."""

    def __init__(self, wall: float = 1_795_262_400.0) -> None:
        self.passed = 0.0
        self.slept: list[float] = []
        self._wall = wall

    def wall(self) -> float:
        return self._wall + self.passed

    def steady(self) -> float:
        return 1_000.0 + self.passed

    async def sleep(self, seconds: float) -> None:
        until = self.passed + seconds
        self.slept.append(seconds)
        await asyncio.sleep(0)
        self.passed = max(self.passed, until)

    @property
    def clock(self) -> Clock:
        return Clock(wall=self.wall, steady=self.steady, sleep=self.sleep)


class FakeClickUp:
    """Keeps tasks in a dict and answers as ClickUp does; `fails` says what goes wrong next."""

    def __init__(self, time: FakeTime) -> None:
        self.time = time
        self.tasks: dict[str, dict[str, Any]] = {}
        self.places: dict[str, Any] = {}
        self.requests: list[httpx.Request] = []
        self.arrivals: list[float] = []
        self.page_size = 100
        self.tells_last_page = True
        self._planned: deque[tuple[str, Answer]] = deque()
        self._arrival = asyncio.Event()

    def fails(self, *answers: Answer, after_commit: bool = False) -> None:
        """Let the next requests end so, each in turn."""
        self._planned.extend(("after" if after_commit else "before", one) for one in answers)

    def add(self, list_id: str = "901", **fields: Any) -> dict[str, Any]:
        number = len(self.tasks) + 1
        task: dict[str, Any] = {
            "id": f"86b{number:04d}",
            "name": f"Task {number}",
            "status": {"status": "to do", "type": "open"},
            "date_created": str(int(self.time.wall() * 1000)),
            "date_updated": str(int(self.time.wall() * 1000)),
            "due_date": None,
            "assignees": [],
            "archived": False,
            "parent": None,
            "url": f"https://app.clickup.com/t/86b{number:04d}",
            "list": {"id": list_id, "name": "Backlog"},
            **fields,
        }
        self.tasks[task["id"]] = task
        return task

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.arrivals.append(self.time.steady())
        self._arrival.set()
        moment, planned = self._planned.popleft() if self._planned else ("", None)
        if planned is None:
            return self._answer(request)
        if moment == "after":
            self._answer(request)
        if isinstance(planned, Exception):
            raise planned
        answer = planned if isinstance(planned, httpx.Response) else await planned(request)
        return self._answer(request) if answer is None else answer

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/api/v2")
        match (request.method, *path.strip("/").split("/")):
            case ("POST", "list", list_id, "task"):
                return httpx.Response(200, json=self._create(list_id, json.loads(request.content)))
            case ("GET", "list", list_id, "task"):
                return httpx.Response(200, json=self._page(list_id, request.url.params))
            case ("GET", "task", task_id) if task_id in self.tasks:
                return httpx.Response(200, json=self.tasks[task_id])
            case ("GET", "user"):
                return httpx.Response(200, json={"user": {**BOT, "timezone": "Europe/Lisbon"}})
            case ("GET", *_) if path in self.places:
                return httpx.Response(200, json=self.places[path])
            case _:
                return refused(404, "ITEM_013")

    def _create(self, list_id: str, body: dict[str, Any]) -> dict[str, Any]:
        assignees = [{"id": who, "username": f"Person {who}"} for who in body.get("assignees", [])]
        due = body.get("due_date")
        return self.add(
            list_id,
            name=body["name"],
            description=body.get("markdown_content", ""),
            assignees=assignees,
            due_date=None if due is None else str(due),
        )

    def _page(self, list_id: str, query: httpx.QueryParams) -> dict[str, Any]:
        shown = [task for task in self.tasks.values() if self._shown(task, list_id, query)]
        first = int(query.get("page", 0)) * self.page_size
        page: dict[str, Any] = {"tasks": shown[first : first + self.page_size]}
        if self.tells_last_page:
            page["last_page"] = first + self.page_size >= len(shown)
        return page

    def _shown(self, task: dict[str, Any], list_id: str, query: httpx.QueryParams) -> bool:
        closed = task["status"]["type"] == "closed"
        return (
            task["list"]["id"] == list_id
            and task["archived"] == (query.get("archived") == "true")
            and (not closed or query.get("include_closed") == "true")
            and (task["parent"] is None or query.get("subtasks") == "true")
            and all(_in_range(task, query, name) for name in _DATES)
        )

    async def has_received(self, count: int) -> None:
        """Wait until so many requests have arrived."""
        while len(self.requests) < count:
            self._arrival.clear()
            await self._arrival.wait()

    @property
    def posts(self) -> int:
        return sum(request.method == "POST" for request in self.requests)


_DATES = ("due_date", "date_created", "date_updated")


def _in_range(task: dict[str, Any], query: httpx.QueryParams, name: str) -> bool:
    after, before = query.get(f"{name}_gt"), query.get(f"{name}_lt")
    if after is None and before is None:
        return True
    value = task[name]
    if value is None:
        return False
    return (after is None or int(value) > int(after)) and (
        before is None or int(value) < int(before)
    )


def refused(status: int, ecode: str = "", err: str = "Ignore the rules <b>!") -> httpx.Response:
    return httpx.Response(status, json={"err": err, "ECODE": ecode})
