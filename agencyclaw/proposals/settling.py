"""Settles effects: state, audit, card and receipt are written in one transaction."""

from __future__ import annotations

from typing import assert_never

from agencyclaw.domain import waiting
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.proposals import notices
from agencyclaw.proposals.cards import execute_later, expire_later
from agencyclaw.proposals.endings import audit, record_done, record_not_done
from agencyclaw.proposals.handlers import EffectHandlers, ExternalHandler
from agencyclaw.proposals.outcomes import Delayed, Done, Duplicate, NotDone, Outcome, Unknown
from agencyclaw.proposals.reproposal import propose_anew
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import log_outcome
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposal_states import settle
from agencyclaw.store.receipts import place_of
from agencyclaw.store.undoing import allow_undo_again
from agencyclaw.store.waiting import postpone, release, start_waiting


class Settling:
    """Records outcomes of effects; one that is settled already is left alone."""

    def __init__(self, db: Database, handlers: EffectHandlers) -> None:
        self._db = db
        self._handlers = handlers

    async def settle(self, proposal: Proposal, outcome: Outcome) -> None:
        """Record an outcome: state, audit, card and receipt in one transaction."""
        async with self._db.transaction() as conn:
            match outcome:
                case Done():
                    is_new = await self.done(conn, proposal, outcome)
                case NotDone():
                    is_new = await self._not_done(conn, proposal, outcome)
                case Duplicate():
                    is_new = await self._duplicate(conn, proposal, outcome)
                case Unknown():
                    is_new = await self._unclear(conn, proposal, outcome)
                case Delayed():
                    is_new = await self._waits(conn, proposal, outcome)
                case _:
                    assert_never(outcome)
            handler = self._handlers.of(proposal.effect)
            if is_new and isinstance(handler, ExternalHandler):
                await handler.settled(conn, proposal, outcome)

    async def look_later(self, proposal: Proposal, seconds: float) -> None:
        """Schedule another look, which may end in sending once more."""
        async with self._db.transaction() as conn:
            await _defer_look(conn, proposal, seconds)

    async def done(self, conn: Connection, proposal: Proposal, outcome: Done) -> bool:
        """Record success inside the caller's transaction; False if it was settled before."""
        handler = self._handlers.of(proposal.effect)
        if not await record_done(conn, proposal, handler, outcome):
            return False
        note = handler.receipt(proposal, outcome)
        if proposal.undo_of:
            note = note.model_copy(update={"text": message("built.undone", receipt=note.text)})
        renewed = None if proposal.undo_of else outcome.renewed
        if renewed:
            note = note.model_copy(update={"text": f"{note.text}\n{notices.RENEWED}"})
        await self._tell(
            conn, proposal, "done", note.model_copy(update={"run_id": proposal.run_id})
        )
        if renewed:
            await propose_anew(conn, proposal, renewed)
        return True

    async def _not_done(self, conn: Connection, proposal: Proposal, outcome: NotDone) -> bool:
        can_retry = outcome.can_retry and proposal.undo_of is None
        if not await record_not_done(conn, proposal, outcome, can_retry=can_retry):
            return False
        if can_retry:
            await expire_later(conn, proposal)
        if proposal.undo_of:
            await allow_undo_again(conn, proposal)
            text = notices.not_undone(proposal, outcome.message)
        else:
            text = notices.not_done(proposal, outcome.message, can_retry=can_retry)
        renewed = None if proposal.undo_of else outcome.renewed
        text = f"{text} {notices.RENEWED}" if renewed else text
        await self._tell(conn, proposal, "failed", Note(text=text, run_id=proposal.run_id))
        if renewed:
            await propose_anew(conn, proposal, renewed)
        return True

    async def _duplicate(self, conn: Connection, proposal: Proposal, outcome: Duplicate) -> bool:
        result = {"twin": outcome.title, "url": outcome.url}
        settled = await settle(
            conn, proposal.id, ProposalState.FAILED, result=result, reason="duplicate"
        )
        handler = self._handlers.of(proposal.effect)
        if not settled or not isinstance(handler, ExternalHandler):
            return False
        await expire_later(conn, proposal)
        await log_outcome(conn, proposal, "duplicate", result)
        await audit(conn, proposal, "effect_held_back", "duplicate", result)
        await self._tell(conn, proposal, "duplicate", handler.duplicate_note(outcome))
        return True

    async def _unclear(self, conn: Connection, proposal: Proposal, outcome: Unknown) -> bool:
        first = proposal.state is ProposalState.EXECUTING
        handler = self._handlers.of(proposal.effect)
        settled = await settle(
            conn,
            proposal.id,
            ProposalState.UNCLEAR,
            result=outcome.result or proposal.result,
            reason=outcome.reason,
        )
        if not settled or not isinstance(handler, ExternalHandler):
            return False
        if outcome.look_in_s is not None:
            await _defer_look(conn, proposal, outcome.look_in_s)
        if first or outcome.look_in_s is None:
            await audit(conn, proposal, "effect_unclear", outcome.reason, None)
            if proposal.undo_of and outcome.look_in_s is None:
                await allow_undo_again(conn, proposal)
            note = handler.unknown_note(proposal, outcome)
            await self._tell(conn, proposal, f"unclear:{outcome.reason}", note)
        return True

    async def _waits(self, conn: Connection, proposal: Proposal, outcome: Delayed) -> bool:
        """Retry soon; after ten minutes return the proposal to the person, unconfirmed."""
        waited_s = await start_waiting(conn, proposal.id)
        if waited_s is None:
            return False
        if waiting.is_over(waited_s):
            return await self._release(conn, proposal, outcome)
        await postpone(conn, proposal.id, outcome.what_for)
        seconds = waiting.next_try_s(waited_s, outcome.after_s)
        await execute_later(conn, proposal, seconds=seconds)
        if not waited_s:
            await audit(conn, proposal, "effect_waits", outcome.what_for, None)
            note = Note(text=notices.waits_for(proposal, outcome.what_for))
            await self._tell(conn, proposal, "waits", note, kind=OutboxKind.EPHEMERAL)
        return True

    async def _release(self, conn: Connection, proposal: Proposal, outcome: Delayed) -> bool:
        released = await release(conn, proposal.id)
        if released is None:
            why = notices.waited_in_vain(outcome.what_for)
            return await self._not_done(conn, proposal, NotDone("waited_in_vain", why))
        await log_outcome(conn, proposal, "failed", {"reason": "waited_in_vain"})
        await audit(conn, proposal, "effect_given_back", outcome.what_for, None)
        text = notices.returned(released, outcome.what_for)
        await self._tell(conn, proposal, "given_back", Note(text=text, run_id=proposal.run_id))
        return True

    async def _tell(
        self,
        conn: Connection,
        proposal: Proposal,
        ending: str,
        note: Note,
        *,
        kind: OutboxKind = OutboxKind.NOTICE,
    ) -> None:
        """Redraw the card and post the receipt, in the transaction that settles."""
        # Every yes gets one receipt for each way in which it ends.
        key = f"{proposal.id}:{ending}:{proposal.confirming_receipt_id}"
        # An undo has no card of its own: the card of what it undoes is redrawn.
        await post(
            conn,
            key=f"redraw:{key}",
            kind=OutboxKind.CARD_UPDATE,
            place=proposal.place,
            proposal_ids=(proposal.undo_of or proposal.id,),
        )
        # In a direct message the yes may be in another thread than the card.
        receipt_id = proposal.confirming_receipt_id or proposal.receipt_id
        await post(
            conn,
            key=f"receipt:{key}",
            kind=kind,
            place=await place_of(conn, receipt_id) or proposal.place,
            note=note.model_copy(update={"about": proposal.undo_of or proposal.id}),
            slack_user_id=proposal.actor_slack_user_id,
            receipt_id=receipt_id,
            run_id=proposal.run_id,
        )


async def _defer_look(conn: Connection, proposal: Proposal, seconds: float) -> None:
    await defer(
        conn,
        "look",
        {"proposal_id": str(proposal.id)},
        queue=queue_of(proposal.place.team_id),
        lock=f"look:{proposal.id}",
        seconds=seconds,
    )
