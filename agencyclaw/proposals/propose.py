"""Stores effects as drafts, and replaces an open proposal by its edited successor."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from pydantic import ValidationError

from agencyclaw.domain.cautions import Cautions
from agencyclaw.domain.clients import Named, Person
from agencyclaw.domain.edits import EditForm, NotEditable, TaskEdits, form_of
from agencyclaw.domain.effects import Effect, without_identifiers_used_by
from agencyclaw.domain.errors import Broken, Refused, TooMuch
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import distinct_names
from agencyclaw.domain.people import Actor, Freshness, Place
from agencyclaw.domain.policy import Allow, Deny
from agencyclaw.domain.proposals import Proposal, ProposalState, corrects, names_as_replaced
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.task_creation import Assignee, CreateTask
from agencyclaw.domain.tasks import is_identifier
from agencyclaw.knowledge.briefs import recompose
from agencyclaw.proposals import notices
from agencyclaw.proposals.cards import post_card, redraw
from agencyclaw.proposals.edited import settled_after_edit
from agencyclaw.proposals.identities import Identify, Unidentified, Unverified
from agencyclaw.proposals.judge import Judge
from agencyclaw.store.cautions import read_cautions
from agencyclaw.store.conflicts import supersede
from agencyclaw.store.engine import Connection, Database, Executor, as_records_away
from agencyclaw.store.events import record_event
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.proposal_states import open_drafts
from agencyclaw.store.proposals import ProposalStore, insert_draft
from agencyclaw.store.receipts import keep_settled
from agencyclaw.store.suspensions import suspend

DRAFTS_PER_RUN = 5


class Team(Protocol):
    """The people a task can be assigned to."""

    async def people(self) -> list[Person]:
        """Return the active team members, by name."""
        ...


@dataclass(eq=False)
class _Drafted:
    """A draft: the effect as the tool returned it, with what it replaces, and the proposal."""

    asked: Effect
    merged: Effect
    proposal: Proposal


class DraftBox:
    """Stores the effects of one run as numbered drafts, invisible until the run has answered."""

    def __init__(
        self,
        db: Database,
        store: ProposalStore,
        *,
        receipt_id: int,
        run_id: UUID,
        place: Place,
        actor: Actor,
    ) -> None:
        self._db = db
        self._store = store
        self._receipt_id = receipt_id
        self._run_id = run_id
        self._place = place
        self._actor = actor
        self._lock = asyncio.Lock()
        self._drafted: list[_Drafted] = []

    @property
    def drafts(self) -> list[Proposal]:
        """The drafts so far, in order."""
        return [one.proposal for one in self._drafted]

    async def revise(self, skill: str, titles: Sequence[str] | None) -> Sequence[Proposal]:
        """Suspend the proposals that a tool call is about to change, and return them.

        Drafts of this run are returned as well: a later call may correct them.
        """
        waiting = await suspend(
            self._db, self._receipt_id, self._place, self._actor.profile_id, skill, titles
        )
        return [*waiting, *self.drafts]

    async def cautions(self, task: CreateTask) -> Cautions:
        """Return what speaks against a task, from anybody's earlier requests."""
        return await read_cautions(
            self._db.pool, self._place.team_id, task, apart_from=self._receipt_id
        )

    async def draft(self, effect: Effect) -> Proposal:
        """Store an effect; the same effect twice in a run is one draft.

        An identifier in the message is reported missing only if no draft of the run has it, so
        earlier drafts are rewritten when a later one has it. A draft that a later task replaces is
        dropped, and the task replaces what it would have replaced.
        """
        async with self._lock:
            if same := next((one for one in self._drafted if one.asked == effect), None):
                return same.proposal
            corrected = [one for one in self._drafted if corrects(effect, one.proposal)]
            left = [one for one in self._drafted if one not in corrected]
            if len(left) >= DRAFTS_PER_RUN:
                raise TooMuch(
                    message("propose.prepare_at_most_changes", drafts_per_run=DRAFTS_PER_RUN),
                    reason="draft_limit",
                )
            merged = _heir(effect, corrected)
            every = [*(one.merged for one in left), merged]
            proposal = await self._store.draft(
                without_identifiers_used_by(every, merged),
                receipt_id=self._receipt_id,
                run_id=self._run_id,
                place=self._place,
                actor=self._actor,
            )
            for one in corrected:
                await self._store.drop_draft(one.proposal.id)
            for one in left:
                changed = without_identifiers_used_by(every, one.merged)
                if changed != one.proposal.effect:
                    one.proposal = await self._store.redraft(one.proposal, changed)
            self._drafted = [*left, _Drafted(effect, merged, proposal)]
            return proposal


def _heir(effect: Effect, corrected: Sequence[_Drafted]) -> Effect:
    """Return a task that also replaces what the drafts it corrects would have replaced.

    The same task again may name what it replaces only now.
    """
    for one in corrected:
        old = one.merged
        is_named = names_as_replaced(effect, one.proposal) or not _names_replaced(effect)
        if isinstance(old, CreateTask) and _names_replaced(old) and is_named:
            taken_over = {name: getattr(old, name) for name in _NOTHING_REPLACED}
            effect = effect.model_copy(update=taken_over)
    drafts = [one.proposal.id for one in corrected]
    if isinstance(effect, CreateTask) and effect.replaces_card in drafts:
        # What it replaced is gone by now, and was no card.
        effect = effect.model_copy(update=_NOTHING_REPLACED)
    return effect


_NOTHING_REPLACED = {"replaces": "", "replaces_card": None, "replaces_alone": False}


def _names_replaced(effect: Effect) -> bool:
    return isinstance(effect, CreateTask) and bool(effect.replaces or effect.replaces_card)


class Revisions:
    """Edits before confirming, served without a model. Saving is no consent."""

    def __init__(
        self,
        db: Database,
        store: ProposalStore,
        team: Team,
        judge: Judge,
        identify: Identify,
    ) -> None:
        self._db = db
        self._store = store
        self._team = team
        self._judge = judge
        self._identify = identify

    async def form(
        self, proposal_id: UUID, *, team_id: str, slack_user_id: str
    ) -> EditForm | NotEditable:
        """Return the form of an open proposal, or why there is none."""
        with as_records_away():
            proposal = await self._editable(proposal_id, team_id, slack_user_id)
            people = await self._team.people()
        if isinstance(proposal, NotEditable):
            return proposal
        named = zip(people, distinct_names(people), strict=True)
        shown = tuple(Named(id=person.profile_id, name=name) for person, name in named)
        return form_of(as_task(proposal), shown)

    async def submit(
        self, incoming: Incoming, proposal_id: UUID, edits: TaskEdits
    ) -> dict[str, str] | NotEditable | None:
        """Replace an open proposal by its edited successor, with receipt and card.

        All in one transaction. Returns errors per field, why this person may not edit it, or None
        on success.
        """
        proposal = await self._editable(proposal_id, incoming.place.team_id, incoming.slack_user_id)
        if isinstance(proposal, NotEditable):
            return proposal
        # It prepares another card and carries nothing out: a fresh belief is enough.
        known = await self._identify(proposal.place, incoming.slack_user_id, Freshness.RECENT)
        if isinstance(known, Unverified):
            return NotEditable(reason="membership_unknown", message=notices.unverified(known.about))
        if isinstance(known, Unidentified):
            return NotEditable(reason="unknown_actor", message=known.message)
        match await self._judge.judge(known, proposal.effect):
            case Deny(reason=reason, message=message):
                return NotEditable(reason=reason, message=message)
            case Allow():
                pass
        edited = await self._apply(as_task(proposal), edits)
        if not isinstance(edited, CreateTask):
            return edited
        edited = await with_cautions(self._db.pool, proposal, edited)
        return await self._replace(incoming, proposal, edited, known.actor)

    async def _editable(
        self, proposal_id: UUID, team_id: str, slack_user_id: str
    ) -> Proposal | NotEditable:
        found = await self._store.by_ids([proposal_id])
        if not found or found[0].place.team_id != team_id:
            return NotEditable(
                reason="unknown_proposal", message=message("propose.cant_find_proposal_any")
            )
        proposal = found[0]
        if proposal.actor_slack_user_id != slack_user_id:
            return NotEditable(
                reason="wrong_actor",
                message=message("propose.only_can_edit", actor_name=proposal.actor_name),
            )
        if not proposal.effect.is_editable:
            return NotEditable(
                reason="not_editable",
                message=message("propose.cant_be_edited_cancel"),
            )
        if proposal.state is not ProposalState.OPEN:
            return NotEditable(
                reason="not_open",
                message=message("propose.proposal_cant_be_edited", state=proposal.state.value),
            )
        return proposal

    async def _apply(
        self, effect: CreateTask, edits: TaskEdits
    ) -> CreateTask | dict[str, str] | NotEditable:
        if edits.start and edits.due and edits.due < edits.start:
            return {"due": message("propose.due")}
        if edits.starts and edits.ends and edits.ends < edits.starts:
            return {"ends": message("propose.ends")}
        if wrong := [one for one in edits.identifiers if not is_identifier(one)]:
            return {"products": message("propose.products", wrong=wrong[0])}
        assignee = await self._assignee(effect, edits.assignee)
        if isinstance(assignee, NotEditable):
            return assignee
        try:
            edited = recompose(effect, edits, assignee)
            return settled_after_edit(effect, edited)
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
            message=message("propose.nobody_active_team_meant"),
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
            [new] = await open_drafts(conn, [draft])
            gone = await supersede(conn, new, [new.id], only=old.id)
            if not gone:
                raise Refused(message("propose.settled_meantime"), reason="not_open")
            await announce(conn, [new], receipt_id=receipt_id, superseded=gone)
            await record_event(conn, "proposal_edited", actor=actor.profile_id, proposal_id=new.id)
        return None


async def with_cautions(conn: Executor, old: Proposal, task: CreateTask) -> CreateTask:
    """Return a successor task with what today's records say against it."""
    found = await read_cautions(conn, old.place.team_id, task, apart_from=old.receipt_id)
    return task.model_copy(update={"against": found.lines[:10]})


async def announce(
    conn: Connection,
    proposals: list[Proposal],
    *,
    receipt_id: int,
    superseded: list[Proposal],
    run_id: UUID | None = None,
    card: str = "",
) -> None:
    """Queue the card of opened proposals, redraws of those they replace, and their expiry.

    A receipt has one card; a further one has a key of its own. What is replaced may have been asked
    for in another thread of the place, which is no longer waiting.
    """
    for old in superseded:
        await redraw(conn, old, why="superseded")
    await post_card(
        conn, proposals, key=card or str(receipt_id), receipt_id=receipt_id, run_id=run_id
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
    """Return the effect of an editable proposal."""
    if not isinstance(proposal.effect, CreateTask):
        raise Broken("only a task has a form")
    return proposal.effect


def _plain(message: str) -> str:
    return message.replace("String should have", "Please give").removeprefix("Value error, ")
