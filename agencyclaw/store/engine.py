"""Access to Postgres: a connection pool, transactions, and single connections."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from functools import wraps
from types import CoroutineType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeAlias, TypeVar
from urllib.parse import urlsplit

import asyncpg
import logfire
from asyncpg.pool import PoolConnectionProxy

from agencyclaw.domain.errors import Broken, DatabaseUnavailable, Misconfigured, Unavailable
from agencyclaw.store.dispatching import JobDispatcher

if TYPE_CHECKING:
    _AsyncpgPool = asyncpg.Pool[asyncpg.Record]
else:
    _AsyncpgPool = asyncpg.Pool

P = ParamSpec("P")
T = TypeVar("T")
Record: TypeAlias = asyncpg.Record
OwnConnection: TypeAlias = "asyncpg.Connection[Record]"
# What a transaction runs on.
Connection: TypeAlias = "OwnConnection | PoolConnectionProxy[Record]"
# A pool runs each statement in a transaction of its own.
Executor: TypeAlias = "Connection | asyncpg.Pool[Record]"

# Below this oid a type has the same number in every database.
_FIRST_OF_A_DATABASE = 16_384


class _TypeCachingConnection(asyncpg.Connection):
    """A connection that shares what asyncpg learns about types between all connections.

    asyncpg asks on each connection, once per kind of array, and that takes milliseconds.
    """

    _known: ClassVar[dict[frozenset[int], Any]] = {}
    # What a statement must have so that the one it came before is not prepared again.
    _unasked: ClassVar[Any] = SimpleNamespace(name="unasked")

    async def _introspect_types(self, typeoids: Iterable[int], timeout: float) -> Any:
        wanted = frozenset(typeoids)
        if wanted in self._known:
            return self._known[wanted], self._unasked
        plain: Any = super()
        types, statement = await plain._introspect_types(wanted, timeout)
        if max(wanted) < _FIRST_OF_A_DATABASE:
            self._known[wanted] = types
        return types, statement


class _Pool(_AsyncpgPool):
    """A pool that takes a connection back at once.

    asyncpg starts a task for each release, lest a cancelled caller keep a connection. Nothing is
    awaited here unless a statement was interrupted, and a caller cancelled then closes it.
    """

    async def release(self, connection: Any, *, timeout: float | None = None) -> None:
        """Return a connection; one that was returned before is left alone."""
        if connection._con is not None:
            connection._con._on_release()
            await connection._holder.release(timeout)


# The defaults of `asyncpg.create_pool`, which makes pools of its own class only.
_POOL: dict[str, Any] = {
    "max_queries": 50_000,
    "max_inactive_connection_lifetime": 300.0,
    "loop": None,
    "record_class": asyncpg.Record,
}
_OPTIONS: dict[str, Any] = {
    "timeout": 10,
    "connection_class": _TypeCachingConnection,
    "server_settings": {"application_name": "agencyclaw"},
}
TROUBLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
# The server has ended one of two transactions that waited for each other.
ROLLED_BACK = asyncpg.TransactionRollbackError
# Errors that pass by themselves: the server is away, stops, starts, has no free connection, or has
# rolled a transaction back.
AWAY = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.LockNotAvailableError,
    ROLLED_BACK,
)
_WRONG_SETTING = (
    asyncpg.InvalidCatalogNameError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InterfaceError,
    ValueError,
)


def _as_json(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


# Every statement is short and repeated: planning or compiling it each time would cost more than
# running it.
_PLAN_ONCE = "set plan_cache_mode = force_generic_plan; set jit = off;"
# No statement takes long: one that does is stuck and holds up others.
LIMITS = (
    " set statement_timeout = '60s'; set lock_timeout = '20s';"
    " set idle_in_transaction_session_timeout = '60s'"
)


async def _prepare(conn: OwnConnection) -> None:
    await conn.execute(_PLAN_ONCE + LIMITS)
    for name in ("json", "jsonb"):
        await conn.set_type_codec(
            name, schema="pg_catalog", encoder=_as_json, decoder=json.loads, format="text"
        )


async def _keep_session(_: OwnConnection) -> None:
    """Replace asyncpg's reset, which costs a round trip per statement.

    An open transaction is rolled back all the same. SET, LISTEN and session locks don't belong on a
    pooled connection: `Database.connect` opens one of their own.
    """


class Database:
    """One Postgres database."""

    def __init__(
        self, dsn: str, pool: asyncpg.Pool[Record], ahead: timedelta = timedelta()
    ) -> None:
        self.dsn = dsn
        # How much the clock of schedules is ahead, in a demo.
        self.ahead = ahead
        self.pool = pool
        self.dispatcher = JobDispatcher()

    @classmethod
    async def open(
        cls, dsn: str, *, min_size: int = 2, max_size: int = 8, ahead: timedelta = timedelta()
    ) -> Database:
        """Open a pool; raises Unavailable with a sentence that names the setting and the fix."""
        dsn = plain(dsn)
        try:
            pool = await _Pool(
                dsn,
                min_size=min_size,
                max_size=max_size,
                init=_prepare,
                reset=_keep_session,
                **_POOL,
                **_options(ahead),
            )
        except (*TROUBLE, ValueError) as error:
            raise explain(error, dsn) from error
        return cls(dsn, pool, ahead)

    async def close(self) -> None:
        """Close every connection."""
        await self.pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Connection]:
        """Yield a connection inside a transaction: committed at the end, rolled back on error."""
        async with self.pool.acquire() as conn, conn.transaction():
            yield conn

    async def connect(
        self, *, on_lost: Callable[[Connection], None] | None = None
    ) -> OwnConnection:
        """Open a connection outside the pool; `on_lost` is called when it ends, by `close` too."""
        conn = await connect(self.dsn)
        await _prepare(conn)
        if on_lost is not None:
            conn.add_termination_listener(on_lost)
        return conn


def _options(ahead: timedelta) -> dict[str, Any]:
    """Return the options of connections whose schedules are so much ahead."""
    moved = {"agencyclaw.clock_ahead": f"{ahead.total_seconds():.0f} s"} if ahead else {}
    return {**_OPTIONS, "server_settings": {**_OPTIONS["server_settings"], **moved}}


@contextmanager
def as_records_away() -> Generator[None]:
    """Turn database errors into DatabaseUnavailable."""
    try:
        yield
    except TROUBLE as error:
        logfire.warn("records out of reach", error=type(error).__name__)
        raise DatabaseUnavailable("Our own records can't be reached.") from error


def raises_records_away(
    read: Callable[P, Awaitable[T]],
) -> Callable[P, CoroutineType[Any, Any, T]]:
    """Raise a read's database errors as DatabaseUnavailable, which packages without SQL know."""

    @wraps(read)
    async def reading(*args: P.args, **kwargs: P.kwargs) -> T:
        with as_records_away():
            return await read(*args, **kwargs)

    return reading


async def fetch_one(conn: Executor, statement: str, *arguments: Any) -> Record:
    """Return the row of a statement that always has one."""
    row = await conn.fetchrow(statement, *arguments)
    if row is None:
        raise Broken("a statement that always has a row had none")
    return row


async def connect(dsn: str) -> OwnConnection:
    """Open a connection outside any pool; raises Unavailable with a sentence, as a pool does."""
    try:
        return await asyncpg.connect(plain(dsn), **_OPTIONS)
    except (*TROUBLE, ValueError) as error:
        raise explain(error, dsn) from error


async def empty(dsn: str) -> None:
    """Drop everything in a database, for a fresh start of the embedded one."""
    conn = await connect(dsn)
    try:
        await conn.execute("drop schema public cascade; create schema public")
    finally:
        await conn.close()


def explain(error: Exception, dsn: str) -> Unavailable:
    """Return an error that says how to fix the connection; it never shows the password."""
    if isinstance(error, _WRONG_SETTING):
        # For an unreadable address the parser's own message helps nobody.
        is_unreadable = isinstance(error, ValueError) and not isinstance(
            error, asyncpg.InterfaceError
        )
        why = "it should be postgresql://user:password@host:port/name" if is_unreadable else error
        return Misconfigured(
            f"DATABASE_URL is not usable ({_where(dsn)}): {why}. Correct it, or leave it empty to"
            " use the embedded Postgres."
        )
    cause = str(error) or type(error).__name__
    return Unavailable(
        f"The database can't be reached ({_where(dsn)}): {cause}. Start it, or check DATABASE_URL;"
        " left empty, the embedded Postgres is used."
    )


def plain(dsn: str) -> str:
    """Return a DSN for asyncpg; SQLAlchemy's `postgresql+asyncpg://` is accepted too."""
    scheme, separator, rest = dsn.partition("://")
    return f"{scheme.partition('+')[0]}{separator}{rest}"


def _where(dsn: str) -> str:
    try:
        parts = urlsplit(dsn)
        return f"{parts.hostname or 'local socket'}, database {parts.path.lstrip('/') or '?'}"
    except ValueError:
        return "unreadable address"
