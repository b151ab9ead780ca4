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
    """Says what is going on, behind the backs of those who work; its failures are nobody's."""

    def __init__(self, web: Web, *, timeout_s: float = 2.0) -> None:
        self._web = web
        self._timeout_s = timeout_s
        self._latest: dict[Place, str] = {}
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to show what is said."""
        self._task = asyncio.create_task(self._show_all(), name="slack presence")

    async def close(self) -> None:
        """Stop showing."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    def say(self, place: Place, text: str) -> None:
        """Show a status in a thread until we post there; of several waiting only the latest."""
        self._latest[place] = text
        self._news.set()

    async def _show_all(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            waiting, self._latest = self._latest, {}
            await asyncio.gather(*(self._show(place, text) for place, text in waiting.items()))

    async def _show(self, place: Place, text: str) -> None:
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
