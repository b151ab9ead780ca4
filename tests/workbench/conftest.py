from collections.abc import AsyncIterator, Iterator

import pytest
from slack_app import web_client
from slack_sdk.web.async_client import AsyncWebClient

from workbench.fixture import Bench, running_workbench


@pytest.fixture(scope="session", autouse=True)
def no_proxy() -> Iterator[None]:
    """Slack's SDK would ask the environment's proxy for this machine, and Bolt's copies of a
    client forget that it was told not to."""
    with pytest.MonkeyPatch.context() as environment:
        for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"):
            environment.delenv(name, raising=False)
        yield


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with running_workbench() as bench:
        yield bench


@pytest.fixture
async def hasty() -> AsyncIterator[Bench]:
    """A workbench that waits only a moment for an acknowledgement."""
    async with running_workbench(ack_timeout=0.3, retry_delays=(0.0, 0.05, 0.1)) as bench:
        yield bench


@pytest.fixture
async def client(bench: Bench) -> AsyncWebClient:
    return web_client(bench)
