"""Commands that can't be carried out yet: stored, retried, and answered in private."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Incoming, Note, OutboxKind, Receipt
from agencyclaw.proposals.identities import Unverified
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post
from agencyclaw.store.receipts import Receipts, close_receipt

_MARK = ":kept"


@dataclass(frozen=True)
class DeferredActs:
    """Stores what a person typed or pressed while Slack could not say who it was."""

    db: Database
    receipts: Receipts
    waiting: WaitingMessages

    async def defer(self, act: Incoming, unverified: Unverified) -> str:
        """Store an act with the job that retries it; returns the immediate reply.

        The act's own key stays unused: it makes sure that the act is carried out once.
        """
        await self.receipts.accept(act.model_copy(update={"key": act.key + _MARK}))
        return message("talk.kept", about=unverified.about)

    async def retry(self, receipt: Receipt, unverified: Unverified) -> None:
        """Raise Throttled for the next try; after ten minutes tell the person that it failed."""
        await self.waiting.retry(receipt, unverified.what_for, unverified.after_s)
        await self.end(receipt, fixed_texts.waited_in_vain(unverified.about))

    async def end(self, receipt: Receipt, text: str) -> None:
        """Close it, and tell the person in private what came of it; nothing for empty text."""
        async with self.db.transaction() as conn:
            if await close_receipt(conn, receipt.id) and text:
                await post(
                    conn,
                    key=f"answer:{receipt.id}",
                    kind=OutboxKind.EPHEMERAL,
                    # Where it was typed; a command begins no thread.
                    place=receipt.incoming.place.model_copy(update={"thread_ts": ""}),
                    note=Note(text=text),
                    slack_user_id=receipt.incoming.slack_user_id,
                    receipt_id=receipt.id,
                )


def act_of(receipt: Receipt) -> Incoming:
    """Return the stored act."""
    act = receipt.incoming
    return act.model_copy(update={"key": act.key.removesuffix(_MARK)})
