from collections.abc import AsyncIterator

import pytest
from slack_app import web_client
from slack_sdk.web.async_client import AsyncWebClient

from agencyclaw.workbench.fixture import Bench, running_workbench


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with running_workbench(ack_timeout=0.3, retry_delays=(0.0, 0.05, 0.1)) as bench:
        yield bench


@pytest.fixture
async def client(bench: Bench) -> AsyncWebClient:
    return web_client(bench)
