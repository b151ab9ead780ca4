"""The scratch databases of a test run: on the server of DATABASE_URL, else on one of its own."""

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import evals.databases
from evals.databases import Cluster, DatabaseContent, fast_folder

__all__ = ["Cluster", "DatabaseContent", "fast_folder", "running_cluster"]


@asynccontextmanager
async def running_cluster() -> AsyncGenerator[Cluster]:
    """Give the server of this test run."""
    async with evals.databases.running_cluster(os.environ.get("DATABASE_URL", "")) as cluster:
        yield cluster
