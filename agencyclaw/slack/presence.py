"""What a person sees while we work: one line under the thread, never more than a courtesy."""

from __future__ import annotations

import asyncio

import logfire

from agencyclaw.domain.people import Place
from agencyclaw.domain.text import cut
from agencyclaw.slack.inert import one_line
from agencyclaw.slack.web import Method, Web

_STATUS_LIMIT = 100


class Presence:
    """Says what is going on; its failures are nobody's failures."""

    def __init__(self, web: Web, *, timeout_s: float = 2.0) -> None:
        self._web = web
        self._timeout_s = timeout_s

    async def say(self, place: Place, text: str) -> None:
        """Show a status in a thread until we post there; an empty text takes it away."""
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._web.call(
                    Method.SET_STATUS,
                    channel_id=place.channel_id,
                    thread_ts=place.thread_ts,
                    status=cut(one_line(text), _STATUS_LIMIT),
                )
        except Exception as error:  # no kind of failure here may cost anybody an answer
            logfire.debug("slack.status_failed", error=type(error).__name__)
