"""Undo: a person's click reverses a completed effect by another effect, which runs once."""

from __future__ import annotations

from collections.abc import Callable

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.proposals import UNDO_WINDOW, Proposal, ProposalState
from agencyclaw.domain.receipts import Receipt
from agencyclaw.proposals import notices
from agencyclaw.proposals.act_results import ActResult, not_theirs, refused
from agencyclaw.proposals.cards import execute_later
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.conflicts import at_work, hold_entities
from agencyclaw.store.engine import Connection
from agencyclaw.store.events import log_confirmed, log_replay
from agencyclaw.store.undoing import release_undo, undone_by

Undoing = Callable[[Proposal], Effect | str]


async def undo(
    conn: Connection,
    receipt: Receipt,
    who: Identity,
    proposal: Proposal,
    effect: Effect | str,
    denied: Deny | None,
) -> ActResult:
    """Confirm the undo of a completed proposal, or say why not; the click is the consent.

    `effect` reverses the proposal. Changes made since are found when it is carried out, as for
    every other effect.
    """
    return (
        not_theirs(receipt, who, proposal)
        or _not_done(proposal)
        or _late(receipt, proposal)
        or refused(denied)
        or await _release(conn, receipt, who, proposal, effect)
    )


def _not_done(proposal: Proposal) -> ActResult | None:
    if proposal.state is not ProposalState.DONE:
        return ActResult(
            "nothing_to_undo", notices.ended(proposal, proposal.state), is_private=True
        )
    return None


def _late(receipt: Receipt, proposal: Proposal) -> ActResult | None:
    """Refuse a click after the undo window, by the time it was stored."""
    done_at = proposal.settled_at
    if done_at is None or receipt.received_at - done_at <= UNDO_WINDOW:
        return None
    return ActResult("too_late_to_undo", notices.too_late_to_undo(proposal), is_private=True)


async def _release(
    conn: Connection,
    receipt: Receipt,
    who: Identity,
    proposal: Proposal,
    effect: Effect | str,
) -> ActResult:
    if isinstance(effect, str):
        return ActResult("cannot_undo", effect, is_private=True)
    await hold_entities(conn, {effect.entity})
    other = await at_work(conn, effect.entity, apart_from=proposal.id)
    if other and other.undo_of != proposal.id:
        is_own = other.actor_profile_id == who.actor.profile_id
        return ActResult("entity_at_work", notices.at_work(other, is_own=is_own), is_private=True)
    released = await release_undo(conn, proposal, effect, receipt_id=receipt.id, actor=who.actor)
    if released is None:
        if undoing := await undone_by(conn, proposal.id):
            await log_replay(conn, undoing, by=who.actor, receipt_id=receipt.id)
        return ActResult("already_undone", notices.UNDONE_BEFORE, is_private=True)
    await log_confirmed(conn, released)
    await execute_later(conn, released)
    return ActResult("undoing")
