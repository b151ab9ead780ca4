"""Propose: an effect becomes a stored draft, or, after an edit, the successor of an open one."""

from __future__ import annotations

import asyncio
from typing import Protocol
from uuid import UUID

from pydantic import ValidationError

from agencyclaw.domain.clients import Named, Person
from agencyclaw.domain.edits import EditForm, NotEditable, TaskEdits
from agencyclaw.domain.effects import Assignee, CreateTask, Effect
from agencyclaw.domain.errors import Broken, Refused, TooMuch
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.policy import Deny, Switches, decide_effect
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Incoming, OutboxKind
from agencyclaw.effects.standing import Absent, Standing
from agencyclaw.knowledge.briefs import recompose
from agencyclaw.store.engine import Database, as_unavailable
from agencyclaw.store.events import record_event
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposals import ProposalStore, insert_draft, open_drafts
from agencyclaw.store.receipts import keep_settled
from agencyclaw.store.rivals import supersede

DRAFTS_PER_RUN = 5


class Team(Protocol):
    """The people a task can be given to, and what may be done at present."""

    async def people(self) -> list[Person]:
        """Return the active team members, by name."""
        ...

    async def switches(self, team_id: str) -> Switches:
        """Return which tools are on, and what admins decided about them in this workspace."""
        ...


class DraftBox:
    """Where one run's effects go: stored, numbered, invisible until the run has answered."""

    def __init__(
        self, store: ProposalStore, *, receipt_id: int, run_id: UUID, place: Place, actor: Actor
    ) -> None:
        self._store = store
        self._receipt_id = receipt_id
        self._run_id = run_id
        self._place = place
        self._actor = actor
        self._lock = asyncio.Lock()
        self.drafts: list[Proposal] = []

    async def draft(self, effect: Effect) -> Proposal:
        """Store an effect; the same effect twice in a run is one draft."""
        async with self._lock:
            for earlier in self.drafts:
                if earlier.effect == effect:
                    return earlier
            if len(self.drafts) >= DRAFTS_PER_RUN:
                raise TooMuch(
                    f"I prepare at most {DRAFTS_PER_RUN} changes at a time.", reason="draft_limit"
                )
            proposal = await self._store.draft(
                effect,
                receipt_id=self._receipt_id,
                run_id=self._run_id,
                place=self._place,
                actor=self._actor,
            )
            self.drafts.append(proposal)
            return proposal


class Revisions:
    """Edit before confirming: served at once, without a model. Saving is not consent."""

    def __init__(self, db: Database, store: ProposalStore, team: Team, standing: Standing) -> None:
        self._db = db
        self._store = store
        self._team = team
        self._standing = standing

    async def form(
        self, proposal_id: UUID, *, team_id: str, slack_user_id: str
    ) -> EditForm | NotEditable:
        """Return the form of an open proposal, or why there is none."""
        with as_unavailable():
            proposal = await self._editable(proposal_id, team_id, slack_user_id)
            people = await self._team.people()
        if isinstance(proposal, NotEditable):
            return proposal
        effect = as_task(proposal)
        return EditForm(
            title=effect.title,
            details=effect.details,
            start=effect.start,
            due=effect.due,
            assignee=effect.assignee.profile_id if effect.assignee else None,
            people=tuple(Named(id=person.profile_id, name=person.name) for person in people),
        )

    async def submit(
        self, incoming: Incoming, proposal_id: UUID, edits: TaskEdits
    ) -> dict[str, str] | NotEditable | None:
        """Replace an open proposal by its edited successor, receipt and card in one transaction.

        Returns errors per field, why this person may not, or None when it is stored.
        """
        proposal = await self._editable(proposal_id, incoming.place.team_id, incoming.slack_user_id)
        if isinstance(proposal, NotEditable):
            return proposal
        known = await self._standing.of(proposal.place, incoming.slack_user_id)
        if isinstance(known, Absent):
            return NotEditable(reason="unknown_actor", message=known.message)
        switches = await self._team.switches(proposal.place.team_id)
        match decide_effect(known.actor, known.surface, proposal.effect, switches):
            case Deny(reason=reason, message=message):
                return NotEditable(reason=reason, message=message)
            case _:
                pass
        edited = await self._apply(as_task(proposal), edits)
        if not isinstance(edited, CreateTask):
            return edited
        return await self._replace(incoming, proposal, edited, known.actor)

    async def _editable(
        self, proposal_id: UUID, team_id: str, slack_user_id: str
    ) -> Proposal | NotEditable:
        found = await self._store.by_ids([proposal_id])
        if not found or found[0].place.team_id != team_id:
            return NotEditable(
                reason="unknown_proposal", message="I can't find that proposal any more."
            )
        proposal = found[0]
        if proposal.actor_slack_user_id != slack_user_id:
            return NotEditable(
                reason="wrong_actor", message=f"Only {proposal.actor_name} can edit this."
            )
        if not proposal.effect.is_editable:
            return NotEditable(
                reason="not_editable",
                message="This can't be edited; cancel it and tell me what you want instead.",
            )
        if proposal.state is not ProposalState.OPEN:
            return NotEditable(
                reason="not_open",
                message=f"This proposal is {proposal.state.value} and can't be edited any more.",
            )
        return proposal

    async def _apply(
        self, effect: CreateTask, edits: TaskEdits
    ) -> CreateTask | dict[str, str] | NotEditable:
        if edits.start and edits.due and edits.due < edits.start:
            return {"due": "The due date lies before the start."}
        assignee = await self._assignee(effect, edits.assignee)
        if isinstance(assignee, NotEditable):
            return assignee
        try:
            return recompose(
                effect,
                title=edits.title,
                details=edits.details,
                start=edits.start,
                due=edits.due,
                assignee=assignee,
            )
        except ValidationError as error:
            return {str(e["loc"][0]) if e["loc"] else "": _plain(e["msg"]) for e in error.errors()}
        except Refused as refusal:
            return {"details": refusal.message}

    async def _assignee(
        self, effect: CreateTask, profile_id: UUID | None
    ) -> Assignee | NotEditable | None:
        if profile_id is None:
            return None
        if effect.assignee and effect.assignee.profile_id == profile_id:
            return effect.assignee
        for person in await self._team.people():
            if person.profile_id == profile_id:
                return Assignee(
                    profile_id=profile_id,
                    name=person.name,
                    clickup_user_id=person.clickup_user_id,
                )
        return NotEditable(
            reason="unknown_assignee",
            message="Nobody active in the team is meant by that choice; please choose somebody.",
        )

    async def _replace(
        self, incoming: Incoming, old: Proposal, edited: CreateTask, actor: Actor
    ) -> dict[str, str] | None:
        async with self._db.transaction() as conn:
            receipt_id = await keep_settled(conn, incoming)
            if receipt_id is None:
                return None
            draft = await insert_draft(
                conn,
                edited,
                receipt_id=receipt_id,
                run_id=old.run_id,
                place=old.place,
                actor=actor,
            )
            [new] = await open_drafts(conn, [draft.id])
            gone = await supersede(conn, new.id, [new.id], only=old.id)
            if not gone:
                raise Refused("It was settled in the meantime.", reason="not_open")
            await announce(conn, [new], receipt_id=receipt_id, superseded=gone)
            await record_event(conn, "proposal_edited", actor=actor.profile_id, proposal_id=new.id)
        return None


async def announce(
    conn: object,
    proposals: list[Proposal],
    *,
    receipt_id: int,
    superseded: list[Proposal],
    run_id: UUID | None = None,
    card: str = "",
) -> None:
    """Queue the card of opened proposals, the redrawing of those they replace, and their expiry.

    A receipt leads to one card; a further one has a name of its own. What is replaced may have
    been asked in another thread of the place, which waits no longer.
    """
    first = proposals[0]
    ids = tuple(proposal.id for proposal in proposals)
    for old in superseded:
        await post(
            conn,
            key=f"superseded:{old.id}",
            kind=OutboxKind.CARD_UPDATE,
            place=old.place,
            proposal_ids=(old.id,),
        )
    await post(
        conn,
        key=f"card:{card or receipt_id}",
        kind=OutboxKind.CARD,
        place=first.place,
        proposal_ids=ids,
        receipt_id=receipt_id,
        run_id=run_id,
    )
    for proposal in proposals:
        if proposal.expires_at:
            await defer(
                conn,
                "expire",
                {"proposal_id": str(proposal.id)},
                queue=queue_of(proposal.place.team_id),
                at=proposal.expires_at,
            )


def as_task(proposal: Proposal) -> CreateTask:
    """Return the effect of a proposal that can be edited."""
    if not isinstance(proposal.effect, CreateTask):
        raise Broken("only a task has a form")
    return proposal.effect


def _plain(message: str) -> str:
    return message.replace("String should have", "Please give").removeprefix("Value error, ")
