"""Delivers one payload to the app and waits for its acknowledgement."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Literal

from workbench.slack.records import new_id
from workbench.storage import Document

EnvelopeType = Literal["events_api", "interactive", "slash_commands"]


@dataclass(frozen=True)
class Acked:
    """The app acknowledged, perhaps with a response."""

    payload: dict[str, Any]


@dataclass(frozen=True)
class NoAnswer:
    """Nobody acknowledged in time."""

    error: str


Answer = Acked | NoAnswer


@dataclass
class PayloadDelivery:
    """A payload in delivery, until it is acknowledged or given up."""

    type: EnvelopeType
    label: str
    payload: dict[str, Any]
    key: str = field(default_factory=lambda: new_id("Dl"))
    attempt: int = 0
    sent: bool = False
    redelivers: bool = False
    """Slack sends events again, but never a click, a form or a command."""
    envelope_id: str = field(default_factory=lambda: new_id("Ne"))
    sent_as: list[str] = field(default_factory=list[str])
    queued_at: float = 0.0
    answer: asyncio.Future[Answer] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def envelope(self) -> dict[str, Any]:
        return {
            "envelope_id": self.envelope_id,
            "payload": self.payload,
            "type": self.type,
            "accepts_response_payload": self.type != "events_api",
            "retry_attempt": self.attempt,
            "retry_reason": "timeout" if self.attempt else "",
        }

    def settle(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def start_retry(self) -> None:
        """Start a retry: a new envelope around the same payload."""
        self.attempt += 1
        self.envelope_id = new_id("Ne")

    def as_document(self) -> Document:
        names = ("type", "label", "payload", "key", "attempt", "sent", "redelivers")
        return {name: getattr(self, name) for name in names}
