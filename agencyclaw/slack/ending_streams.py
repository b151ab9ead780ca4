"""Ends a delivery that began as a stream: its message gets the final text.

If the streamed text is known exactly and the answer continues it, the stream is stopped with the
rest of it. In every other case (expired, withdrawn, left by a process that died) the stream is
stopped as it is and the message rewritten, which may be repeated.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import logfire

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.receipts import Delivery
from agencyclaw.slack.blocks import Message
from agencyclaw.slack.lost_streams import LONGEST_S, NOT_STREAMING, LostStreams
from agencyclaw.slack.web import BAD_CONTENT, NOT_CHANGEABLE, Method, Web
from agencyclaw.store.outbox import CLOSED_CHANNEL

_POLL_S = 0.05
_GONE = NOT_CHANGEABLE | {"message_not_owned_by_app"}


async def end_stream(
    web: Web, lost_streams: LostStreams, row: Delivery, message: Message, metadata: dict[str, Any]
) -> str | None:
    """Return the ts of the message that has the final text; None if there is no stream.

    Raises what `Web.call` raises, and may be called again afterwards.
    """
    row = await _at_rest(lost_streams, row)
    ts = row.stream_ts or await lost_streams.adopt(row.id, row.place, row.queued_at)
    if ts is None:
        return None
    channel_id = row.place.channel_id
    rest = _remaining_text(row, message)
    if rest is not None and await _stop_with(rest, web, channel_id, ts, message, metadata):
        return ts
    await lost_streams.stop(row.place, ts)
    return ts if await rewrite(web, channel_id, ts, message, metadata) else None


async def _at_rest(lost_streams: LostStreams, row: Delivery) -> Delivery:
    """Wait for a write in progress, of any process, so that it can't arrive after the end."""
    while True:
        rested = await lost_streams.streams.at_rest(row, LONGEST_S)
        if rested is not None:
            return rested
        await lost_streams.sleep(_POLL_S)


def _remaining_text(row: Delivery, message: Message) -> str | None:
    """Return the text to append to the stream; None if that is not certain."""
    first = message.blocks[0]
    text = str(first.get("text", "")) if first["type"] == "markdown" else ""
    if not row.stream_is_whole or row.was_sending or not text.startswith(row.stream_text or ""):
        return None
    return text[len(row.stream_text or "") :]


async def _stop_with(
    rest: str, web: Web, channel_id: str, ts: str, message: Message, metadata: dict[str, Any]
) -> bool:
    """Stop the stream with the rest of its text; False if Slack refuses that."""
    try:
        await web.call(
            Method.STOP_STREAM,
            channel=channel_id,
            ts=ts,
            markdown_text=rest or None,
            blocks=message.blocks[1:] or None,
            metadata=metadata,
        )
    except Refused as refusal:
        if refusal.reason not in BAD_CONTENT | _GONE | {NOT_STREAMING}:
            raise
        logfire.info("slack.stream_not_stopped", reason=refusal.reason)
        return False
    return True


async def rewrite(
    web: Web, channel_id: str, ts: str, message: Message, metadata: dict[str, Any] | None = None
) -> bool:
    """Rewrite a message of ours, without blocks if Slack refuses them.

    False if it can't be changed any more: it is gone, or its channel is closed. Without metadata it
    keeps what it has. Raises what `Web.call` raises.
    """
    update = partial(
        web.call, Method.UPDATE, channel=channel_id, ts=ts, text=message.text, metadata=metadata
    )
    try:
        await update(blocks=message.blocks)
    except Refused as refusal:
        if refusal.reason in _GONE | CLOSED_CHANNEL:
            return False
        if refusal.reason not in BAD_CONTENT:
            raise
        await update(blocks=[])
    return True
