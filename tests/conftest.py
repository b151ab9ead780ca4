"""What every test may use: a database of its own. What none may do: leave this machine, or hang."""

import asyncio
import gc
import inspect
import json
import logging
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

import logfire
import pytest
from databases import Cluster, DatabaseContent, running_cluster
from hypothesis import settings
from pydantic_ai import models
from pytest_socket import socket_allow_hosts

from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database
from agencyclaw.telemetry.tracing import configure_tracing

models.ALLOW_MODEL_REQUESTS = False
# A property says nothing about how busy the machine is; a check that lands something is repeatable.
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")
logfire.configure(send_to_logfire=False, console=False)
logfire.instrument_pydantic_ai(include_content=False)

# Whole files go to one worker. Begun late, one of these would keep it busy after everybody else;
# how long they take: `make test ARGS=--durations=50`.
SLOWEST_FIRST = (
    "test_demo.py",
    "test_creation_flow.py",
    "test_embedded.py",
    "test_workers.py",
    "test_real_models.py",
    "test_exported_runs.py",
    "test_command_line.py",
    "test_page.py",
    "test_stream_flow.py",
    "test_kills.py",
    "test_operation.py",
    "test_model_on_the_wire.py",
    "test_confirmation_flow.py",
    "test_trouble_flow.py",
    "test_hammered_click.py",
    "test_interpreter.py",
    "test_operate_document.py",
    "test_home_flow.py",
)

# Far longer than any test takes on a busy machine: one that waits for ever fails under its name.
_HANGING_S = 400.0
LOOPBACK = ["127.0.0.1", "::1"]


def pytest_configure() -> None:
    """What the tests start must hear SIGINT, even if we run in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Two workers a core: a test waits for processes, sockets and timers as long as it computes."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    place = {name: at for at, name in enumerate(SLOWEST_FIRST)}
    items.sort(key=lambda item: place.get(item.path.name, len(place)))


def pytest_collection() -> None:
    """What is imported and collected stays; looking for garbage in it costs much time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From now on there is garbage; a test leaves too little to look for it all the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def _ending(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    @wraps(test)
    async def ending(**arguments: Any) -> None:
        async with asyncio.timeout(_HANGING_S):
            await test(**arguments)

    return ending


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let no asynchronous test wait for ever."""
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        item.obj = _ending(item.obj)


def pytest_runtest_setup() -> None:
    """Let sockets reach this machine, and the database server when one is given."""
    server = urlsplit(os.environ.get("DATABASE_URL", "")).hostname
    socket_allow_hosts([*LOOPBACK, *([server] if server else [])], allow_unix_socket=True)


@pytest.fixture(scope="session")
async def cluster() -> AsyncGenerator[Cluster]:
    """The Postgres server of this run; most tests want `database` or `agency`."""
    async with running_cluster() as cluster:
        yield cluster


@pytest.fixture
async def database(cluster: Cluster) -> AsyncGenerator[Database]:
    """A migrated database without a row in it, for this test alone."""
    async with cluster.database(DatabaseContent.EMPTY) as db:
        yield db


@pytest.fixture
async def agency(cluster: Cluster) -> AsyncGenerator[Database]:
    """A database that holds Lanternfish Commerce, for this test alone."""
    async with cluster.database(DatabaseContent.AGENCY) as db:
        yield db


@pytest.fixture
def log() -> Generator[list[dict[str, Any]]]:
    """The lines written while a test runs."""
    root, ours = logging.getLogger(), logging.getLogger("agencyclaw")
    handlers, level, own = root.handlers, root.level, ours.level
    configure_tracing(Settings(agencyclaw_log_format="json"))
    [handler] = root.handlers
    written = list[dict[str, Any]]()

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(json.loads(handler.format(record)))

    root.handlers = [Kept()]
    yield written
    root.handlers, root.level = handlers, level
    ours.setLevel(own)
    logging.captureWarnings(False)
    logfire.configure(send_to_logfire=False, console=False)
