"""Finds what an earlier attempt at a delivery posted, before anything is posted again."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.receipts import Delivery
from agencyclaw.slack.files import has_file
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.web import Method, Web, pages

EVENT_TYPE = "agencyclaw_delivery"

_PAGES = 5
_PAGE_SIZE = 200
# Our database's clock and Slack's need not agree.
_SKEW_S = 120.0
# With the usual two seconds in between, ten seconds.
_FILE_TRIES = 5


@dataclass(frozen=True)
class PostedMessages:
    """Searches a delivery's conversation for its id in the metadata, or for its file."""

    web: Web
    me: BotIdentity
    settle_s: float
    sleep: Callable[[float], Awaitable[None]]

    async def find(self, row: Delivery) -> dict[int, str]:
        """Return the parts of a delivery that an earlier attempt posted in the thread."""
        if not row.was_sending:
            return {}
        parts = await self._parts_in_slack(row)
        if 0 not in parts:
            # A post whose connection just broke may still be on its way to the thread.
            await self.sleep(self.settle_s)
            parts = await self._parts_in_slack(row)
        return parts

    async def find_file(self, row: Delivery, file_id: str) -> str | None:
        """Wait until a file is in its thread; Slack shows it some moments after it took it."""
        row = row.model_copy(update={"file_id": file_id})
        for _ in range(_FILE_TRIES):
            parts = await self._parts_in_slack(row)
            if 0 in parts:
                return parts[0]
            await self.sleep(self.settle_s)
        return None

    async def _parts_in_slack(self, row: Delivery) -> dict[int, str]:
        parts: dict[int, str] = {}
        try:
            async for message in self._messages(row):
                part = self._part_of(row, message)
                if part is not None:
                    parts[part] = str(message["ts"])
        except Refused as refusal:
            if refusal.reason != "thread_not_found":
                raise
        return parts

    async def _messages(self, row: Delivery) -> AsyncGenerator[dict[str, Any]]:
        """Yield the messages of a delivery's conversation since shortly before it was sent."""
        thread_ts = row.place.thread_ts
        listing = pages(
            self.web,
            Method.REPLIES if thread_ts else Method.HISTORY,
            _PAGES,
            channel=row.place.channel_id,
            ts=thread_ts or None,
            oldest=f"{max(0.0, (row.sending_at or 0.0) - _SKEW_S):.6f}",
            limit=_PAGE_SIZE,
            include_all_metadata=True,
        )
        async for page, _ in listing:
            messages: list[dict[str, Any]] = page.get("messages") or []
            for message in messages:
                yield message

    def _part_of(self, row: Delivery, message: dict[str, Any]) -> int | None:
        """Return which part of a delivery a message is; None if it is none of it."""
        if row.file_id and has_file(message, row.file_id):
            return 0
        if message.get("bot_id") != self.me.bot_id:
            return None
        metadata: dict[str, Any] = message.get("metadata") or {}
        payload: dict[str, Any] = metadata.get("event_payload") or {}
        if metadata.get("event_type") != EVENT_TYPE or payload.get("id") != str(row.id):
            return None
        return int(payload.get("part", 0))
