"""The ground of a chaos run: a workbench that outlives everybody, a database, and a nursery."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
from crossings import FaultPlan
from databases import fast_folder
from processes import PATIENCE_S, SERVE, Process, ProcessPool

from agencyclaw.cli.database import open_database
from agencyclaw.settings import Settings
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.seed import seed
from workbench.events import EVENTS
from workbench.fixture import Bench, running_workbench

Message = dict[str, Any]
T = TypeVar("T")
BOT = "U01CLAW"
TEAM = "T0LANTERN"
# Slack tries three times within six minutes; here time runs faster, and kills come oftener.
RETRIES = (0.0, 0.2, 0.4, *[0.8] * 200)
ACK_S = 1.0
# Only a campaign wants turns to be given up; a test says so itself.
PATIENT = {"AGENCYCLAW_TURN_TIMEOUT_S": "60", "CLICKUP_TIMEOUT_S": "30"}


class View:
    """What stands in Slack now, kept up to date by the workbench's own news."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._changed = asyncio.Condition()
        self._messages: dict[str, dict[str, Message]] = defaultdict(dict)

    async def watch(self) -> None:
        """Follow what changes, for ever."""
        with self._bench.app[EVENTS].watch() as changes:
            while True:
                change = await changes.get()
                if change["kind"] == "message":
                    self._read(change["channel"], change["ts"])
                    async with self._changed:
                        self._changed.notify_all()

    def _read(self, channel: str, ts: str) -> None:
        message = self._bench.storage.get(f"slack/messages/{channel}", ts)
        if message:
            self._messages[channel][ts] = message

    def said(self, channel: str, thread: str, *, since: str = "") -> list[Message]:
        """What the assistant said in a thread after a moment."""
        return [
            message
            for ts, message in self._messages[channel].items()
            if ts > since and message.get("thread_ts") == thread and message.get("user") == BOT
        ]

    def posted(self, channel: str, words: str) -> list[Message]:
        """What the assistant said by itself that quotes these words."""
        return [
            message
            for message in self._messages[channel].values()
            if message.get("user") == BOT and f"“{words}”" in str(message)
        ]

    async def until(self, look: Callable[[], T], seconds: float) -> T | None:
        """Wait until a look finds something; None when it does not in time."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                while not (found := look()):
                    await self._changed.wait()
                return found
        except TimeoutError:
            return None


GONE = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)


@dataclass
class Ground:
    """Where a run takes place."""

    bench: Bench
    view: View
    pool: ProcessPool
    environment: dict[str, str]
    dsn: str
    words: tuple[str, ...] = SERVE
    team_id: str = TEAM
    lives: list[Process] = field(default_factory=list[Process])

    async def start(self, plan: FaultPlan | None = None) -> Process:
        """Start an assistant here."""
        life = await self.pool.start(self.environment, plan, self.words)
        self.lives.append(life)
        return life

    @asynccontextmanager
    async def database(self) -> AsyncGenerator[Any]:
        """Give a connection to the database; it may have to be waited for."""
        deadline = asyncio.get_running_loop().time() + 60
        while True:
            try:
                connection = await asyncpg.connect(self.dsn, timeout=5)
                break
            except GONE:
                if asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(0.1)
        try:
            yield connection
        finally:
            connection.terminate()

    async def execute(self, statement: str, *arguments: object) -> str:
        """Carry out a statement that may be carried out twice, whenever Postgres is killed."""
        deadline = asyncio.get_running_loop().time() + 60
        while True:
            try:
                async with self.database() as connection:
                    return await connection.execute(statement, *arguments)
            except (*GONE, asyncpg.InternalClientError):
                if asyncio.get_running_loop().time() > deadline:
                    raise
                await asyncio.sleep(0.1)

    async def connected(self, *, at_least: int = 1, seconds: float = PATIENCE_S) -> None:
        """Wait until so many assistants listen."""

        async def there() -> bool:
            return (await self.bench.state())["connections"] >= at_least

        await self.bench.until(there, seconds)


@asynccontextmanager
async def agency_of_its_own(home: Path) -> AsyncGenerator[EmbeddedPostgres]:
    """Run the server that assistants bring, with the agency in it; erased at the end.

    They are configured as in earnest: the demo would leave the short times of a run aside.
    """
    postgres = EmbeddedPostgres(home)
    await postgres.start()
    try:
        async with open_database(Settings(agencyclaw_home=home, database_url="")) as db:
            await seed(db)
        yield postgres
    finally:
        await postgres.start()
        await postgres.erase()


@asynccontextmanager
async def ground_of_its_own(
    pool: ProcessPool, **environment: str
) -> AsyncGenerator[tuple[Ground, Path]]:
    """Prepare a ground on a server that its assistants bring, and say where that server is."""
    folder = Path(tempfile.mkdtemp(prefix="agencyclaw-chaos-", dir=fast_folder()))
    home = folder / "home"
    where = {"AGENCYCLAW_HOME": str(home), **environment}
    try:
        async with (
            agency_of_its_own(home) as postgres,
            open_ground(pool, postgres.dsn, **where) as ground,
        ):
            yield ground, home
    finally:
        shutil.rmtree(folder)


@asynccontextmanager
async def open_ground(
    pool: ProcessPool,
    dsn: str,
    *,
    words: tuple[str, ...] = SERVE,
    team_id: str = TEAM,
    **environment: str,
) -> AsyncGenerator[Ground]:
    """Prepare everything but the assistants; those who still live at the end are killed."""
    async with running_workbench(team_id=team_id, retry_delays=RETRIES, ack_timeout=ACK_S) as bench:
        await bench.control("POST", "clickup/rate", {"limit": 1_000_000})
        view = View(bench)
        watching = asyncio.create_task(view.watch())
        whole = {**_environment(bench), **environment}
        ground = Ground(bench, view, pool, whole, dsn, words, team_id)
        try:
            yield ground
        finally:
            for life in ground.lives:
                life.kill()
                await life.ended_within(10)
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)


def _environment(bench: Bench) -> dict[str, str]:
    """What the assistants are configured with: everything short, nothing of this machine's own."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    return kept | {
        "HOME": "/nonexistent",
        "SLACK_BOT_TOKEN": "xoxb-workbench",
        "SLACK_APP_TOKEN": "xapp-workbench",
        "SLACK_API_URL": bench.slack_api_url,
        "CLICKUP_API_TOKEN": "pk_workbench",
        "CLICKUP_API_URL": bench.clickup_api_url,
        "CLICKUP_TEAM_ID": "90100400001",
        "CLICKUP_LOOK_DELAYS": "0.2,0.4",
        "CLICKUP_LIST_LAG_S": "0.6",
        "CLICKUP_TIMEOUT_S": "1.5",
        "CLICKUP_RATE_LIMIT_PER_MINUTE": "10000",
        "SUPER_ADMIN_PROFILE_IDS": str(person_id("Ines Varga")),
        "AGENCYCLAW_MODEL": "scripted",
        "AGENCYCLAW_HEARTBEAT_S": "0.5",
        "AGENCYCLAW_DEAD_AFTER_S": "2",
        "AGENCYCLAW_TURN_TIMEOUT_S": "3",
        "AGENCYCLAW_MESSAGES_PER_MINUTE": "10000",
        "AGENCYCLAW_QUIET_HOURS": "0-0",
    }
