"""Finds streams whose process died before it received their ts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import logfire

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.people import Place
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.streams import Streams

NOT_STREAMING = "message_not_in_streaming_state"

# A call that began longer ago has reached Slack, or never will.
LONGEST_S = 6.0

_PAGE_SIZE = 200
# Our database's clock and Slack's need not agree.
_SKEW_S = 120.0


@dataclass(frozen=True)
class LostStreams:
    """Finds our own messages in a thread that no delivery owns, and adopts them."""

    web: Web
    me: BotIdentity
    streams: Streams
    settle_s: float = 2.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def adopt(self, outbox_id: UUID, place: Place, since: float) -> str | None:
        """Give a delivery the stream it began, and delete any others; None if there is none."""
        streams = await self._unowned(place, since)
        if not streams:
            # One that was opened a moment ago may still be on its way to the thread.
            await self.sleep(self.settle_s)
            streams = await self._unowned(place, since)
        if not streams:
            return None
        ts, *others = streams
        await self.streams.own(outbox_id, ts)
        for other in others:
            await self._remove(place, other)
        logfire.info("slack.stream_adopted", others=len(others))
        return ts

    async def stop(self, place: Place, ts: str) -> None:
        """Stop a stream; one that is not streaming is left as it is."""
        try:
            await self.web.call(Method.STOP_STREAM, channel=place.channel_id, ts=ts)
        except Refused as refusal:
            if refusal.reason not in (NOT_STREAMING, "message_not_found"):
                raise

    async def _remove(self, place: Place, ts: str) -> None:
        await self.stop(place, ts)
        try:
            await self.web.call(Method.DELETE, channel=place.channel_id, ts=ts)
        except Refused as refusal:
            logfire.warn("slack.orphan_stays", reason=refusal.reason)

    async def _unowned(self, place: Place, since: float) -> list[str]:
        try:
            page = await self.web.call(
                Method.REPLIES,
                channel=place.channel_id,
                ts=place.thread_ts,
                oldest=f"{max(0.0, since - _SKEW_S, float(place.thread_ts)):.6f}",
                limit=_PAGE_SIZE,
                include_all_metadata=True,
            )
        except Refused as refusal:
            if refusal.reason == "thread_not_found":
                return []
            raise
        messages: list[dict[str, Any]] = page.get("messages") or []
        ours = [str(message["ts"]) for message in messages if self._is_unfinished(message)]
        owned = await self.streams.owned(place, ours) if ours else set[str]()
        return [ts for ts in ours if ts not in owned]

    def _is_unfinished(self, message: dict[str, Any]) -> bool:
        """Return whether it is a stream of ours: only those have no metadata, until they end."""
        return message.get("bot_id") == self.me.bot_id and not message.get("metadata")
