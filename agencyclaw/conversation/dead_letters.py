"""Messages that failed too often: set aside, so that they do not hold up their lane."""

from __future__ import annotations

from dataclasses import dataclass

import logfire

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.deferred_acts import DeferredActs
from agencyclaw.conversation.endings import reply
from agencyclaw.conversation.interrupted_run import with_last_steps
from agencyclaw.domain.receipts import Receipt, ReceiptKind
from agencyclaw.domain.runs import RunStatus
from agencyclaw.store.engine import Database
from agencyclaw.store.runs import end_runs

MAX_FAILURES = 5
# An attempt that ends with its worker is no failure, unless it ends every worker.
MAX_ATTEMPTS = 100


def is_dead(receipt: Receipt) -> bool:
    """Return whether a message failed too often, or can't be read any more."""
    is_spent = receipt.failures >= MAX_FAILURES or receipt.attempts > MAX_ATTEMPTS
    return is_spent or not receipt.is_readable


@dataclass(frozen=True)
class DeadLetters:
    """Gives up messages, and tells their authors."""

    db: Database
    deferred: DeferredActs

    async def set_aside(self, receipt: Receipt) -> None:
        """Close a receipt with an apology, and with what its last run was doing."""
        logfire.error("receipt set aside", receipt=receipt.id)
        await end_runs(self.db.pool, receipt.id, RunStatus.FAILED, "set aside")
        if receipt.incoming.kind is ReceiptKind.COMMAND:
            await self.deferred.end(receipt, fixed_texts.GIVEN_UP)
            return
        text = await with_last_steps(self.db.pool, receipt.id, fixed_texts.GIVEN_UP, refers=True)
        # Nobody else knows that a shortcut was used.
        is_private = receipt.incoming.kind is ReceiptKind.SHORTCUT
        await reply(self.db, receipt, text, reason="poisoned", status="dead", is_private=is_private)
