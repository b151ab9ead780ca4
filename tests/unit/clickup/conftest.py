"""A client, a reader and a writer that speak to the ClickUp in memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx
import logfire
import pytest
import pytest_asyncio
from clickup_fake import BASE, TEAM, FakeClickUp, FakeTime

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.writer import ClickUpWriter


@pytest.fixture(scope="session", autouse=True)
def _telemetry_stays_here() -> None:
    logfire.configure(send_to_logfire=False, console=False, metrics=False)


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def board(time: FakeTime) -> FakeClickUp:
    return FakeClickUp(time)


@pytest.fixture
def connect(board: FakeClickUp, time: FakeTime) -> Callable[..., ClickUpClient]:
    def build(token: str = "pk_1", base_url: str = BASE, **options: Any) -> ClickUpClient:
        options = {"transport": httpx.MockTransport(board), "clock": time.clock, **options}
        return ClickUpClient(token, base_url, **options)

    return build


@pytest_asyncio.fixture
async def client(connect: Callable[..., ClickUpClient]) -> AsyncGenerator[ClickUpClient]:
    client = connect(rate_per_minute=1_000)
    yield client
    await client.aclose()


@pytest.fixture
def reader(client: ClickUpClient) -> ClickUpReader:
    return ClickUpReader(client, TEAM)


@pytest.fixture
def writer(client: ClickUpClient) -> ClickUpWriter:
    return ClickUpWriter(client)
