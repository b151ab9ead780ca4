"""Stores effects as drafts, and announces proposals once they are open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.cautions import Cautions
from agencyclaw.domain.conversations import Period
from agencyclaw.domain.effects import Effect, without_identifiers_used_by
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.proposals import Proposal, corrects, names_as_replaced
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.proposals.cards import post_card, redraw
from agencyclaw.store.cautions import read_cautions
from agencyclaw.store.engine import Connection, Database, Executor
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.suspensions import suspend

DRAFTS_PER_RUN = 5


@dataclass(eq=False)
class _RunDraft:
    """A draft of this run: the effect as the tool returned it, and with what it replaces."""

    requested: Effect
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
        self._drafts: list[_RunDraft] = []

    @property
    def drafts(self) -> list[Proposal]:
        """The drafts so far, in order."""
        return [draft.proposal for draft in self._drafts]

    async def confirmed(self, period: Period) -> Sequence[Proposal]:
        """Return what the run's person confirmed anywhere in this workspace, the latest first."""
        return await self._store.confirmed_by(self._place.team_id, self._actor, period)

    async def open_cards(self) -> Sequence[Proposal]:
        """Return what waits for the run's person anywhere in this workspace, the oldest first."""
        return await self._store.all_waiting_for(self._place.team_id, self._actor.slack_user_id)

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
            for draft in self._drafts:
                if draft.requested == effect:
                    return draft.proposal
            corrected = [draft for draft in self._drafts if corrects(effect, draft.proposal)]
            kept = [draft for draft in self._drafts if draft not in corrected]
            if len(kept) >= DRAFTS_PER_RUN:
                raise TooMuch(
                    message("propose.prepare_at_most_changes", drafts_per_run=DRAFTS_PER_RUN),
                    reason="draft_limit",
                )
            merged = _with_replacements_of(effect, corrected)
            all_effects = [*(draft.merged for draft in kept), merged]
            proposal = await self._store.draft(
                without_identifiers_used_by(all_effects, merged),
                receipt_id=self._receipt_id,
                run_id=self._run_id,
                place=self._place,
                actor=self._actor,
            )
            for draft in corrected:
                await self._store.drop_draft(draft.proposal.id)
            for draft in kept:
                changed = without_identifiers_used_by(all_effects, draft.merged)
                if changed != draft.proposal.effect:
                    draft.proposal = await self._store.redraft(draft.proposal, changed)
            self._drafts = [*kept, _RunDraft(effect, merged, proposal)]
            return proposal


_NOTHING_REPLACED = {"replaces": "", "replaces_card": None, "replaces_alone": False}


def _with_replacements_of(effect: Effect, corrected: Sequence[_RunDraft]) -> Effect:
    """Return a task that also replaces what the drafts it corrects would have replaced.

    The same task again may name what it replaces only now.
    """
    for draft in corrected:
        old = draft.merged
        is_named = names_as_replaced(effect, draft.proposal) or not _names_replaced(effect)
        if isinstance(old, CreateTask) and _names_replaced(old) and is_named:
            taken_over = {name: getattr(old, name) for name in _NOTHING_REPLACED}
            effect = effect.model_copy(update=taken_over)
    ids = [draft.proposal.id for draft in corrected]
    if isinstance(effect, CreateTask) and effect.replaces_card in ids:
        # What it replaced is gone by now, and was no card.
        effect = effect.model_copy(update=_NOTHING_REPLACED)
    return effect


def _names_replaced(effect: Effect) -> bool:
    return isinstance(effect, CreateTask) and bool(effect.replaces or effect.replaces_card)


async def with_cautions(conn: Executor, old: Proposal, task: CreateTask) -> CreateTask:
    """Return a successor task with what today's records say against it."""
    cautions = await read_cautions(conn, old.place.team_id, task, apart_from=old.receipt_id)
    return task.model_copy(update={"against": cautions.lines[:10]})


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

    A receipt has one card; any other card needs a key of its own. A replaced proposal may be of
    another thread in the same place.
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
