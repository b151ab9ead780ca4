"""A ClickUp of the workbench on a loopback port, with its plan of faults and its clock in hand."""

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
from aiohttp import web

from workbench.clickup.api import RATE, add_clickup_routes
from workbench.clickup.seed import seed_clickup
from workbench.clock import MachineClock
from workbench.events import EVENTS, Broadcaster
from workbench.faults import Fault, Faults
from workbench.storage import Storage

# Nothing here speaks TLS, and loading the machine's certificates for each client takes time.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TEAM = "90100400001"
BRIGHTKETTLE = "901005000011"
GLINTLY = "901005000021"
CASA_MUNDO = "901005000031"
REPORTING = "901005000081"
WEDNESDAY = datetime(2026, 11, 25, 10, 30, tzinfo=UTC)


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


class StillClock(MachineClock):
    """Time stands until a test moves it."""

    def __init__(self, at: datetime = WEDNESDAY) -> None:
        self.at = at.timestamp()

    def now(self) -> float:
        return self.at


@dataclass
class Stand:
    app: web.Application
    storage: Storage
    faults: Faults
    clock: StillClock
    origin: str
    http: httpx.AsyncClient

    @property
    def events(self) -> Broadcaster:
        return self.app[EVENTS]

    def plan(self, kind: Any, method: str | None = None, **details: Any) -> None:
        self.faults.add(Fault(target="clickup", kind=kind, method=method, **details))

    def limit_rate(self, limit: int) -> None:
        self.app[RATE].limit = limit

    async def get(self, path: str, **query: Any) -> dict[str, Any]:
        answer = await self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def get_v3(self, path: str, **query: Any) -> Any:
        answer = await self.http.get(f"{self.origin}/clickup/api/v3{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def create(self, list_id: str = BRIGHTKETTLE, **body: Any) -> dict[str, Any]:
        sent = {"name": "Check the listing", **body}
        answer = await self.http.post(f"/list/{list_id}/task", json=sent)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def update(self, task_id: str, **body: Any) -> dict[str, Any]:
        answer = await self.http.put(f"/task/{task_id}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def names(self, path: str, **query: Any) -> list[str]:
        return [task["name"] for task in (await self.get(path, **query))["tasks"]]

    async def kept(self, name: str) -> int:
        """How many tasks of this name there are, lists' filters and faults aside."""
        answer = await self.http.get(f"{self.origin}/_control/clickup/tasks")
        return sum(task["name"] == name for task in answer.json()["tasks"])


@asynccontextmanager
async def open_stand(
    path: str = ":memory:", clock: StillClock | None = None
) -> AsyncGenerator[Stand]:
    storage, faults, clock = Storage(path), Faults(), clock or StillClock()
    seed_clickup(storage, clock)
    app = web.Application()
    app[EVENTS] = Broadcaster()
    add_clickup_routes(app, storage, faults, clock)
    app[RATE].limit = 10_000
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    token = {"Authorization": "pk_workbench"}
    try:
        async with httpx.AsyncClient(
            base_url=f"{origin}/clickup/api/v2", headers=token, verify=NO_CERTIFICATES
        ) as http:
            yield Stand(app, storage, faults, clock, origin, http)
    finally:
        await runner.cleanup()
        storage.close()
