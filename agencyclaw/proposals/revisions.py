"""Edits of open proposals in a form, before anybody confirms them. No model is involved."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID

from pydantic import ValidationError

from agencyclaw.domain.clients import Named
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.edits import EditForm, NotEditable, TaskEdits, form_of
from agencyclaw.domain.errors import Broken, Refused
from agencyclaw.domain.identifiers import is_identifier
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import distinct_names
from agencyclaw.domain.people import Actor, Freshness
from agencyclaw.domain.policy import Allow, Deny
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.task_creation import Assignee, CreateTask
from agencyclaw.domain.task_requests import FACT_LIMIT
from agencyclaw.domain.text import cut
from agencyclaw.knowledge.briefs import recompose
from agencyclaw.proposals.edited import with_edited_sources
from agencyclaw.proposals.identities import Identify, Unidentified, Unverified
from agencyclaw.proposals.judge import Judge
from agencyclaw.proposals.propose import announce, with_cautions
from agencyclaw.store.conflicts import supersede_one
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database, as_records_away
from agencyclaw.store.events import record_event
from agencyclaw.store.proposal_states import open_drafts
from agencyclaw.store.proposals import ProposalStore, insert_draft
from agencyclaw.store.receipts import keep_settled


class Revisions:
    """Edits before confirming, served without a model. Saving is no consent."""

    def __init__(
        self,
        db: Database,
        store: ProposalStore,
        directory: DirectoryReader,
        judge: Judge,
        identify: Identify,
    ) -> None:
        self._db = db
        self._store = store
        self._directory = directory
        self._judge = judge
        self._identify = identify

    async def form(
        self, proposal_id: UUID, *, team_id: str, slack_user_id: str
    ) -> EditForm | NotEditable:
        """Return the form of an open proposal, or why there is none."""
        with as_records_away():
            proposal = await self._editable(proposal_id, team_id, slack_user_id)
            people = await self._directory.people()
        if isinstance(proposal, NotEditable):
            return proposal
        names = distinct_names(people)
        assignees = tuple(
            Named(id=person.profile_id, name=name)
            for person, name in zip(people, names, strict=True)
        )
        return form_of(_as_task(proposal), assignees)

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
        # It prepares another card and carries nothing out, so a recent identity is enough.
        known = await self._identify(proposal.place, incoming.slack_user_id, Freshness.RECENT)
        if isinstance(known, Unverified):
            unverified = message("proposal.unverified", about=known.about)
            return NotEditable(reason="membership_unknown", message=unverified)
        if isinstance(known, Unidentified):
            return NotEditable(reason="unknown_actor", message=known.message)
        match await self._judge.judge(known, proposal.effect):
            case Deny(reason=reason, message=why):
                return NotEditable(reason=reason, message=why)
            case Allow():
                pass
        today = (datetime.now(UTC) + self._db.ahead).astimezone(known.actor.zone).date()
        edited = await self._apply(_as_task(proposal), edits, today)
        if not isinstance(edited, CreateTask):
            return edited
        edited = await with_cautions(self._db.pool, proposal, edited)
        return await self._replace(incoming, proposal, edited, known.actor)

    async def _editable(
        self, proposal_id: UUID, team_id: str, slack_user_id: str
    ) -> Proposal | NotEditable:
        proposals = await self._store.by_ids([proposal_id])
        if not proposals or proposals[0].place.team_id != team_id:
            return NotEditable(
                reason="unknown_proposal", message=message("propose.cant_find_proposal_any")
            )
        [proposal] = proposals
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
        self, effect: CreateTask, edits: TaskEdits, today: date
    ) -> CreateTask | dict[str, str] | NotEditable:
        if past := past_days(effect, edits, today):
            return past
        if edits.start and edits.due and edits.due < edits.start:
            return {"due": message("propose.due")}
        if edits.starts and edits.ends and edits.ends < edits.starts:
            return {"ends": message("propose.ends")}
        if lost := edits.lost_terms(effect.promotion):
            return {"promotion_type": message("propose.lost_terms", terms=", ".join(lost))}
        if wrong := [value for value in edits.identifiers if not is_identifier(value)]:
            return {"products": message("propose.products", wrong=wrong[0])}
        if long := edits.long_fact:
            return {"known": message("propose.known", long=cut(long, 40), most=FACT_LIMIT)}
        assignee = await self._assignee(effect, edits.assignee)
        if isinstance(assignee, NotEditable):
            return assignee
        try:
            edited = recompose(effect, edits, assignee)
            return with_edited_sources(effect, edited)
        except ValidationError as error:
            return _field_errors(error)
        except Refused as refusal:
            return {"details": refusal.message}

    async def _assignee(
        self, effect: CreateTask, profile_id: UUID | None
    ) -> Assignee | NotEditable | None:
        if profile_id is None:
            return None
        if effect.assignee and effect.assignee.profile_id == profile_id:
            return effect.assignee
        for person in await self._directory.people():
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
            superseded = await supersede_one(conn, new, old)
            if not superseded:
                raise Refused(message("propose.settled_meantime"), reason="not_open")
            await announce(conn, [new], receipt_id=receipt_id, superseded=superseded)
            await record_event(conn, "proposal_edited", actor=actor.profile_id, proposal_id=new.id)
        return None


def past_days(effect: CreateTask, edits: TaskEdits, today: date) -> dict[str, str]:
    """Return an error for each day that was chosen and is past, as it would be asked about."""
    terms = effect.promotion
    days = {
        "start": (effect.start, edits.start),
        "due": (effect.due, edits.due),
        "ends": (terms.ends if terms else None, edits.ends),
    }
    return {
        field: message("propose.past", day=spoken_day(chosen))
        for field, (before, chosen) in days.items()
        if chosen and chosen < today and chosen != before
    }


def _as_task(proposal: Proposal) -> CreateTask:
    """Return the effect of an editable proposal."""
    if not isinstance(proposal.effect, CreateTask):
        raise Broken("only a task has a form")
    return proposal.effect


def _field_errors(error: ValidationError) -> dict[str, str]:
    """Return an error per field, in plain words; "" stands for the form as a whole."""
    errors: dict[str, str] = {}
    for detail in error.errors():
        field = str(detail["loc"][0]) if detail["loc"] else ""
        text = detail["msg"].replace("String should have", "Please give")
        if detail["type"] == "too_long":
            text = message("propose.too_many", most=detail.get("ctx", {})["max_length"])
        errors[_FORM_FIELDS.get(field, field)] = text.removeprefix("Value error, ")
    return errors


# Where a task's fields stand in the form under another name.
_FORM_FIELDS = {"identifiers": "products", "marketplaces": "marketplace", "facts": "known"}
