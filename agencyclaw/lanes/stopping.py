"""Stop: a person's button or word ends what is being worked on, at once and in the rows first."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Note, OutboxKind, Receipt
from agencyclaw.effects.consent import Consent
from agencyclaw.effects.standing import Present
from agencyclaw.lanes import sentences
from agencyclaw.lanes.running import Running
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.outbox import post
from agencyclaw.store.receipts import close_receipt
from agencyclaw.store.stopping import say_stopped, stop_message


@dataclass(frozen=True)
class Stopping:
    """Stops turns, wherever they run."""

    db: Database
    running: Running
    consent: Consent

    async def by_button(self, receipt: Receipt, who: Present) -> None:
        """Stop the thread's turn; one that has just ended, its open proposals instead.

        Slack has stopped the thread's streams already, whoever pressed, so the turn ends whoever
        pressed; proposals are ended only by the person they belong to.
        """
        place = receipt.incoming.place
        async with self.db.transaction() as conn:
            stopped = await stop_message(conn, place.key, thread_ts=place.thread_ts)
            if stopped is not None:
                await self._end(conn, receipt, who, stopped)
        if stopped is None:
            # Slack had the thread at work, or nobody could have pressed.
            await self.running.standings.look_again(place, 0)
            await self.consent.drop_here(receipt, who)
        else:
            await self.running.stop(stopped.id)

    async def by_word(self, receipt: Receipt, who: Present) -> bool:
        """Stop this person's turn in the lane; False when there is none.

        What else waits for their word here goes with it.
        """
        incoming = receipt.incoming
        waiting = await self.consent.open_here(receipt, who)
        async with self.db.transaction() as conn:
            stopped = await stop_message(
                conn, incoming.place.key, slack_user_id=incoming.slack_user_id
            )
            if stopped is None:
                return False
            await self.consent.drop(conn, receipt, who, waiting)
            await self._end(conn, receipt, who, stopped)
        await self.running.stop(stopped.id)
        return True

    async def _end(
        self, conn: Connection, receipt: Receipt, who: Present, stopped: Receipt
    ) -> None:
        """Say it where it was asked, and once more where Stop was said, if that is elsewhere."""
        await say_stopped(conn, stopped, sentences.STOPPED)
        here = receipt.incoming.place
        if stopped.incoming.place.thread_ts != here.thread_ts:
            await post(
                conn,
                key=f"answer:{receipt.id}",
                kind=OutboxKind.NOTICE,
                place=here,
                note=Note(text=sentences.STOPPED),
                receipt_id=receipt.id,
            )
        await self._note(conn, receipt, who.actor, stopped)
        await close_receipt(conn, receipt.id, reason="stop")

    async def _note(
        self, conn: Connection, receipt: Receipt, actor: Actor, stopped: Receipt
    ) -> None:
        await record_event(
            conn,
            "turn_stopped",
            reason=receipt.incoming.kind.value,
            actor=actor.profile_id,
            slack_user_id=receipt.incoming.slack_user_id,
            payload={"receipt": stopped.id, "by": receipt.id},
        )
