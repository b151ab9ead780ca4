"""What is counted and shown of a turn that has to wait."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, cast

import pytest

from agencyclaw.conversation import turn
from agencyclaw.conversation.turn import Turn
from agencyclaw.domain.errors import AgencyClawError, Broken, Throttled, Unavailable
from agencyclaw.domain.receipts import Incoming, Receipt, ReceiptKind
from tests.fakes.ports import NOW, a_place


class Durations:
    """A histogram that keeps how the turns ended."""

    def __init__(self) -> None:
        self.outcomes: list[str] = []

    def record(self, _: float, attributes: dict[str, str]) -> None:
        self.outcomes.append(attributes["outcome"])


class OneReceipt:
    async def next_message(self, _: str) -> Receipt:
        incoming = Incoming(
            key="message:1",
            source="events",
            kind=ReceiptKind.MESSAGE,
            place=a_place(),
            slack_ts="1.0",
            slack_user_id="U01INES",
        )
        return Receipt(id=1, incoming=incoming, received_at=NOW)


class EndsWith:
    """Running turns that all end with one error."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def run(self, _: int, work: Coroutine[Any, Any, None]) -> None:
        work.close()
        raise self.error


class Status:
    def __init__(self) -> None:
        self.texts: list[str] = []

    def say(self, _: object, text: str) -> None:
        self.texts.append(text)


@pytest.mark.parametrize(
    ("error", "outcome", "texts"),
    [
        (Unavailable("Slack is not answering."), "waits", []),
        (Throttled("Later.", after=3.0), "waits", []),
        (Broken("A bug."), "failed", [""]),
    ],
)
async def test_a_turn_that_a_service_holds_up_waits_and_keeps_its_status(
    monkeypatch: pytest.MonkeyPatch, error: AgencyClawError, outcome: str, texts: list[str]
) -> None:
    durations, status, nothing = Durations(), Status(), cast("Any", None)
    monkeypatch.setattr(turn, "_DURATION", durations)
    handler = Turn(
        db=nothing,
        receipts=cast("Any", OneReceipt()),
        identify=nothing,
        acts=nothing,
        conversation=nothing,
        running=cast("Any", EndsWith(error)),
        waiting=nothing,
        dead_letters=nothing,
        status=cast("Any", status),
    )

    with pytest.raises(type(error)):
        await handler.handle_next("lane")

    assert (durations.outcomes, status.texts) == ([outcome], texts)
