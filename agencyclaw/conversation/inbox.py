"""Stores incoming messages and presses; a full lane declines with a notice."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

import logfire

from agencyclaw.conversation import fixed_texts
from agencyclaw.deps.status import StatusIndicator
from agencyclaw.domain.commands import is_stop
from agencyclaw.domain.consent.words import read_word
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import (
    Addressed,
    Incoming,
    Note,
    OutboxKind,
    ReceiptKind,
    overheard_key,
)
from agencyclaw.store.edited_messages import reword
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post
from agencyclaw.store.receipts import Accepted, LaneFull, Receipts, keep_settled
from agencyclaw.store.threads import position_of
from agencyclaw.store.transcripts import overhear

_BEGUN = message("talk.edited_while_answered")


@dataclass(frozen=True)
class Inbox:
    """Stores each event together with the job that handles it, or declines it."""

    db: Database
    receipts: Receipts
    status: StatusIndicator

    async def accept(self, incoming: Incoming) -> int | None:
        """Store an event and return its id; None if it is known already or was declined."""
        match await self.receipts.accept(incoming):
            case LaneFull(waiting=waiting):
                await self._decline(incoming, waiting)
                return None
            case Accepted(receipt_id=receipt_id, waiting=waiting):
                if not waiting and _is_for_us(incoming):
                    self.status.acknowledge(
                        incoming.place, fixed_texts.THINKING, receipt_id=receipt_id
                    )
                return receipt_id
            case None:
                return None

    async def hold(self, incoming: Incoming) -> None:
        """Store what a form is about, until it is submitted."""
        async with self.db.transaction() as conn:
            await keep_settled(conn, incoming, "ignored", "held_for_a_form")

    async def held(self, key: str) -> Incoming | None:
        """Return what was stored for a form."""
        return await self.receipts.held(key)

    async def forward(self, key: str, receipt_id: int, place: Place) -> None:
        """Start a thread of the asker's direct messages with a question asked elsewhere."""
        receipt = await self.receipts.read(receipt_id)
        if receipt is None:
            return
        moved = {
            "key": key,
            "source": "commands",
            "kind": ReceiptKind.MESSAGE,
            "place": place,
            "slack_ts": place.thread_ts,
            "addressed": Addressed.US,
        }
        await self.accept(receipt.incoming.model_copy(update=moved))

    async def overhear(self, incoming: Incoming) -> None:
        """Record that somebody posted where a plain yes could count.

        If a message to us was edited or deleted, its new text counts from now on. But nobody
        consents by an edit: a text that was edited into words of consent is not stored.
        """
        await overhear(self.db, incoming)
        if incoming.about_ts and not _is_word(incoming.text):
            await reword(self.db, incoming, begun=_BEGUN)

    async def post_ephemeral(self, place: Place, slack_user_id: str, text: str) -> None:
        """Queue a private note to a person."""
        async with self.db.transaction() as conn:
            await post(
                conn,
                key=f"whisper:{uuid4()}",
                kind=OutboxKind.EPHEMERAL,
                place=place,
                note=Note(text=text),
                slack_user_id=slack_user_id,
            )

    async def accept_in_thread(self, incoming: Incoming, *, mentions_others: bool) -> bool:
        """Store a thread message that does not mention us, if it may be for us.

        Plain words of consent and Stop are stored wherever we take part; their own rules say what
        they are about. Of messages to others only the fact is recorded, not the text.
        """
        position = await position_of(self.db, incoming)
        if not position.takes_part:
            return False
        may_be_for_us = (position.follows_us or position.is_asked) and not mentions_others
        addressed = Addressed.PERHAPS if may_be_for_us else Addressed.OTHERS
        if not may_be_for_us and not _is_word(incoming.text):
            await self._note_overheard(incoming)
            return False
        await self.accept(incoming.model_copy(update={"addressed": addressed}))
        return True

    async def _note_overheard(self, incoming: Incoming) -> None:
        place = incoming.place
        noted = {
            # Its own key: the same message is stored when an edit mentions us.
            "key": overheard_key(place.team_id, place.channel_id, incoming.slack_ts),
            "kind": ReceiptKind.OVERHEARD,
            "text": "",
            "addressed": Addressed.OTHERS,
        }
        async with self.db.transaction() as conn:
            await keep_settled(conn, incoming.model_copy(update=noted), "ignored", "said_to_others")

    async def _decline(self, incoming: Incoming, waiting: int) -> None:
        """Store a declined event as ignored; one notice per minute and lane is enough."""
        place = incoming.place
        minute = int(float(incoming.slack_ts)) // 60
        logfire.warn("lane full", waiting=waiting)
        if incoming.source == "interactions":
            # The button is still there, and pressing it again must count: another key is stored.
            key = f"{incoming.key}:{incoming.slack_ts}"
            incoming = incoming.model_copy(update={"key": key})
        # One that may be for somebody else is no reason to speak up among people.
        only = None if incoming.addressed is Addressed.US else incoming.slack_user_id
        async with self.db.transaction() as conn:
            receipt_id = await keep_settled(conn, incoming, "ignored", "lane_full")
            if receipt_id is None:
                return
            await post(
                conn,
                key=f"full:{place.key}:{minute}{f':{only}' if only else ''}",
                kind=OutboxKind.EPHEMERAL if only else OutboxKind.NOTICE,
                place=place,
                note=Note(text=fixed_texts.lane_full(waiting)),
                slack_user_id=only,
                receipt_id=receipt_id,
            )


def _is_for_us(incoming: Incoming) -> bool:
    """Return whether a message will surely be answered; a plain word may decide a card instead."""
    is_message = incoming.kind is ReceiptKind.MESSAGE and incoming.addressed is Addressed.US
    return is_message and not _is_word(incoming.text)


def _is_word(text: str) -> bool:
    return read_word(text) is not None or is_stop(text)
