"""A shortcut used on a message is answered in the message's thread, or in direct messages.

Slack is asked first, because a payload may name a conversation that the person can't see. Then the
shortcut is a message like any other, in its lane.
"""

from __future__ import annotations

from dataclasses import dataclass

import logfire

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.slack_ports import ConversationsPort
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.domain.errors import (
    NotGranted,
    Throttled,
    Unavailable,
    Unclear,
    Unreadable,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Access, Freshness, Place
from agencyclaw.domain.receipts import Incoming, Link, Note, OutboxKind, Receipt, ReceiptKind
from agencyclaw.domain.text import counted
from agencyclaw.domain.thread import QuotedMessage
from agencyclaw.proposals.identities import Identify, Identity, Unidentified, Unverified
from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.outbox import post, post_answer
from agencyclaw.store.receipts import Receipts, close_receipt, rewrite_receipt

_NOT_SEEN = message("shortcuts.not_seen")
_WHERE_IT_IS = message("shortcuts.where_it_is")


@dataclass(frozen=True)
class ShortcutRouter:
    """Decides where a shortcut is answered."""

    db: Database
    receipts: Receipts
    identify: Identify
    waiting: WaitingMessages
    slack: ConversationsPort | None = None

    async def route(self, receipt: Receipt) -> None:
        """Bring it into its lane or the person's direct messages, or say why not."""
        incoming = receipt.incoming
        # Nothing about the conversation is asked before it is known who asks.
        own = Place.home_tab(incoming.place.team_id)
        match await self.identify(own, incoming.slack_user_id, Freshness.RECENT):
            case Unidentified(reason=reason, message=why):
                await self._turn_away(receipt, reason, why)
            case Unverified() as unverified:
                await self._wait(receipt, unverified)
            case Identity() as identity:
                await self._place(receipt, identity)

    async def _place(self, receipt: Receipt, identity: Identity) -> None:
        incoming = receipt.incoming
        if self.slack is None or incoming.quoted is None:
            await self._turn_away(receipt, "shortcut_unreadable", _NOT_SEEN)
            return
        try:
            access = await self._access(self.slack, incoming)
            quoted = await self.slack.with_author(incoming.place.team_id, incoming.quoted)
        except Unreadable as error:
            logfire.error("a conversation can't be read", why=str(error))
            await self._turn_away(receipt, "shortcut_unreadable", _NOT_SEEN)
            return
        except (Unavailable, Unclear) as error:
            after_s = error.after if isinstance(error, Throttled) else 0.0
            await self._wait(receipt, Unverified(identity, _WHERE_IT_IS, after_s))
            return
        quoted = quoted.model_copy(update={"is_outside": access is Access.OUTSIDE})
        files = () if access is Access.OUTSIDE else incoming.files
        changes = {"quoted": quoted, "files": files, "kind": ReceiptKind.MESSAGE}
        settled = incoming.model_copy(update=changes)
        match access:
            case Access.SHARED:
                await self.receipts.converse(receipt.id, settled)
            case Access.OUTSIDE:
                await self._forward(receipt, settled, quoted)
            case Access.HIDDEN:
                await self._turn_away(receipt, "shortcut_not_seen", _NOT_SEEN)

    async def _access(self, slack: ConversationsPort, incoming: Incoming) -> Access:
        try:
            return await slack.access(incoming.place, incoming.slack_user_id)
        except NotGranted as error:
            logfire.error("conversations can't be asked for", why=str(error))
            return Access.OUTSIDE

    async def _forward(self, receipt: Receipt, settled: Incoming, quoted: QuotedMessage) -> None:
        """Answer it in a new thread of the person's direct messages."""
        async with self.db.transaction() as conn:
            if not await close_receipt(conn, receipt.id, "done", "answered_in_direct_messages"):
                return
            await rewrite_receipt(conn, receipt.id, settled)
            await post(
                conn,
                key=f"forward:{receipt.id}",
                kind=OutboxKind.FORWARD,
                place=settled.place,
                note=Note(
                    text=settled.text,
                    footer=_asked_about(quoted),
                    links=_link_to(quoted),
                ),
                slack_user_id=settled.slack_user_id,
                receipt_id=receipt.id,
            )

    async def _wait(self, receipt: Receipt, unverified: Unverified) -> None:
        """Raise Throttled for the next try; after ten minutes give up and say so."""
        await self.waiting.retry(receipt, unverified.what_for, unverified.after_s)
        late = fixed_texts.waited_in_vain(unverified.about)
        await self._turn_away(receipt, "slack_did_not_say", late)

    async def _turn_away(self, receipt: Receipt, reason: str, text: str) -> None:
        """Tell the person alone: nobody else knows that they asked."""
        incoming = receipt.incoming
        async with self.db.transaction() as conn:
            if not await close_receipt(conn, receipt.id, "ignored", reason):
                return
            await post_answer(conn, receipt, Note(text=text), is_private=True)
            await record_event(
                conn,
                "shortcut_refused",
                reason=reason,
                slack_user_id=incoming.slack_user_id,
                payload={"receipt": receipt.id, "channel": incoming.place.channel_id},
            )


def _link_to(quoted: QuotedMessage) -> tuple[Link, ...]:
    if not quoted.permalink:
        return ()
    return (Link(text=message("shortcuts.the_message"), url=quoted.permalink),)


def _asked_about(quoted: QuotedMessage) -> str:
    """Say whose message it is about, and that files of a conversation without us are left out."""
    if not quoted.files:
        return message("shortcuts.about", name=quoted.name)
    files = counted(len(quoted.files), "file")
    return message("shortcuts.about_without_files", name=quoted.name, files=files)
