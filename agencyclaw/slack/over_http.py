"""Slack over HTTP: signed requests with the same payloads, handled by the same app."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

# What Bolt raises for a body that Slack would not send: no JSON, JSON too deep, no object.
_PARSE_ERRORS = (ValueError, TypeError, AttributeError, LookupError, RecursionError)
PATH = "/slack/events"


class HttpEndpoint:
    """Handles Slack's requests; one not signed within the last five minutes gets a 401."""

    def __init__(self, app: AsyncApp, signing_secret: str) -> None:
        self._app = app
        self._verifier = SignatureVerifier(signing_secret)

    async def handle(self, request: web.Request) -> web.Response:
        """Handle one request; any status but 200 makes Slack resend an event."""
        # Bolt would read the body before it checks who sent it.
        body = await request.read()
        if not self._is_signed(body, request.headers):
            return web.Response(status=401)
        try:
            bolt_request = AsyncBoltRequest(
                body=body.decode(),
                query=request.query_string,
                headers=dict(request.headers),
            )
        except _PARSE_ERRORS:
            return web.Response(status=400)
        return await to_aiohttp_response(await self._app.async_dispatch(bolt_request))

    def _is_signed(self, body: bytes, headers: Mapping[str, str]) -> bool:
        timestamp = headers.get("X-Slack-Request-Timestamp")
        signature = headers.get("X-Slack-Signature")
        try:
            return self._verifier.is_valid(body, timestamp, signature)
        except (ValueError, TypeError, OverflowError):
            # A timestamp that is no number, a header beyond ASCII, a body that is no UTF-8.
            return False
