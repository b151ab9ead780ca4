"""Carries out `run_retry`: the failed run's message is answered again, with today's rights."""

from __future__ import annotations

from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.retries import RetryRun
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.store.engine import Connection
from agencyclaw.store.retries import store_retry


class RunRetrying(DatabaseHandler[RetryRun]):
    """Queues the message once more; what it leads to is proposed anew, never carried out."""

    kind = RetryRun

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Store the message's next attempt, unless somebody began it meanwhile."""
        effect = self.effect_of(proposal)
        if not await store_retry(conn, effect.run, effect.number):
            return NotDone("changed_since", message("retries.since"), can_retry=False)
        number = {"run": str(effect.run), "retries": effect.number}
        return Done({"before": number | {"retries": effect.number - 1}, "after": number})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say whose message is answered again, where it was asked."""
        return Note(text=message("retries.begun", person=self.effect_of(proposal).person))
