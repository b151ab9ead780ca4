"""Execute: the only writer. A confirmed proposal is carried out once and its end is told.

A write in our own tables happens in the transaction that settles its proposal. What needs a
neighbour has an intent before the request, and is looked for after a doubt.
"""

from __future__ import annotations

from typing import Any, Protocol, assert_never
from uuid import UUID

import logfire

from agencyclaw.domain.changes import Change
from agencyclaw.domain.clients import Client
from agencyclaw.domain.outgrown import Outgrown
from agencyclaw.domain.people import Actor
from agencyclaw.domain.policy import Deny, Switches, decide_effect
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.effects import words
from agencyclaw.effects.handlers import Errand, Handlers, Ledger, Repeatable
from agencyclaw.effects.outcomes import Done, Duplicate, Maybe, NotDone, Outcome
from agencyclaw.effects.renewal import propose_anew
from agencyclaw.effects.standing import Absent, Present, Standing
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.invocations import log_outcome
from agencyclaw.store.jobs import defer_in, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposals import ProposalStore, hold, settle
from agencyclaw.store.receipts import place_of
from agencyclaw.store.undoing import allow_undo_again


class Records(Protocol):
    """The agency's records as they are now."""

    async def switches(self, team_id: str) -> Switches:
        """Return which tools are on, and what admins decided about them in this workspace."""
        ...

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see."""
        ...


class Executor:
    """Carries out confirmed proposals and settles them."""

    def __init__(
        self,
        db: Database,
        store: ProposalStore,
        handlers: Handlers,
        records: Records,
        standing: Standing,
    ) -> None:
        self._db = db
        self._store = store
        self._handlers = handlers
        self._records = records
        self._standing = standing

    async def execute(self, proposal_id: UUID) -> None:
        """Carry out a confirmed proposal; one found executing is continued."""
        proposal = await self._store.begin(proposal_id)
        if proposal is None:
            return
        with logfire.span("effect", skill=proposal.effect.skill, **_named(proposal)) as span:
            match self._handlers.of(proposal.effect):
                case Ledger() as ledger:
                    outcome = await self._write(proposal, ledger)
                case Errand() as errand:
                    outcome = await self._run(proposal, errand)
                    await self._settle(proposal, outcome)
            span.set_attribute("outcome", type(outcome).__name__)

    async def _write(self, proposal: Proposal, ledger: Ledger[Any]) -> Outcome:
        """Write and settle in one transaction; whatever breaks, nothing is written."""
        try:
            if changed := await self._judged_anew(proposal):
                await self._settle(proposal, changed)
                return changed
            async with self._db.transaction() as conn:
                outcome = (
                    await ledger.write(conn, proposal) if await hold(conn, proposal.id) else None
                )
                if isinstance(outcome, Done):
                    await self._done(conn, proposal, outcome)
        except Exception as error:  # a bug must not lose a consent: nothing was written
            logfire.error("write failed", proposal=str(proposal.id), error=type(error).__name__)
            outcome = NotDone("not_written", words.UNWRITTEN)
        if isinstance(outcome, NotDone):
            await self._settle(proposal, outcome)
        return outcome or NotDone("settled_before", "")

    async def _run(self, proposal: Proposal, errand: Errand[Any]) -> Outcome:
        try:
            # What may exist already is looked for, whatever has changed since.
            if not await errand.may_exist(proposal):
                changed = await self._judged_anew(proposal) or await errand.changed_since(proposal)
                if changed:
                    return changed
            return await errand.carry_out(proposal)
        except Exception as error:  # a bug must not lose a consent: look before anything else
            logfire.error("effect raised", proposal=str(proposal.id), error=type(error).__name__)
            return await self._after_fault(proposal, errand)

    async def _after_fault(self, proposal: Proposal, errand: Errand[Any]) -> Outcome:
        """The intent is stored before anything is sent: without one, nothing was."""
        if isinstance(errand, Repeatable):
            return Maybe(errand.first_look_s)
        try:
            if not await errand.may_exist(proposal):
                return NotDone("not_begun", words.UNCHECKED)
        except Exception as error:
            logfire.error("intent unread", proposal=str(proposal.id), error=type(error).__name__)
        return Maybe(errand.first_look_s)

    async def look(self, proposal_id: UUID) -> None:
        """Look once more for something whose fate is unknown."""
        [proposal] = await self._store.by_ids([proposal_id])
        errand = self._handlers.of(proposal.effect)
        if proposal.state is not ProposalState.UNCLEAR or not isinstance(errand, Errand):
            return
        with logfire.span("effect look", **_named(proposal)) as span:
            outcome = await self._look(proposal, errand)
            span.set_attribute("outcome", type(outcome).__name__)
            await self._settle(proposal, outcome)

    async def _look(self, proposal: Proposal, errand: Errand[Any]) -> Outcome:
        if await errand.may_exist(proposal):
            return await errand.look(proposal)
        # The store failed before anything was written: the consent still stands.
        return await self._run(proposal, errand)

    async def _judged_anew(self, proposal: Proposal) -> NotDone | None:
        """Judge again with today's tier, place and clients; None when all still holds."""
        if not proposal.is_untouched:
            logfire.error("stored effect differs from the one shown", proposal=str(proposal.id))
            return NotDone(
                "tampered", "what is stored is not what was on the card", can_retry=False
            )
        if isinstance(proposal.effect, Outgrown):
            return NotDone("outgrown", words.OUTGROWN_WHY, can_retry=False)
        known = await self._standing.of(proposal.place, proposal.actor_slack_user_id)
        if isinstance(known, Absent):
            return NotDone("unknown_actor", known.message, can_retry=not known.is_final)
        if known.actor.profile_id != proposal.actor_profile_id:
            other = "the Slack account that asked for it belongs to another person by now"
            return NotDone("wrong_actor", other, can_retry=False)
        switches = await self._records.switches(proposal.place.team_id)
        match decide_effect(known.actor, known.surface, proposal.effect, switches):
            case Deny(reason=reason, message=message):
                return NotDone(reason, message, can_retry=False)
            case _:
                return await self._out_of_reach(proposal.effect, known)

    async def _out_of_reach(self, effect: Change, known: Present) -> NotDone | None:
        if not effect.clients:
            return None
        reach = {client.id for client in await self._records.clients(known.actor)}
        lost = [client.name for client in effect.clients if client.id not in reach]
        if not lost:
            return None
        return NotDone(
            "client_out_of_reach",
            f"{lost[0]} is not among your active clients any more",
            can_retry=False,
        )

    async def _settle(self, proposal: Proposal, outcome: Outcome) -> None:
        async with self._db.transaction() as conn:
            match outcome:
                case Done():
                    is_news = await self._done(conn, proposal, outcome)
                case NotDone():
                    is_news = await self._not_done(conn, proposal, outcome)
                case Duplicate():
                    is_news = await self._duplicate(conn, proposal, outcome)
                case Maybe():
                    is_news = await self._unclear(conn, proposal, outcome)
                case _:
                    assert_never(outcome)
            errand = self._handlers.of(proposal.effect)
            if is_news and isinstance(errand, Errand):
                await errand.settled(conn, proposal, outcome)

    async def _done(self, conn: Connection, proposal: Proposal, outcome: Done) -> bool:
        handler = self._handlers.of(proposal.effect)
        done = proposal.model_copy(update={"result": outcome.result})
        can_undo = proposal.undo_of is None and not isinstance(handler.undo(done), str)
        result = outcome.result | ({"can_undo": True} if can_undo else {})
        if not await settle(conn, proposal.id, ProposalState.DONE, result=result):
            return False
        await log_outcome(conn, proposal, "success", outcome.result)
        if outcome.was_adopted:
            await self._audit(conn, proposal, "clickup_orphan", "adopted", outcome.result)
        why = "undo" if proposal.undo_of else None
        await self._audit(conn, proposal, "effect_done", why, outcome.result)
        note = handler.receipt(proposal, outcome)
        if proposal.undo_of:
            note = note.model_copy(update={"text": f"Undone. {note.text}"})
        renewed = None if proposal.undo_of else outcome.renewed
        if renewed:
            note = note.model_copy(update={"text": f"{note.text}\n{words.RENEWED}"})
        await self._tell(
            conn, proposal, "done", note.model_copy(update={"run_id": proposal.run_id})
        )
        if renewed:
            await propose_anew(conn, proposal, renewed)
        return True

    async def _not_done(self, conn: Connection, proposal: Proposal, outcome: NotDone) -> bool:
        can_retry = outcome.can_retry and proposal.undo_of is None
        state = ProposalState.FAILED if can_retry else ProposalState.CANCELLED
        result = {"message": outcome.message}
        if not await settle(conn, proposal.id, state, result=result, reason=outcome.reason):
            return False
        await log_outcome(conn, proposal, "failed", {"reason": outcome.reason})
        await self._audit(conn, proposal, "effect_failed", outcome.reason, None)
        if proposal.undo_of:
            await allow_undo_again(conn, proposal)
            text = words.not_undone(proposal, outcome.message)
        else:
            text = words.not_done(proposal, outcome.message, can_retry=can_retry)
        renewed = None if proposal.undo_of else outcome.renewed
        text = f"{text} {words.RENEWED}" if renewed else text
        await self._tell(conn, proposal, "failed", Note(text=text, run_id=proposal.run_id))
        if renewed:
            await propose_anew(conn, proposal, renewed)
        return True

    async def _duplicate(self, conn: Connection, proposal: Proposal, outcome: Duplicate) -> bool:
        result = {"twin": outcome.title, "url": outcome.url}
        settled = await settle(
            conn, proposal.id, ProposalState.FAILED, result=result, reason="duplicate"
        )
        errand = self._handlers.of(proposal.effect)
        if not settled or not isinstance(errand, Errand):
            return False
        await log_outcome(conn, proposal, "duplicate", result)
        await self._audit(conn, proposal, "effect_held_back", "duplicate", result)
        await self._tell(conn, proposal, "duplicate", errand.twin(outcome))
        return True

    async def _unclear(self, conn: Connection, proposal: Proposal, outcome: Maybe) -> bool:
        first = proposal.state is ProposalState.EXECUTING
        errand = self._handlers.of(proposal.effect)
        settled = await settle(conn, proposal.id, ProposalState.UNCLEAR, reason=outcome.reason)
        if not settled or not isinstance(errand, Errand):
            return False
        if outcome.look_in_s is not None:
            await defer_in(
                conn,
                "look",
                {"proposal_id": str(proposal.id)},
                queue=queue_of(proposal.place.team_id),
                lock=f"look:{proposal.id}",
                seconds=outcome.look_in_s,
            )
        if first or outcome.look_in_s is None:
            await self._audit(conn, proposal, "effect_unclear", outcome.reason, None)
            if proposal.undo_of and outcome.look_in_s is None:
                await allow_undo_again(conn, proposal)
            note = errand.doubt(proposal, outcome)
            await self._tell(conn, proposal, f"unclear:{outcome.reason}", note)
        return True

    async def _tell(self, conn: Connection, proposal: Proposal, how: str, note: Note) -> None:
        """Redraw the card and post the receipt, both part of the transaction that settles."""
        # Each yes is told once of each end it comes to.
        end = f"{proposal.id}:{how}:{proposal.confirming_receipt_id}"
        # What is taken back has the card; the undoing itself has none.
        await post(
            conn,
            key=f"redraw:{end}",
            kind=OutboxKind.CARD_UPDATE,
            place=proposal.place,
            proposal_ids=(proposal.undo_of or proposal.id,),
        )
        # Where the yes was said; in a direct message that may be another thread than the card's.
        told = proposal.confirming_receipt_id or proposal.receipt_id
        await post(
            conn,
            key=f"receipt:{end}",
            kind=OutboxKind.NOTICE,
            place=await place_of(conn, told) or proposal.place,
            note=note,
            receipt_id=told,
            run_id=proposal.run_id,
        )

    async def _audit(
        self,
        conn: Connection,
        proposal: Proposal,
        event: str,
        reason: str | None,
        payload: dict[str, Any] | None,
    ) -> None:
        await record_event(
            conn,
            event,
            reason=reason,
            actor=proposal.confirmed_by,
            slack_user_id=proposal.actor_slack_user_id,
            run_id=proposal.run_id,
            proposal_id=proposal.id,
            payload=payload,
        )


def _named(proposal: Proposal) -> dict[str, Any]:
    """The attributes by which spans are found again."""
    return {"proposal": str(proposal.id), "run": str(proposal.run_id) if proposal.run_id else None}
