"""Execute: the only writer. A confirmed proposal is carried out once and its end is told."""

from __future__ import annotations

from typing import Any, Protocol, assert_never
from uuid import UUID

import logfire

from agencyclaw.domain.clients import Brand, Client, SpaceStanding
from agencyclaw.domain.effects import CreateTask
from agencyclaw.domain.people import Actor
from agencyclaw.domain.policy import Deny, Switches, decide, rule_of
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Link, Note, OutboxKind
from agencyclaw.effects import words
from agencyclaw.effects.outcomes import Done, Duplicate, Maybe, NotDone, Outcome
from agencyclaw.effects.standing import Standing
from agencyclaw.effects.task_creation import TaskCreation
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.intents import settle_intent
from agencyclaw.store.invocations import log_outcome
from agencyclaw.store.jobs import defer_in, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposals import ProposalStore, settle
from agencyclaw.store.receipts import place_of


class Records(Protocol):
    """The agency's records as they are now."""

    async def switches(self, team_id: str) -> Switches:
        """Return which tools are on, and what admins decided about them in this workspace."""
        ...

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see."""
        ...

    async def brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the brands of the given clients."""
        ...

    async def space_standing(self, space_id: str) -> SpaceStanding | None:
        """Return what a ClickUp space is for; None when the registry does not list it."""
        ...


class Executor:
    """Carries out confirmed proposals and settles them."""

    def __init__(
        self,
        db: Database,
        store: ProposalStore,
        tasks: TaskCreation,
        records: Records,
        standing: Standing,
    ) -> None:
        self._db = db
        self._store = store
        self._tasks = tasks
        self._records = records
        self._standing = standing

    async def execute(self, proposal_id: UUID) -> None:
        """Carry out a confirmed proposal; one found executing is continued by looking first."""
        proposal = await self._store.begin(proposal_id)
        if proposal is None:
            return
        with logfire.span("effect", skill=proposal.effect.skill, proposal=str(proposal_id)) as span:
            outcome = await self._carry_out(proposal)
            span.set_attribute("outcome", type(outcome).__name__)
            await self._settle(proposal, outcome)

    async def _carry_out(self, proposal: Proposal) -> Outcome:
        try:
            # What may exist already is looked for, whatever has changed since.
            if not await self._tasks.may_exist(proposal):
                changed = await self._changed_since(proposal)
                if changed:
                    return changed
            return await self._tasks.carry_out(proposal)
        except Exception as error:  # a bug must not lose a consent: look before anything else
            logfire.error("effect raised", proposal=str(proposal.id), error=type(error).__name__)
            return await self._after_fault(proposal)

    async def _after_fault(self, proposal: Proposal) -> Outcome:
        """The intent is stored before anything is sent: without one, nothing was."""
        try:
            if not await self._tasks.may_exist(proposal):
                return NotDone("not_begun", words.UNCHECKED)
        except Exception as error:
            logfire.error("intent unread", proposal=str(proposal.id), error=type(error).__name__)
        return Maybe(self._tasks.first_look_s)

    async def look(self, proposal_id: UUID) -> None:
        """Look once more for a task whose fate is unknown."""
        [proposal] = await self._store.by_ids([proposal_id])
        if proposal.state is not ProposalState.UNCLEAR:
            return
        with logfire.span("effect look", proposal=str(proposal_id)) as span:
            outcome = await self._look(proposal)
            span.set_attribute("outcome", type(outcome).__name__)
            await self._settle(proposal, outcome)

    async def _look(self, proposal: Proposal) -> Outcome:
        if await self._tasks.may_exist(proposal):
            return await self._tasks.look(proposal)
        # The store failed before anything was written: the consent still stands.
        return await self._carry_out(proposal)

    async def _changed_since(self, proposal: Proposal) -> NotDone | None:
        """Judge again with today's tier, place and mapping; None when all still holds."""
        if not proposal.is_untouched:
            logfire.error("stored effect differs from the one shown", proposal=str(proposal.id))
            return NotDone(
                "tampered", "what is stored is not what was on the card", can_retry=False
            )
        known = await self._standing.of(proposal.place, proposal.actor_slack_user_id)
        if isinstance(known, str):
            return NotDone("unknown_actor", known, can_retry=False)
        switches = await self._records.switches(proposal.place.team_id)
        match decide(known.actor, known.surface, rule_of(proposal.effect), switches):
            case Deny(reason=reason, message=message):
                return NotDone(reason, message, can_retry=False)
            case _:
                pass
        visible = {client.id for client in await self._records.clients(known.actor)}
        if proposal.effect.client.id not in visible:
            return NotDone(
                "client_out_of_reach",
                f"{proposal.effect.client.name} is not among your active clients any more",
                can_retry=False,
            )
        if await self._is_remapped(proposal.effect):
            return NotDone(
                "changed_since",
                "the brand's ClickUp list was changed since; ask me again for a new proposal",
                can_retry=False,
            )
        return None

    async def _is_remapped(self, effect: CreateTask) -> bool:
        target = effect.destination
        standing = await self._records.space_standing(target.space_id) if target.space_id else None
        if standing is not None and not standing.takes_brand_work:
            return True
        for brand in await self._records.brands([effect.client.id]):
            concerns = brand.is_mapped and (effect.brand is None or brand.id == effect.brand.id)
            same_space = brand.list_id is None and brand.space_id == target.space_id
            if concerns and (brand.list_id == target.list_id or same_space):
                return False
        return True

    async def _settle(self, proposal: Proposal, outcome: Outcome) -> None:
        async with self._db.transaction() as conn:
            match outcome:
                case Done():
                    await self._done(conn, proposal, outcome)
                case NotDone():
                    await self._not_done(conn, proposal, outcome)
                case Duplicate():
                    await self._duplicate(conn, proposal, outcome)
                case Maybe():
                    await self._unclear(conn, proposal, outcome)
                case _:
                    assert_never(outcome)

    async def _done(self, conn: Connection, proposal: Proposal, outcome: Done) -> None:
        if not await settle(conn, proposal.id, ProposalState.DONE, result=outcome.result):
            return
        url, task_id = outcome.result.get("url"), outcome.result.get("task_id")
        await settle_intent(conn, proposal.id, "created", task_id=task_id, url=url)
        await log_outcome(conn, proposal, "success", outcome.result)
        if outcome.was_adopted:
            await self._audit(conn, proposal, "clickup_orphan", "adopted", outcome.result)
        await self._audit(conn, proposal, "effect_done", None, outcome.result)
        await self._tell(conn, proposal, "done", _receipt_of(proposal, outcome))

    async def _not_done(self, conn: Connection, proposal: Proposal, outcome: NotDone) -> None:
        state = ProposalState.FAILED if outcome.can_retry else ProposalState.CANCELLED
        result = {"message": outcome.message}
        if not await settle(conn, proposal.id, state, result=result, reason=outcome.reason):
            return
        await settle_intent(conn, proposal.id, "failed")
        await log_outcome(conn, proposal, "failed", {"reason": outcome.reason})
        await self._audit(conn, proposal, "effect_failed", outcome.reason, None)
        text = words.not_created(proposal, outcome.message, can_retry=outcome.can_retry)
        await self._tell(conn, proposal, "failed", Note(text=text, run_id=proposal.run_id))

    async def _duplicate(self, conn: Connection, proposal: Proposal, outcome: Duplicate) -> None:
        result = {"twin": outcome.title, "url": outcome.url}
        settled = await settle(
            conn, proposal.id, ProposalState.FAILED, result=result, reason="duplicate"
        )
        if not settled:
            return
        await log_outcome(conn, proposal, "duplicate", result)
        await self._audit(conn, proposal, "effect_held_back", "duplicate", result)
        text = (
            f"“{outcome.title}” was already created in this list within the last 24 hours, "
            "so I didn't create it a second time. Press “Create anyway”, or ask me to create "
            "it anyway, if you want both."
        )
        links = (Link(text="Open the existing task", url=outcome.url),) if outcome.url else ()
        await self._tell(conn, proposal, "duplicate", Note(text=text, links=links))

    async def _unclear(self, conn: Connection, proposal: Proposal, outcome: Maybe) -> None:
        first = proposal.state is ProposalState.EXECUTING
        reason = "looking" if outcome.look_in_s is not None else "undecided"
        if not await settle(conn, proposal.id, ProposalState.UNCLEAR, reason=reason):
            return
        await settle_intent(conn, proposal.id, "unclear")
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
            await self._audit(conn, proposal, "effect_unclear", reason, None)
            await self._tell(conn, proposal, f"unclear:{reason}", _doubt(proposal, outcome))

    async def _tell(self, conn: Connection, proposal: Proposal, how: str, note: Note) -> None:
        """Redraw the card and post the receipt, both part of the transaction that settles."""
        attempt = await conn.fetchval(
            "select count(*) from outbox where $1 = any(proposal_ids)", proposal.id
        )
        await post(
            conn,
            key=f"redraw:{proposal.id}:{how}:{attempt}",
            kind=OutboxKind.CARD_UPDATE,
            place=proposal.place,
            proposal_ids=(proposal.id,),
        )
        # Where the yes was said; in a direct message that may be another thread than the card's.
        told = proposal.confirming_receipt_id or proposal.receipt_id
        await post(
            conn,
            key=f"receipt:{proposal.id}:{how}:{attempt}",
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


def _receipt_of(proposal: Proposal, outcome: Done) -> Note:
    """Write what was created, for whom, and what is still open."""
    effect = proposal.effect
    lines = [f"Created “{effect.title}” in {effect.destination.label}.", _who(effect, outcome)]
    if effect.unresolved:
        lines.append(words.still_open(effect.unresolved))
    url = outcome.result.get("url")
    links = (Link(text="Open the task in ClickUp", url=url),) if url else ()
    return Note(text="\n".join(line for line in lines if line), links=links, run_id=proposal.run_id)


def _who(effect: CreateTask, outcome: Done) -> str:
    """Say whose task it is, as ClickUp answered, not as was asked."""
    assignee = effect.assignee
    if assignee is None:
        return "It is unassigned."
    if assignee.clickup_user_id is None:
        return f"It is unassigned: {assignee.name} has no ClickUp id."
    if outcome.result.get("assignee") is None and not outcome.was_adopted:
        return f"It is unassigned: ClickUp did not accept {assignee.name} on this list."
    return f"Assigned to {assignee.name}."


def _doubt(proposal: Proposal, outcome: Maybe) -> Note:
    title = f"“{proposal.effect.title}”"
    if outcome.look_in_s is not None:
        return Note(
            text=f"ClickUp didn't say whether {title} was created. I'm checking and will tell you "
            "here; please don't create it by hand yet."
        )
    return Note(
        text=f"I could not find out whether {title} was created. Please look in "
        f"{proposal.effect.destination.label}; if it is not there, press “Try again” on the card. "
        f"{words.reference(proposal)}".rstrip()
    )
