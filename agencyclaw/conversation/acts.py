"""Presses and plain words of consent, handled by code without a model.

Cancelling needs no answer from Slack. Before a consent is carried out, Slack is asked who it was
and where; while Slack is away, the consent is stored and waits.
"""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.conversation.commands import SlashCommands
from agencyclaw.conversation.endings import end_silently, turn_away
from agencyclaw.conversation.identity import who_spoke
from agencyclaw.conversation.shortcuts import ShortcutRouter
from agencyclaw.conversation.stopping import Stopping
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.domain.commands import is_stop
from agencyclaw.domain.consent.reply import NotConsent
from agencyclaw.domain.consent.words import Word
from agencyclaw.domain.errors import Broken
from agencyclaw.domain.people import Freshness
from agencyclaw.domain.receipts import Addressed, Receipt, ReceiptKind
from agencyclaw.proposals.consent import Consent
from agencyclaw.proposals.consent_by_word import ConsentByWord
from agencyclaw.proposals.identities import Identify, Identity, Unidentified, Unverified
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Receipts


@dataclass(frozen=True)
class Acts:
    """Handles clicks, Stop, and words of consent and refusal."""

    db: Database
    receipts: Receipts
    identify: Identify
    consent: Consent
    replies: ConsentByWord
    stopping: Stopping
    waiting: WaitingMessages
    commands: SlashCommands
    shortcuts: ShortcutRouter

    async def handle(self, receipt: Receipt) -> None:
        """Carry out a press, a whole-message refusal, a deferred command, or place a shortcut."""
        if receipt.incoming.kind is ReceiptKind.COMMAND:
            await self.commands.retry(receipt)
        elif receipt.incoming.kind is ReceiptKind.SHORTCUT:
            await self.shortcuts.route(receipt)
        else:
            await self._settle_as_person(receipt)

    async def _settle_as_person(self, receipt: Receipt) -> None:
        click = receipt.incoming.click
        freshness = Freshness.NOW if click and click.releases else Freshness.RECENT
        match await who_spoke(self.identify, receipt.incoming, freshness):
            case Unidentified(reason=reason, message=message):
                await turn_away(self.db, receipt, reason, message)
            case Unverified() as unverified if click and click.act == "withdraw":
                # Only admins withdraw what is another person's, so Slack must say who it is.
                await self.waiting.for_slack(receipt, unverified)
            case Unverified(presumed=presumed):
                await self._settle(receipt, presumed)
            case Identity() as identity:
                await self._settle(receipt, identity)

    async def by_word(self, receipt: Receipt, word: Word) -> NotConsent | None:
        """Apply a plain yes or no; None unless it is about no proposal and thus conversation."""
        freshness = Freshness.NOW if word is Word.YES else Freshness.RECENT
        match await who_spoke(self.identify, receipt.incoming, freshness):
            case Unidentified(reason=reason, message=message):
                await turn_away(self.db, receipt, reason, message)
                return None
            case Unverified(presumed=presumed):
                return await self.replies.by_word(receipt, presumed, word)
            case Identity() as identity:
                return await self.replies.by_word(receipt, identity, word)

    async def _settle(self, receipt: Receipt, who: Identity) -> None:
        incoming = receipt.incoming
        match incoming.kind:
            case ReceiptKind.CLICK if incoming.click:
                await self.consent.by_click(receipt, who, incoming.click)
            case ReceiptKind.STOP:
                await self.stopping.by_button(receipt, who)
            case ReceiptKind.UNSAID:
                await self.replies.unsaid(receipt, who)
            case ReceiptKind.WORD:
                if not await self._settle_word(receipt, who):
                    await self._pass_on(receipt)
            case (
                ReceiptKind.CLICK
                | ReceiptKind.COMMAND
                | ReceiptKind.SHORTCUT
                | ReceiptKind.MESSAGE
                | ReceiptKind.EDIT
                | ReceiptKind.OVERHEARD
                | ReceiptKind.FIRING
            ):
                raise Broken(f"A receipt of the kind {incoming.kind} is no act of a person.")

    async def _pass_on(self, receipt: Receipt) -> None:
        """Treat a refusal that is about no proposal as conversation, with us or with others."""
        if receipt.incoming.addressed is Addressed.OTHERS:
            await end_silently(self.db, receipt, "said_to_others")
        else:
            await self.receipts.converse(receipt.id, receipt.incoming)

    async def _settle_word(self, receipt: Receipt, who: Identity) -> bool:
        if is_stop(receipt.incoming.text):
            return await self.stopping.by_word(receipt, who)
        return await self.replies.by_word(receipt, who, Word.NO) is None
