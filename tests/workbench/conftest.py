from collections.abc import AsyncIterator, Iterator

import pytest
from aiohttp import web
from page_app import App, fresh
from slack_app import web_client
from slack_sdk.web.async_client import AsyncWebClient

from tests.browser import Browser, why_no_browser
from workbench.clock import MachineClock
from workbench.fixture import Bench, running_workbench
from workbench.seed import seed
from workbench.server import build_app
from workbench.storage import Storage


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


@pytest.fixture(scope="module")
async def runner() -> AsyncIterator[web.AppRunner]:
    clock = MachineClock()
    storage = Storage(":memory:")
    seed(storage, clock)
    runner = web.AppRunner(build_app(storage, ack_timeout=0.5, clock=clock))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield runner
    await runner.cleanup()


@pytest.fixture(scope="module")
def origin(runner: web.AppRunner) -> str:
    host, port = runner.addresses[0][:2]
    return f"http://{host}:{port}"


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    if reason := why_no_browser():
        pytest.skip(reason)
    async with Browser() as browser:
        yield browser


@pytest.fixture
async def app(origin: str) -> AsyncIterator[App]:
    async with App(origin).running() as app:
        await app.control("reset")
        yield app


@pytest.fixture
async def page(browser: Browser, origin: str, app: App) -> AsyncIterator[Browser]:
    await browser.goto(fresh(origin))
    await browser.wait_for("document.body.dataset.ready === 'true'")
    await browser.wait_for_text("[data-testid=health]", "is connected")
    yield browser
    assert browser.errors == []
