"""A real Bolt app on a workbench, small enough for a test to say what it does."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from workbench.fixture import Bench

INES = "U01INES"
INES_DM = "D01INES"
OPS = "C01OPS"
CLAW = "U01CLAW"
NOWHERE = "1700000000.000100"


@dataclass
class Heard:
    """What reached the app, in order: (event or interaction, retry number)."""

    events: list[dict[str, Any]] = field(default_factory=list)
    retries: list[str] = field(default_factory=list)

    def texts(self) -> list[str]:
        return [event["text"] for event in self.events]


def web_client(bench: Bench, token: str = "xoxb-workbench") -> AsyncWebClient:
    return AsyncWebClient(token=token, base_url=bench.slack_api_url)


def echo_app(bench: Bench, heard: Heard) -> AsyncApp:
    """Remembers every message of a person and takes everything else without a word."""
    app = AsyncApp(client=web_client(bench))

    @app.event("message")
    async def hear(event: dict[str, Any], request: Any) -> None:
        heard.events.append(event)
        heard.retries.append(request.headers["x-slack-retry-num"][0])

    @app.event({"type": "message", "subtype": "message_changed"})
    async def ignore(event: dict[str, Any]) -> None: ...

    return app


@asynccontextmanager
async def connected(
    bench: Bench, app: AsyncApp, ping_interval: float = 10
) -> AsyncGenerator[AsyncSocketModeHandler]:
    before = (await bench.state())["connections"]
    handler = AsyncSocketModeHandler(app, app_token="xapp-workbench", ping_interval=ping_interval)
    await handler.connect_async()
    await bench.until(lambda: _has_connections(bench, before + 1))
    try:
        yield handler
    finally:
        await handler.close_async()
        await bench.until(lambda: _has_connections(bench, before))


async def _has_connections(bench: Bench, number: int) -> bool:
    return (await bench.state())["connections"] == number


def said(messages: list[dict[str, Any]]) -> list[str]:
    return [message["text"] for message in messages]


async def refusal(call: Any) -> str:
    with pytest.raises(SlackApiError) as refused:
        await call
    return refused.value.response["error"]


def section(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **more}


def button(text: str = "Go", **more: Any) -> dict[str, Any]:
    return {"type": "button", "text": {"type": "plain_text", "text": text}, **more}


def actions(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "actions", "elements": list(elements)}


def option(text: str) -> dict[str, Any]:
    return {"text": {"type": "plain_text", "text": text}, "value": text}


def select(*options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "static_select", "action_id": "s", "options": list(options), **more}
