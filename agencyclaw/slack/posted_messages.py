"""Finds what an earlier attempt at a delivery posted, before anything is posted again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, cast

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.receipts import Delivery
from agencyclaw.slack.files import holds
from agencyclaw.slack.ports import Identity
from agencyclaw.slack.web import Method, Web

EVENT_TYPE = "agencyclaw_delivery"

_PAGES = 5
_PAGE_SIZE = 200
# Our database's clock and Slack's need not agree.
_SKEW_S = 120.0
# With two seconds in between: ten seconds.
_LOOKS_FOR_FILE = 5


@dataclass(frozen=True)
class PostedMessages:
    """Looks in a delivery's conversation for its id in the metadata, or for its file."""

    web: Web
    me: Identity
    settle_s: float
    sleep: Callable[[float], Awaitable[None]]

    async def find(self, row: Delivery) -> dict[int, str]:
        """Return the parts of a delivery that an earlier attempt posted in the thread."""
        if not row.was_sending:
            return {}
        found = await self._look(row)
        if 0 not in found:
            # A post that broke off a moment ago may still be on its way to the thread; when the
            # last one was sent is not known, and no two clocks need agree.
            await self.sleep(self.settle_s)
            found = await self._look(row)
        return found

    async def find_file(self, row: Delivery, file_id: str) -> str | None:
        """Wait until a file is in its thread; Slack shows it some moments after it took it."""
        there = row.model_copy(update={"file_id": file_id})
        for _ in range(_LOOKS_FOR_FILE):
            if (ts := (await self._look(there)).get(0)) is not None:
                return ts
            await self.sleep(self.settle_s)
        return None

    async def _look(self, row: Delivery) -> dict[int, str]:
        found: dict[int, str] = {}
        cursor: str | None = None
        for _ in range(_PAGES):
            page = await self._replies(row, cursor)
            messages = cast("list[dict[str, Any]]", page.get("messages") or [])
            found |= {
                part: str(message["ts"])
                for message in messages
                if (part := self._part_of(row, message)) is not None
            }
            more: dict[str, str] = page.get("response_metadata") or {}
            cursor = more.get("next_cursor")
            if not cursor:
                break
        return found

    async def _replies(self, row: Delivery, cursor: str | None) -> dict[str, Any]:
        thread = row.place.thread_ts
        try:
            return await self.web.call(
                Method.REPLIES if thread else Method.HISTORY,
                channel=row.place.channel_id,
                ts=thread or None,
                oldest=f"{max(0.0, (row.sending_at or 0.0) - _SKEW_S):.6f}",
                limit=_PAGE_SIZE,
                include_all_metadata=True,
                cursor=cursor,
            )
        except Refused as refusal:
            if refusal.reason == "thread_not_found":
                return {}
            raise

    def _part_of(self, row: Delivery, message: dict[str, Any]) -> int | None:
        """Return which part of a delivery a message is; only our own messages and files count."""
        if holds(message, row.file_id):
            return 0
        if message.get("bot_id") != self.me.bot_id:
            return None
        metadata: dict[str, Any] = message.get("metadata") or {}
        payload: dict[str, Any] = metadata.get("event_payload") or {}
        if metadata.get("event_type") != EVENT_TYPE or payload.get("id") != str(row.id):
            return None
        return int(payload.get("part", 0))
