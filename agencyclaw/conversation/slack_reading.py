"""What a run may read in Slack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agencyclaw.domain.conversations import Channel, ChannelMessage, Period
from agencyclaw.domain.people import Place
from agencyclaw.domain.thread import ThreadPost


class SlackReading(Protocol):
    """Reads what people wrote. Raises Unavailable, Throttled, Unclear or Misconfigured."""

    async def posts(self, place: Place, *, until: str) -> Sequence[ThreadPost]:
        """Return a thread's messages before a timestamp, oldest first, without ours."""
        ...

    async def shared(self, slack_user_id: str) -> Sequence[Channel]:
        """Return the conversations that both a person and we are in, direct messages left out."""
        ...

    async def messages(
        self, place: Place, channel: Channel, period: Period, *, pages: int
    ) -> tuple[Sequence[ChannelMessage], bool]:
        """Return what people wrote in one, oldest first, and whether that is all of it."""
        ...

    async def file(self, file_id: str, *, at_most: int) -> bytes | None:
        """Return an attached file's bytes; None if it has more than `at_most`."""
        ...

    async def searched(
        self, place: Place, ts: str, words: str, period: Period
    ) -> Sequence[ChannelMessage] | None:
        """Return what Slack finds in public channels for a message; None if it does not search."""
        ...
