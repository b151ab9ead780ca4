"""Commands that can't be carried out yet: kept, tried again, and their end told in private."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.conversation import sentences
from agencyclaw.conversation.waiting import Waiting
from agencyclaw.domain.receipts import Incoming, Note, OutboxKind, Receipt
from agencyclaw.proposals.identities import Unverified
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post
from agencyclaw.store.receipts import Receipts, close_receipt

_MARK = ":kept"


@dataclass(frozen=True)
class Kept:
    """What was typed or pressed while Slack did not say who did it."""

    db: Database
    receipts: Receipts
    waiting: Waiting

    async def keep(self, act: Incoming, unverified: Unverified) -> str:
        """Store it with the job that tries it again; return what the person is told at once.

        The act's own key stays free: it is what makes the carrying out one.
        """
        await self.receipts.accept(act.model_copy(update={"key": act.key + _MARK}))
        return sentences.kept(unverified.about)

    async def again(self, receipt: Receipt, unverified: Unverified) -> None:
        """Raise Throttled for the next try; after ten minutes tell the person that it ends."""
        await self.waiting.again(receipt, unverified.what_for, unverified.after_s)
        await self.end(receipt, sentences.waited_in_vain(unverified.about))

    async def end(self, receipt: Receipt, text: str) -> None:
        """End it, and tell the person in private what came of it, if anything is to be told."""
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
    """Return what was kept, as it was done."""
    act = receipt.incoming
    return act.model_copy(update={"key": act.key.removesuffix(_MARK)})
