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

from agencyclaw.agents.policies.progress import StatusIndicator
from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.acts import Acts
from agencyclaw.conversation.answer import Conversation
from agencyclaw.conversation.endings import end_silently, reply, turn_away
from agencyclaw.conversation.identity import who_spoke
from agencyclaw.conversation.interrupted_run import with_last_steps
from agencyclaw.conversation.turn_log import log_turn
from agencyclaw.domain.consent import read_word
from agencyclaw.domain.errors import DatabaseUnavailable, Throttled, Unavailable
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness
from agencyclaw.domain.receipts import Addressed, Receipt, ReceiptKind
from agencyclaw.proposals.identities import Known, Unidentified, Unverified
from agencyclaw.store.engine import AWAY, Database
from agencyclaw.store.receipts import Receipts

_DURATION = logfire.metric_histogram(
    "agencyclaw.turn.duration", unit="s", description="One attempt at a message, end to end"
)
MAX_FAILURES = 5
# The end of its worker is not a message's fault, unless it takes every worker along.
MAX_ATTEMPTS = 100
_RECORDS = message("turn.records")


@dataclass(frozen=True)
class Turn:
    """Handles stored receipts; built once by the composition root."""

    db: Database
    receipts: Receipts
    acts: Acts
    conversation: Conversation
    status: StatusIndicator
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
                await self.acts.stopping.running.run(receipt.id, work)
                outcome = "handled"
            except Throttled:
                outcome = "waits"
                raise
            except (DatabaseUnavailable, *AWAY):
                outcome = "waits"
                self._show(receipt, fixed_texts.waiting_for(_RECORDS))
                raise
            finally:
                _DURATION.record(time.monotonic() - began, {"outcome": outcome})
                if outcome != "waits":
                    self._show(receipt, "")

    async def act(self, receipt_id: int) -> None:
        """Handle a click, a Stop or a whole-message refusal; these take no lane."""
        receipt = await self.receipts.claim(receipt_id)
        if receipt is None:
            return
        with logfire.span("act", receipt=receipt.id, kind=receipt.incoming.kind.value):
            await self._attempt(receipt, self.acts.decide)

    async def _attempt(
        self, receipt: Receipt, handle: Callable[[Receipt], Awaitable[UUID | None]]
    ) -> None:
        """Handle a receipt once more, or set it aside if it failed too often or can't be read."""
        is_spent = receipt.failures >= MAX_FAILURES or receipt.attempts > MAX_ATTEMPTS
        if is_spent or not receipt.is_readable:
            await self._set_aside(receipt)
            return
        began = time.monotonic()
        try:
            run_id = await handle(receipt)
            log_turn("turn ended", receipt, began, run=str(run_id) if run_id else None)
        except (Unavailable, *AWAY) as error:
            # A neighbour is away; that is not the message's own failure.
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
            self.status.begin(incoming.place, incoming.text, incoming.slack_user_id)
        word = read_word(incoming.text) if incoming.is_plain else None
        if word and await self.acts.by_word(receipt, word):
            return None
        if incoming.addressed is Addressed.OTHERS:
            await end_silently(self.db, receipt, "said_to_others")
            return None
        match await who_spoke(self.acts.identify, incoming, Freshness.RECENT):
            case Unidentified(reason=reason, message=message):
                await turn_away(self.db, receipt, reason, message)
            case Unverified() as unverified:
                await self.acts.waiting.for_slack(receipt, unverified)
            case Known() as known:
                return await self._converse(receipt, known)
        return None

    async def _converse(self, receipt: Receipt, known: Known) -> UUID | None:
        incoming, text = receipt.incoming, receipt.incoming.text
        self._show(receipt, fixed_texts.THINKING)
        takes_commands = (incoming.place.is_direct or incoming.is_bare) and not incoming.quoted
        if notice := fixed_texts.command(text, is_direct=takes_commands):
            await self.conversation.end_session_if_asked(receipt, text)
            await reply(self.db, receipt, notice, reason="command", actor=known.actor)
            return None
        if receipt.lately > self.messages_per_minute:
            notice = fixed_texts.too_many(self.messages_per_minute)
            await reply(self.db, receipt, notice, reason="too_many_messages", actor=known.actor)
            return None
        run_id = uuid4()
        await self.conversation.answer(receipt, known, run_id=run_id)
        return run_id

    def _show(self, receipt: Receipt, text: str) -> None:
        """Show a status under a thread, unless its message may be for somebody else."""
        if receipt.incoming.addressed is Addressed.US:
            self.status.say(receipt.incoming.place, text)

    async def _set_aside(self, receipt: Receipt) -> None:
        """Give up a message that fails repeatedly, so that it does not hold up its lane."""
        logfire.error("receipt set aside", receipt=receipt.id)
        await self.conversation.runs.abandon(receipt.id, "set aside")
        if receipt.incoming.kind is ReceiptKind.COMMAND:
            await self.acts.commands.deferred.end(receipt, fixed_texts.GIVEN_UP)
            return
        text = await with_last_steps(self.db.pool, receipt.id, fixed_texts.GIVEN_UP, refers=True)
        await reply(self.db, receipt, text, reason="poisoned", status="dead")
