"""An isolated environment per eval case: a database, a ClickUp and the assistant's services."""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import logfire

from agencyclaw.agents.main import Limits, Models
from agencyclaw.app import NoStatus, Services, SlackPorts, build_services
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.limiter import Clock
from agencyclaw.settings import Settings
from agencyclaw.slack.message_reader import MessageReader
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.threads import Threads
from agencyclaw.slack.web import Web
from agencyclaw.store.demo_agency import address_of, brand_id, person_id, person_rows
from agencyclaw.store.engine import Database
from evals.databases import fast_folder, running_cluster
from evals.expected import agency_today
from evals.scene import (
    BoardTask,
    BrandChange,
    Change,
    Fault,
    PersonChange,
    Procedure,
    Said,
    Scene,
    Snapshot,
    Target,
)
from evals.slates import Slates
from evals.snapshot import put_places, put_rows
from workbench.clickup.gateway import TOKEN
from workbench.clock import MachineClock as BenchClock
from workbench.fixture import PATIENT, Bench, running_workbench
from workbench.seed import seed
from workbench.slack.methods import BOT_TOKEN
from workbench.slack.records import BOT, BOT_USER
from workbench.storage import Storage

TEAM = "T0LANTERN"
_CLICKUP_TEAM = "90100400001"
_CLICKUP_DOCS = "90100500008"
_US = BotIdentity(TEAM, BOT_USER, BOT, "https://lanternfish.example/")
_GUIDES = Path(__file__).parent / "guides"
_HISTORY_TOKENS = Limits().history_tokens
_MINUTE_LIMIT = 10_000
_DAY_S = 86_400

_ADD_PROCEDURE = """
insert into playbook_sops (id, clickup_doc_id, clickup_page_id, name, category, aliases, version,
  content_md)
values ($1, 'evals', $2, $3, $2, $4, '1', $5)
"""
_CHANGE_PERSON = """
update profiles set role = coalesce($2, role), is_admin = coalesce($3, is_admin),
  employment_status = coalesce($4, employment_status), slack_user_id = coalesce($5, slack_user_id)
where lower(email) = $1
"""
_CHANGE_BRAND = "update brands set clickup_space_id = $2, clickup_list_id = $3 where id = $1"
_ADD_TARGET = """
insert into brand_market_kpi_targets (brand_id, marketplace_code, period_granularity,
  period_start, sales_target, sales_currency)
values ($1, $2, 'monthly', $3, $4, $5)
"""
_SWITCH_OFF = "update skill_catalog set enabled = false where tool_name = $1"


@dataclass(frozen=True)
class World:
    """Everything one play needs, isolated from other plays.

    `placed` are the titles of the tasks that the scene itself put on the boards.
    """

    db: Database
    bench: Bench
    services: Services
    lists: dict[str, str]
    placed: list[str] = field(default_factory=list[str])

    async def apply(self, change: Change) -> None:
        """Apply one change."""
        pool = self.db.pool
        match next(part for _, part in change if part is not None):
            case Procedure() as part:
                values = (part.category, part.title, list(part.aliases), part.text)
                await pool.execute(_ADD_PROCEDURE, uuid4(), *values)
            case PersonChange() as part:
                values = (part.role, part.admin, part.status, part.slack)
                await self._update(part, _CHANGE_PERSON, address_of(part.name), *values)
            case BrandChange() as part:
                brand = brand_id(part.client, part.brand)
                await self._update(part, _CHANGE_BRAND, brand, part.space, part.list)
            case Target() as part:
                brand, month = brand_id(part.client, part.brand), agency_today().replace(day=1)
                values = (part.marketplace, month, part.sales, part.currency)
                await pool.execute(_ADD_TARGET, brand, *values)
            case Fault() as part:
                await self.bench.set_fault(
                    "clickup", part.kind, method=part.operation, times=part.times
                )
            case BoardTask() as part:
                await self._put_task(part)
            case Said() as part:
                await self.bench.post_message(part.channel, slack_id_of(part.by), part.text)
            case switched_off:
                await self._update(switched_off, _SWITCH_OFF, switched_off)

    async def put_tasks(self, snapshot: Snapshot) -> None:
        """Add tasks to the boards unless they exist."""
        there = {one["name"] for one in await self.bench.clickup_tasks()} if snapshot.tasks else ()
        for task in snapshot.tasks:
            if task.title not in there:
                await self._put_task(task)

    def _find_list(self, name: str) -> str:
        """Return the id of a list by its id or name; raises LookupError."""
        if name in self.lists:
            return name
        for list_id, known in self.lists.items():
            if known == name:
                return list_id
        raise LookupError(f"no such list: {name}")

    async def _update(self, subject: object, statement: str, *values: object) -> None:
        """Update one record; raises LookupError if there is none: the scene may be misspelt."""
        if await self.db.pool.execute(statement, *values) == "UPDATE 0":
            raise LookupError(f"no such record: {subject}")

    async def _put_task(self, task: BoardTask) -> None:
        list_id = self._find_list(task.in_list)
        body: dict[str, Any] = {"name": task.title, "markdown_content": task.text}
        if task.due_in_days is not None:
            body["due_date"] = int((time.time() + task.due_in_days * _DAY_S) * 1000)
        address = f"{self.bench.clickup_api_url}/list/{list_id}/task"
        async with self.bench.http.post(
            address, json=body, headers={"Authorization": TOKEN}
        ) as answer:
            answer.raise_for_status()
        self.placed.append(task.title)


def settings_for(
    bench: Bench,
    snapshot: Snapshot,
    history_tokens: int = _HISTORY_TOKENS,
    equipped: tuple[str, ...] = (),
) -> Settings:
    """Return settings for a workbench, without delays; the model is set later."""
    return Settings(
        clickup_api_token=TOKEN,
        clickup_api_url=bench.clickup_api_url,
        clickup_team_id=_CLICKUP_TEAM,
        clickup_docs=(_CLICKUP_DOCS,),
        clickup_rate_limit_per_minute=_MINUTE_LIMIT,
        agencyclaw_messages_per_minute=_MINUTE_LIMIT,
        clickup_look_delays=(0.0, 0.0),
        clickup_list_lag_s=0.0,
        clickup_timeout_s=5.0,
        agencyclaw_history_tokens=history_tokens,
        agencyclaw_guides=_GUIDES if "guides" in equipped else None,
        agencyclaw_sandbox="sandbox" in equipped,
        super_admin_profile_ids=frozenset({person_id("Ines Varga"), *snapshot.super_admins}),
        agencyclaw_model="test",
    )


@dataclass
class Ground:
    """What every world starts from: databases with the agency, and a seeded ClickUp for each day.

    Its tasks are due relative to the day of its seeding.
    """

    slates: Slates
    folder: Path
    made: int = 0

    @asynccontextmanager
    async def bench(self) -> AsyncGenerator[Bench]:
        """Run a workbench on a copy of the seeded one."""
        self.made += 1
        path = self.folder / f"{self.made}.db"
        shutil.copyfile(self._seeded(), path)
        try:
            async with running_workbench(str(path), **PATIENT) as bench:
                yield bench
        finally:
            for file in self.folder.glob(f"{path.name}*"):
                file.unlink()

    def _seeded(self) -> Path:
        """Return the ClickUp as it is seeded today."""
        path = self.folder / f"seeded-{agency_today()}.db"
        if not path.exists():
            storage = Storage(str(path))
            seed(storage, BenchClock())
            storage.close()
        return path


@asynccontextmanager
async def open_ground(dsn: str) -> AsyncGenerator[Ground]:
    """Prepare what every world starts from, on a server where we are superuser."""
    with tempfile.TemporaryDirectory(prefix="agencyclaw-evals-", dir=fast_folder()) as folder:
        async with running_cluster(dsn, "STRATEGY FILE_COPY") as cluster:
            slates = Slates(cluster)
            try:
                yield Ground(slates, Path(folder))
            finally:
                await slates.close()


@asynccontextmanager
async def open_world(
    ground: Ground, models: Models, label: str, scene: Scene
) -> AsyncGenerator[World]:
    """Yield a fresh world for one scene; everything in it is dropped afterwards."""
    async with ground.slates.take() as db, ground.bench() as bench:
        await bench.control("POST", "clickup/rate", {"limit": _MINUTE_LIMIT})
        snapshot = scene.snapshot or Snapshot()
        await put_rows(db, snapshot)
        put_places(bench, snapshot)
        history_tokens = scene.long_thread.tokens if scene.long_thread else _HISTORY_TOKENS
        settings = settings_for(bench, snapshot, history_tokens, scene.equipped)
        client = _client(settings)
        web = Web(BOT_TOKEN, bench.slack_api_url)
        await web.open()
        reader = MessageReader(web, Threads(web), lambda: _US)
        try:
            slack = SlackPorts(reader=reader)
            built = build_services(settings, db, client, NoStatus(), slack)
            services = _with_models(built, models, label)
            world = World(db, bench, services, await _lists(bench))
            await world.put_tasks(snapshot)
            for change in scene.changes:
                await world.apply(change)
            yield world
        finally:
            await web.close()
            await client.aclose()


def _client(settings: Settings) -> ClickUpClient:
    """Build a ClickUp client that never sleeps."""
    return ClickUpClient(
        settings.clickup_api_token,
        settings.clickup_api_url,
        rate_per_minute=settings.clickup_rate_limit_per_minute,
        timeout_s=settings.clickup_timeout_s,
        clock=Clock(sleep=_at_once),
    )


async def _at_once(_: float) -> None:
    """Do not sleep between attempts."""


def _with_models(services: Services, models: Models, label: str) -> Services:
    conversation = services.turn.conversation
    gatherer = replace(conversation.gatherer, models=models, model_label=label)
    conversation = replace(conversation, gatherer=gatherer)
    return replace(
        services,
        turn=replace(services.turn, conversation=conversation),
        firings=replace(services.firings, conversation=conversation),
    )


async def _lists(bench: Bench) -> dict[str, str]:
    spaces = (await bench.control("GET", "clickup/lists"))["spaces"]
    return {place["id"]: place["name"] for space in spaces for place in space["lists"]}


@cache
def slack_id_of(person: str) -> str:
    """Return a member's Slack id by name; anything else is returned as it is."""
    found = [row["slack_user_id"] for row in person_rows() if row["full_name"] == person]
    return str(found[0]) if found and found[0] else person


def silence() -> None:
    """Write no spans, and only critical lines of the engine's log."""
    logfire.configure(
        send_to_logfire=False, console=False, sampling=logfire.SamplingOptions(head=0.0)
    )
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
