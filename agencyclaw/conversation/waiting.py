"""Messages that wait for an unavailable service: retried, and given up after a while."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.endings import turn_away
from agencyclaw.conversation.identity import UNVERIFIED
from agencyclaw.deps.status import StatusIndicator
from agencyclaw.domain import waiting
from agencyclaw.domain.errors import Throttled
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Addressed, Receipt, ReceiptKind
from agencyclaw.proposals.identities import Unverified
from agencyclaw.store.engine import Database
from agencyclaw.store.waiting import Waits

# A command has no thread and got a reply at once; the thread of a shortcut is not decided yet.
_WITHOUT_PLACE = frozenset({ReceiptKind.COMMAND, ReceiptKind.SHORTCUT})


@dataclass(frozen=True)
class WaitingMessages:
    """Keeps stored messages waiting while a service is unavailable."""

    db: Database
    waits: Waits
    status: StatusIndicator

    async def retry(
        self, receipt: Receipt, what_for: str, after_s: float = 0.0, *, is_costly: bool = False
    ) -> None:
        """Raise Throttled for the next try; returns once the message has waited as long as it may.

        Tries do not count as failures of the message.
        """
        waited_s = await self.waits.wait(receipt)
        if waiting.is_over(waited_s):
            return
        is_ours = receipt.incoming.addressed is Addressed.US
        if is_ours and receipt.incoming.kind not in _WITHOUT_PLACE:
            self.status.say(receipt.incoming.place, fixed_texts.waiting_for(what_for))
        after_s = waiting.next_try_s(waited_s, after_s, is_costly=is_costly)
        raise Throttled(message("waiting.waits", what_for=what_for), after=after_s)

    async def for_slack(self, receipt: Receipt, unverified: Unverified) -> None:
        """Raise Throttled for the next try; after ten minutes close the receipt and say so."""
        await self.retry(receipt, unverified.what_for, unverified.after_s)
        late = fixed_texts.waited_in_vain(unverified.about)
        await turn_away(self.db, receipt, UNVERIFIED, late)
