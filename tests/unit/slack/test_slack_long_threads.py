"""Threads of thousands of messages are read whole, as far as Slack gives them in a few calls."""

from __future__ import annotations

from typing import Any

import pytest

from agencyclaw.domain.errors import TooLong
from agencyclaw.slack.threads import Threads
from agencyclaw.slack.web import Method

ROOT = "1700000000.000100"


class LongThread:
    """Slack with one thread, which it gives in pages that all begin with the root."""

    def __init__(self, replies: int) -> None:
        self._replies = [
            {"ts": f"17000{number:05}.0001", "thread_ts": ROOT} for number in range(1, replies + 1)
        ]

    async def call(
        self, method: Method, *, limit: int, cursor: str | None, **_: Any
    ) -> dict[str, Any]:
        assert method is Method.REPLIES
        start = int(cursor or 0)
        end = start + min(limit, 1_000)
        following = str(end) if end < len(self._replies) else ""
        return {
            "messages": [{"ts": ROOT}, *self._replies[start:end]],
            "response_metadata": {"next_cursor": following},
        }


async def read(replies: int) -> list[str]:
    threads = Threads(LongThread(replies))  # pyright: ignore[reportArgumentType]
    return [message.ts async for message in threads.replies("C01", ROOT)]


@pytest.mark.parametrize("replies", [0, 1, 1_000, 1_001, 4_500])
async def test_every_message_is_read_once(replies: int) -> None:
    found = await read(replies)

    assert len(found) == len(set(found)) == replies + 1


async def test_a_thread_beyond_that_is_told_apart_from_one_that_is_away() -> None:
    with pytest.raises(TooLong):
        await read(5_001)
