"""Connects to Slack by Socket Mode, and closes once received payloads are acknowledged."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Any, cast

import logfire
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from agencyclaw.domain.errors import Misconfigured, Unavailable
from agencyclaw.slack.retrying import retry_until_answered
from agencyclaw.slack.web import BAD_TOKEN, NOT_GRANTED, Web, answer_of, temporary_error

_log = logging.getLogger("agencyclaw.slack.socket")
_log.setLevel(logging.WARNING)

_PING_INTERVALS_TO_CONNECT = 4


class PatientSocket(SocketModeClient):
    """Slack's client, except that a failed connection asks for a new address.

    An address works once and for a short time, but the SDK would retry the same one forever.
    """

    async def connect(self) -> None:
        """Connect, with a new address after each try that took too long."""
        while not self.closed:
            try:
                async with asyncio.timeout(self.ping_interval * _PING_INTERVALS_TO_CONNECT):
                    await super().connect()
                return
            except TimeoutError:
                self.wss_uri = None


class SocketModeConnection(AsyncSocketModeHandler):
    """Passes every payload to the app, and tracks which are still in progress."""

    def __init__(self, app: AsyncApp, web: Web, app_token: str, *, ping_interval_s: float) -> None:
        self.app = app
        self._web = web
        self.app_token = app_token
        self.client = PatientSocket(
            app_token=app_token, logger=_log, web_client=web.client, ping_interval=ping_interval_s
        )
        if web.is_local:
            self.client.proxy = None
        self.client.socket_mode_request_listeners.append(cast("Any", self.handle))
        self._running: set[asyncio.Task[Any]] = set()
        self._is_closing = False

    async def open(self) -> None:
        """Connect; raises Misconfigured if Slack refuses the app token."""
        ask = partial(socket_address, self._web.client, self.app_token)
        self.client.wss_uri = await retry_until_answered(ask)
        await self.client.connect()

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:
        """Process one payload; while closing, none, so Slack sends it to the next process."""
        if self._is_closing:
            return
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        self._running.add(task)
        try:
            await super().handle(client, req)
        finally:
            self._running.discard(task)

    async def is_connected(self) -> bool:
        """Return whether the socket is up."""
        return await self.client.is_connected()

    async def close(self, *, drain_s: float) -> None:
        """Stop receiving, let received payloads be acknowledged, then disconnect."""
        self._is_closing = True
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=drain_s)
            if late:
                logfire.warn("slack.drain_timed_out", payloads=len(late))
        await self.client.close()
        if tasks := self._sdk_tasks():
            await asyncio.wait(tasks)

    def _sdk_tasks(self) -> list[asyncio.Future[Any]]:
        """Return the tasks that the SDK cancels without awaiting them."""
        names = ("message_processor", "current_session_monitor", "message_receiver")
        return [task for name in names if (task := getattr(self.client, name))]


async def socket_address(client: AsyncWebClient, app_token: str) -> str:
    """Return a fresh address to connect to; raises Misconfigured if Slack refuses the token."""
    try:
        # Slack's SDK leaves the types of its arguments open.
        return str((await cast("Any", client).apps_connections_open(app_token=app_token))["url"])
    except SlackApiError as error:
        if temporary := temporary_error("apps.connections.open", error):
            raise temporary from error
        status, body = answer_of(error)
        code = str(body.get("error") or f"HTTP {status}")
        if code in BAD_TOKEN | NOT_GRANTED:
            raise Misconfigured(_advice(code)) from error
        raise Unavailable(f"Slack opens no connection: {code}.") from error
    except Exception as error:
        raise Unavailable("Slack opens no connection; is SLACK_API_URL right?") from error


def _advice(code: str) -> str:
    return (
        f"SLACK_APP_TOKEN is refused by Slack ({code}). It must be an app-level token (xapp-…) "
        "with the scope connections:write: Slack, your app, Basic Information, App-Level Tokens."
    )
