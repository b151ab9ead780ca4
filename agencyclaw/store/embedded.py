"""The embedded Postgres server: starts or joins it, and stops it with its last user."""

import asyncio
import contextlib
import fcntl
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import NoReturn, Self
from urllib.parse import quote

import asyncpg
import logfire

from agencyclaw.store.embedded_account import EmbeddedPostgresError
from agencyclaw.store.embedded_errors import explain_os_error
from agencyclaw.store.embedded_server import PORT, SETTINGS, SUPERUSER, Server, try_lock

__all__ = ["DATABASE", "EmbeddedPostgres", "EmbeddedPostgresError"]

DATABASE = "agencyclaw"
RUNTIME = "agencyclaw_runtime"
PAUSE = 0.01
CONNECT_TIMEOUT = 10.0
SILENCE_LIMIT = 30.0
RECOVERY_LIMIT = 600.0
SHUTDOWN_LIMIT = 30.0
# Postgres kills what does not obey within five seconds.
ABORT_LIMIT = 30.0
LOCK_LIMIT = 120.0
FAREWELL = 0.3
NEXT_TRY = 1.0
# asyncpg calls it an internal error when the server's last words cross our question.
CUT = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
LOST = (*CUT, asyncpg.PostgresError)
KNOWN = "SELECT FROM pg_roles WHERE rolname = $1"
OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


class SocketState(Enum):
    """What a connection attempt tells about the server."""

    READY = auto()
    BUSY = auto()
    STOPPING = auto()
    SILENT = auto()


class _Shutdown:
    """Waits for the end of a server that its users left; aborts it if that takes too long."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._until = 0.0
        self._is_aborted = False

    def hurry(self) -> None:
        """Do what is due while it still shuts down; raises EmbeddedPostgresError at last."""
        now = time.monotonic()
        if not self._until:
            self._until = now + SHUTDOWN_LIMIT
        if now < self._until:
            return
        if self._is_aborted:
            raise EmbeddedPostgresError(self._server.describe_shutdown())
        logfire.warning("Postgres takes too long to stop, and is aborted", limit_s=SHUTDOWN_LIMIT)
        self._server.abort()
        self._until, self._is_aborted = now + ABORT_LIMIT, True


class EmbeddedPostgres:
    """The Postgres server below one home folder, shared by every process that uses that home."""

    def __init__(
        self, home: Path, binaries: Path | None = None, settings: Mapping[str, str] = SETTINGS
    ) -> None:
        self._server = Server(home, binaries, settings)
        self._locks = self._server.home / "postgres-locks"
        self._users_lock: int | None = None

    @property
    def dsn(self) -> str:
        """The assistant's database as its owner; works for asyncpg and psycopg."""
        return self._address(DATABASE, DATABASE)

    @property
    def runtime_dsn(self) -> str:
        """The same database as the role that owns nothing, which running processes use."""
        return self._address(RUNTIME, DATABASE)

    @property
    def admin_dsn(self) -> str:
        """The maintenance database as superuser: to create test databases."""
        return self._address(SUPERUSER, "postgres")

    @property
    def exists(self) -> bool:
        """Whether there is a database to start; starting creates one where there is none."""
        return (self._server.data / "PG_VERSION").exists()

    @property
    def log(self) -> Path:
        """The path of the server's log."""
        return self._server.log

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> str:
        """Start the server in whatever state it is, and return the DSN; may be called again."""
        try:
            self._locks.mkdir(parents=True, exist_ok=True)
            async with self._alone():
                await self._bring_up()
                if self._users_lock is None:
                    self._users_lock = try_lock(self._locks / "users", fcntl.LOCK_SH)
        except OSError as error:
            raise EmbeddedPostgresError(explain_os_error(error, self._server.home)) from error
        except asyncpg.PostgresError as error:
            raise EmbeddedPostgresError(self._server.describe(str(error))) from error
        return self.dsn

    async def stop(self) -> bool:
        """Leave; returns True if this was the last user and the server has stopped.

        Close your own pools first: any open connection keeps the server running.
        """
        return self._users_lock is not None and await self._leave(self._stop_if_unused)

    async def erase(self) -> bool:
        """Stop the server and delete its data; returns False while somebody uses it."""
        if not self._locks.exists():
            return True
        return await self._leave(self._erase_if_unused)

    async def _leave(self, act: Callable[[], Awaitable[bool]]) -> bool:
        async with self._alone():
            if self._users_lock is not None:
                os.close(self._users_lock)
                self._users_lock = None
            users = try_lock(self._locks / "users")
            if users is None:
                return False
            try:
                return await act()
            finally:
                os.close(users)

    async def watch(self) -> NoReturn:
        """Restart the server whenever it dies, until the caller is cancelled."""
        while True:
            with contextlib.suppress(*LOST):
                await self._until_lost()
            try:
                await self.start()
            except EmbeddedPostgresError as error:
                logfire.error("Postgres does not start again", why=str(error))
                await asyncio.sleep(NEXT_TRY)

    async def _until_lost(self) -> None:
        lost = asyncio.Event()
        connection = await self._connect(DATABASE)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await lost.wait()
        finally:
            connection.terminate()

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncGenerator[None]:
        """Hold the lock under which one process at a time starts or stops the server."""
        deadline = time.monotonic() + LOCK_LIMIT
        while (held := try_lock(self._locks / "start")) is None:
            if time.monotonic() > deadline:
                raise EmbeddedPostgresError(
                    f"Another process has been starting Postgres in {self._server.home} for "
                    f"{LOCK_LIMIT:.0f} seconds. End it, then start again."
                )
            await asyncio.sleep(PAUSE)
        try:
            yield
        finally:
            os.close(held)

    async def _bring_up(self) -> None:
        launched, shutdown = False, _Shutdown(self._server)
        quiet_until = time.monotonic() + SILENCE_LIMIT
        recovered_until = time.monotonic() + RECOVERY_LIMIT
        while (answer := await self._ask()) is not SocketState.READY:
            if answer is SocketState.STOPPING:
                shutdown.hurry()
            if answer in (SocketState.BUSY, SocketState.STOPPING):
                quiet_until = time.monotonic() + SILENCE_LIMIT
            elif (running := try_lock(self._locks / "server")) is not None:
                if launched and self._server.has_ended():
                    self._tolerate_passing(running)
                await asyncio.to_thread(self._server.launch, running)
                launched = True
            if time.monotonic() > min(quiet_until, recovered_until):
                raise EmbeddedPostgresError(self._server.describe())
            await asyncio.sleep(PAUSE)

    def _tolerate_passing(self, running: int) -> None:
        try:
            self._server.require_passing()
        except EmbeddedPostgresError:
            os.close(running)
            raise

    async def _ask(self) -> SocketState:
        if self._server.socket_folder() is None:
            return SocketState.SILENT
        try:
            await self._create_missing()
        except asyncpg.OperatorInterventionError:
            return SocketState.STOPPING if self._server.is_stopping else SocketState.BUSY
        except TimeoutError:
            return SocketState.BUSY
        except CUT:
            return SocketState.SILENT
        except asyncpg.TooManyConnectionsError:
            pass
        return SocketState.READY

    async def _create_missing(self) -> None:
        """Create the roles and the database if they are missing, also after a kill."""
        try:
            connection = await self._connect(DATABASE)
        except asyncpg.InvalidCatalogNameError:
            await self._create_database()
            connection = await self._connect(DATABASE)
        try:
            if not await connection.fetch(KNOWN, RUNTIME):
                await connection.execute(f'CREATE ROLE "{RUNTIME}" LOGIN')
        finally:
            await connection.close()

    async def _create_database(self) -> None:
        connection = await self._connect("postgres")
        try:
            if not await connection.fetch(KNOWN, DATABASE):
                await connection.execute(f'CREATE ROLE "{DATABASE}" LOGIN')
            await connection.execute(f'CREATE DATABASE "{DATABASE}" OWNER "{DATABASE}"')
        finally:
            await connection.close()

    async def _erase_if_unused(self) -> bool:
        await self._stop_if_unused()
        if (free := try_lock(self._locks / "server")) is None:
            return False
        try:
            await asyncio.to_thread(self._server.erase)
        finally:
            os.close(free)
        return True

    async def _stop_if_unused(self) -> bool:
        try:
            if await self._is_used():
                return False
        except LOST:
            return False
        folder = self._server.socket_folder()
        self._server.interrupt()
        deadline = time.monotonic() + SILENCE_LIMIT
        while (free := try_lock(self._locks / "server")) is None:
            if time.monotonic() > deadline:
                raise EmbeddedPostgresError(self._server.describe())
            await asyncio.sleep(PAUSE)
        self._server.tidy(folder)
        os.close(free)
        return True

    async def _is_used(self) -> bool:
        """Return whether anybody is connected; looks again, as sessions take a moment to end."""
        connection = await self._connect("postgres")
        try:
            deadline = time.monotonic() + FAREWELL
            while others := await connection.fetchval(OTHERS):
                if time.monotonic() > deadline:
                    break
                await asyncio.sleep(PAUSE)
            return bool(others)
        finally:
            await connection.close()

    async def _connect(self, database: str) -> "asyncpg.Connection[asyncpg.Record]":
        return await asyncpg.connect(
            host=str(self._server.socket_folder()),
            port=PORT,
            user=SUPERUSER,
            database=database,
            timeout=CONNECT_TIMEOUT,
            server_settings={"application_name": "agencyclaw embedded"},
        )

    def _address(self, user: str, database: str) -> str:
        host = quote(str(self._server.socket_folder()), safe="/")
        return f"postgresql://{user}@/{database}?host={host}&port={PORT}"
