"""Slack over HTTP: the payloads of the socket, signed by Slack, into the same app."""

from __future__ import annotations

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.app.async_app import AsyncApp

# Bolt reads a body before it checks who sent it.
_STUMBLES = (ValueError, TypeError, AttributeError, LookupError)
PATH = "/slack/events"


class Entrance:
    """Answers Slack's requests; Bolt refuses (401) what is unsigned, forged or older than 5 min."""

    def __init__(self, app: AsyncApp) -> None:
        self._app = app

    async def take(self, request: web.Request) -> web.Response:
        """Take one request. Anything but 200 makes Slack send an event again."""
        try:
            asked = await to_bolt_request(request)
        except _STUMBLES:  # not of a shape that Slack sends
            return web.Response(status=400)
        return await to_aiohttp_response(await self._app.async_dispatch(asked))
