"""The Postgres of the benchmarks: an embedded one with production settings, or DATABASE_URL's."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from agencyclaw.store.embedded import EmbeddedPostgres
from evals.databases import (
    Cluster,
    DatabaseContent,
    embedded_cluster,
    running_cluster,
)

# A folder of the working copy, because the system's temporary folder may be in memory.
_DISK = Path(__file__).parents[1]


@dataclass(frozen=True)
class BenchmarkServer:
    """A server on which each system gets a copy of the demo agency.

    `postmaster` is the pid of the server's first process; None if it runs on another machine.
    """

    cluster: Cluster
    postmaster: int | None

    async def database(self) -> str:
        """Create a database with the demo agency and return its address."""
        return await self.cluster.create(DatabaseContent.AGENCY)

    def cpu_s(self) -> float:
        """Return the CPU seconds of the server's processes so far, including ended ones.

        0 if the server runs on another machine.
        """
        if self.postmaster is None:
            return 0.0
        server = psutil.Process(self.postmaster)
        spent = 0.0
        for process in (server, *server.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                spent += times.user + times.system
                if process is server:
                    spent += times.children_user + times.children_system
        return spent


@asynccontextmanager
async def running_server() -> AsyncGenerator[BenchmarkServer]:
    """Run the server with the settings it has in production: fsync on, on disk."""
    async with _running_cluster() as cluster:
        yield BenchmarkServer(cluster, _postmaster(await cluster.server_pid()))


@asynccontextmanager
async def _running_cluster() -> AsyncGenerator[Cluster]:
    if address := os.environ.get("DATABASE_URL"):
        async with running_cluster(address) as cluster:
            yield cluster
        return
    with tempfile.TemporaryDirectory(prefix=".agencyclaw-bench-", dir=_DISK) as home:
        postgres = EmbeddedPostgres(Path(home))
        try:
            await postgres.start()
            async with embedded_cluster(postgres) as cluster:
                yield cluster
        finally:
            await postgres.erase()


def _postmaster(session: int) -> int | None:
    """Return the parent of a session's process, unless the pid is that of another machine."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(session)
        if process.name().startswith("postgres"):
            return process.ppid()
    return None
