"""One turn, top to bottom. Read this first.

A job says that a lane has work. The turn takes the lane's oldest unhandled message, finds out who
speaks, lets code handle a plain yes or no, and otherwise gathers, acts, verifies and answers. All
it leaves behind is written in one transaction at the end, so a turn that is killed just runs again.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from uuid import UUID, uuid4

import logfire

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.acts import Acts
from agencyclaw.conversation.answer import Conversation
from agencyclaw.conversation.dead_letters import DeadLetters, is_dead
from agencyclaw.conversation.endings import end_silently, reply, turn_away
from agencyclaw.conversation.going_on import BackgroundTurns
from agencyclaw.conversation.identity import who_spoke
from agencyclaw.conversation.running import RunningTurns
from agencyclaw.conversation.turn_log import log_turn
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.deps.status import StatusIndicator
from agencyclaw.domain.consent.words import read_word
from agencyclaw.domain.errors import DatabaseUnavailable, Unavailable
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness
from agencyclaw.domain.receipts import Addressed, Receipt
from agencyclaw.proposals.identities import Identify, Identity, Unidentified, Unverified
from agencyclaw.spans import traced
from agencyclaw.store.engine import AWAY, Database
from agencyclaw.store.receipts import Receipts

_DURATION = logfire.metric_histogram(
    "agencyclaw.turn.duration", unit="s", description="One attempt at a message, end to end"
)
_RECORDS = message("turn.records")


@dataclass(frozen=True)
class Turn:
    """Handles stored receipts; built once by the composition root."""

    db: Database
    receipts: Receipts
    identify: Identify
    acts: Acts
    conversation: Conversation
    running: RunningTurns
    waiting: WaitingMessages
    dead_letters: DeadLetters
    status: StatusIndicator
    messages_per_minute: int = 20

    @property
    def background(self) -> BackgroundTurns:
        """What goes on beside the conversations."""
        return BackgroundTurns(self.db, self.running, self.acts.consent)

    async def handle_next(self, lane: str) -> None:
        """Handle the lane's oldest unhandled message (steps 3 to 10)."""
        receipt = await self.receipts.next_message(lane)
        if receipt is None:
            return
        with traced("turn", receipt=receipt.id, attempt=receipt.attempts):
            began, outcome = time.monotonic(), "failed"
            try:
                await self.running.run(receipt.id, self._attempt(receipt, self._handle))
                outcome = "handled"
            except (DatabaseUnavailable, *AWAY):
                outcome = "waits"
                self._show(receipt, fixed_texts.waiting_for(_RECORDS))
                raise
            except Unavailable:
                outcome = "waits"
                raise
            finally:
                _DURATION.record(time.monotonic() - began, {"outcome": outcome})
                if outcome != "waits":
                    self._show(receipt, "")
                    if receipt.goes_on_from:
                        await self.background.show(receipt.id)

    async def handle_act(self, receipt_id: int) -> None:
        """Handle a click, a Stop or a whole-message refusal; these take no lane."""
        receipt = await self.receipts.claim(receipt_id)
        if receipt is None:
            return
        with traced("act", receipt=receipt.id, kind=receipt.incoming.kind.value):
            await self._attempt(receipt, self.acts.handle)

    async def _attempt(
        self, receipt: Receipt, handle: Callable[[Receipt], Awaitable[UUID | None]]
    ) -> None:
        """Handle a receipt once more, unless it failed too often."""
        if is_dead(receipt):
            await self.dead_letters.set_aside(receipt)
            return
        began = time.monotonic()
        try:
            run_id = await handle(receipt)
            log_turn("turn ended", receipt, began, run=str(run_id) if run_id else None)
        except (Unavailable, *AWAY) as error:
            # A service is away, which is not the message's failure.
            log_turn("turn waits", receipt, began, why=str(error) or type(error).__name__)
            raise
        except Exception as error:
            log_turn("turn failed", receipt, began, error=type(error).__name__)
            await self.receipts.count_failure(receipt.id)
            raise

    async def _handle(self, receipt: Receipt) -> UUID | None:
        """Handle a message; returns the run that answered it, if there was one."""
        incoming = receipt.incoming
        if incoming.addressed is Addressed.US:
            self.status.begin(incoming.place, receipt_id=receipt.id)
        word = read_word(incoming.text) if incoming.is_plain else None
        if word:
            ruling = await self.acts.by_word(receipt, word)
            if ruling is None:
                return None
            receipt = receipt.model_copy(update={"missed": ruling.why})
        if incoming.addressed is Addressed.OTHERS:
            await end_silently(self.db, receipt, "said_to_others")
            return None
        match await who_spoke(self.identify, incoming, Freshness.RECENT):
            case Unidentified(reason=reason, message=message):
                await turn_away(self.db, receipt, reason, message)
            case Unverified() as unverified:
                await self.waiting.for_slack(receipt, unverified)
            case Identity() as identity:
                return await self._converse(receipt, identity)
        return None

    async def _converse(self, receipt: Receipt, identity: Identity) -> UUID | None:
        incoming, text = receipt.incoming, receipt.incoming.text
        self._show(receipt, fixed_texts.THINKING)
        takes_commands = (incoming.place.is_direct or incoming.is_bare) and not incoming.quoted
        if notice := fixed_texts.command(text, is_direct=takes_commands):
            if fixed_texts.is_new_conversation(text):
                await self.conversation.end_session(receipt)
            await reply(self.db, receipt, notice, reason="command", actor=identity.actor)
            return None
        if receipt.lately > self.messages_per_minute and not receipt.goes_on_from:
            notice = message("talk.too_many", at_most=self.messages_per_minute)
            await reply(self.db, receipt, notice, reason="too_many_messages", actor=identity.actor)
            return None
        run_id = uuid4()
        await self.conversation.answer(receipt, identity, run_id=run_id)
        return run_id

    def _show(self, receipt: Receipt, text: str) -> None:
        """Show a status under a thread, unless its message may be for somebody else."""
        if receipt.incoming.addressed is Addressed.US:
            self.status.say(receipt.incoming.place, text)
