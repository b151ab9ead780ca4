"""One turn, top to bottom. Read this first.

A job says that a lane has work. The turn takes the lane's oldest unhandled message, finds out who
speaks, lets code handle a plain yes or no, and otherwise gathers, acts, verifies and answers. All
it leaves behind is written in one transaction at the end, so a turn that is killed just runs again.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import uuid4

import logfire

from agencyclaw.agents.policies.progress import Presence
from agencyclaw.domain.consent import Word, read_word
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Receipt, ReceiptKind
from agencyclaw.effects.consent import Consent
from agencyclaw.effects.standing import Present
from agencyclaw.lanes import sentences
from agencyclaw.lanes.conversation import Conversation
from agencyclaw.lanes.endings import reply
from agencyclaw.lanes.identity import Known, Stranger, seen_from
from agencyclaw.lanes.stopping import Stopping
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Receipts

_DURATION = logfire.metric_histogram(
    "agencyclaw.turn.duration", unit="s", description="One attempt at a message, end to end"
)
# An attempt that fails counts twice, one cut short by the end of its worker once.
MAX_ATTEMPTS = 9


@dataclass(frozen=True)
class Turn:
    """Everything a turn needs, built once by the composition root."""

    db: Database
    receipts: Receipts
    identify: Callable[[Place, str], Awaitable[Known | Stranger]]
    consent: Consent
    conversation: Conversation
    presence: Presence
    stopping: Stopping
    messages_per_minute: int = 20

    async def take(self, lane: str) -> None:
        """Handle the lane's oldest unhandled message (steps 3 to 10)."""
        receipt = await self.receipts.next_message(lane)
        if receipt is None:
            return
        with logfire.span("turn", receipt=receipt.id, attempt=receipt.attempts):
            began, outcome = time.monotonic(), "failed"
            try:
                work = self._attempt(receipt, self._handle)
                await self.stopping.running.run(receipt.id, work)
                outcome = "handled"
            finally:
                _DURATION.record(time.monotonic() - began, {"outcome": outcome})
                self.presence.say(receipt.incoming.place, "")

    async def act(self, receipt_id: int) -> None:
        """Handle a click, a Stop or a whole-message refusal; these take no lane."""
        receipt = await self.receipts.claim(receipt_id)
        if receipt is None:
            return
        with logfire.span("act", receipt=receipt.id, kind=receipt.incoming.kind.value):
            await self._attempt(receipt, self._decide)

    async def _attempt(
        self, receipt: Receipt, handle: Callable[[Receipt], Awaitable[None]]
    ) -> None:
        """Try once more, or set aside what failed too often or can't be read."""
        if receipt.attempts > MAX_ATTEMPTS or not receipt.is_readable:
            await self._set_aside(receipt)
            return
        try:
            await handle(receipt)
        except Exception:
            await self.receipts.blame(receipt.id)
            raise

    async def _decide(self, receipt: Receipt) -> None:
        match await self._who(receipt):
            case Stranger() as stranger:
                await self._turn_away(receipt, stranger)
            case Known() as known:
                await self._settle_act(receipt, known)

    async def _handle(self, receipt: Receipt) -> None:
        text = receipt.incoming.text
        self.presence.begin(receipt.incoming.place, text, receipt.incoming.slack_user_id)
        self.presence.say(receipt.incoming.place, sentences.THINKING)
        match await self._who(receipt):
            case Stranger() as stranger:
                await self._turn_away(receipt, stranger)
                return
            case Known() as known:
                pass
        # What was typed as a question elsewhere is no word about what waits here.
        word = read_word(text) if receipt.incoming.source != "commands" else None
        if word and await self.consent.by_word(receipt, _present(known), word):
            return
        if said := sentences.command(text, is_direct=receipt.incoming.place.is_direct):
            await self.conversation.renew_if_asked(receipt, text)
            await reply(self.db, receipt, said, reason="command", actor=known.actor)
            return
        if receipt.lately > self.messages_per_minute:
            said = sentences.too_many(self.messages_per_minute)
            await reply(self.db, receipt, said, reason="too_many_messages", actor=known.actor)
            return
        await self.conversation.answer(receipt, known, run_id=uuid4())

    async def _settle_act(self, receipt: Receipt, known: Known) -> None:
        incoming = receipt.incoming
        if incoming.kind is ReceiptKind.CLICK and incoming.click:
            await self.consent.by_click(receipt, _present(known), incoming.click)
            return
        if incoming.kind is ReceiptKind.STOP:
            await self.stopping.by_button(receipt, _present(known))
            return
        word = read_word(incoming.text) or Word.NO
        if word is Word.COMMAND_NO and await self.stopping.by_word(receipt, _present(known)):
            return
        if not await self.consent.by_word(receipt, _present(known), word):
            await self.receipts.make_conversation(receipt)

    async def _who(self, receipt: Receipt) -> Known | Stranger:
        with logfire.span("identify"):
            incoming = receipt.incoming
            who = await self.identify(incoming.place, incoming.slack_user_id)
            return seen_from(incoming, who)

    async def _turn_away(self, receipt: Receipt, stranger: Stranger) -> None:
        await reply(self.db, receipt, stranger.message, reason=stranger.reason)

    async def _set_aside(self, receipt: Receipt) -> None:
        """A message that fails again and again must not hold up its lane."""
        logfire.error("receipt set aside", receipt=receipt.id)
        await self.conversation.runs.abandon(receipt.id, "set aside")
        await reply(self.db, receipt, sentences.GIVEN_UP, reason="poisoned", status="dead")


def _present(known: Known) -> Present:
    return Present(known.actor, known.surface)
