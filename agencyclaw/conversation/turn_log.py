"""The log line of every attempt to handle a message or press."""

from __future__ import annotations

import time

import logfire

from agencyclaw.domain.receipts import Receipt
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.spans import logged


def log_turn(what: str, receipt: Receipt, began: float, **facts: str | None) -> None:
    """Write the log line of one attempt."""
    incoming = receipt.incoming
    attributes = {name: redacted(value) for name, value in facts.items() if value}
    # An error's words pass logfire's scrubbing.
    write = logfire.info if "why" in attributes else logged
    write(
        what,
        kind=incoming.kind.value,
        receipt=receipt.id,
        team=incoming.place.team_id,
        channel=incoming.place.channel_id,
        attempt=receipt.attempts,
        ms=round((time.monotonic() - began) * 1000),
        **attributes,  # pyright: ignore[reportArgumentType]
    )
