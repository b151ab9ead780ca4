"""Records how an effect ended: its state, the log of invocations, the audit."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.text import one_line
from agencyclaw.proposals.handlers import Handler
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.store.admin_notices import raise_alert
from agencyclaw.store.engine import Connection
from agencyclaw.store.events import log_outcome, record_event
from agencyclaw.store.proposal_states import settle


async def record_done(
    conn: Connection, proposal: Proposal, handler: Handler[Any], done: Done
) -> bool:
    """Record that it was done, and whether it can be undone; False if it was settled before."""
    settled = proposal.model_copy(update={"result": done.result})
    can_undo = proposal.undo_of is None and not isinstance(handler.undo(settled), str)
    result = done.result | ({"can_undo": True} if can_undo else {})
    if not await settle(conn, proposal.id, ProposalState.DONE, result=result):
        return False
    await log_outcome(conn, proposal, "success", done.result)
    if done.was_adopted:
        await audit(conn, proposal, "clickup_orphan", "adopted", done.result)
        named = message("alerts.orphan_named", title=one_line(proposal.effect.label, 120))
        about, team_id = f"orphan:{proposal.id}", proposal.place.team_id
        await raise_alert(conn, team_id, about, message("alerts.orphan"), named)
    why = "undo" if proposal.undo_of else None
    await audit(conn, proposal, "effect_done", why, done.result)
    return True


async def record_not_done(
    conn: Connection, proposal: Proposal, outcome: NotDone, *, can_retry: bool
) -> bool:
    """Record that nothing was sent, and whether it can be retried; False as above."""
    state = ProposalState.FAILED if can_retry else ProposalState.CANCELLED
    result = {"message": outcome.message}
    if not await settle(conn, proposal.id, state, result=result, reason=outcome.reason):
        return False
    await log_outcome(conn, proposal, "failed", {"reason": outcome.reason})
    await audit(conn, proposal, "effect_failed", outcome.reason, None)
    if outcome.reason == "misconfigured":
        await raise_alert(conn, proposal.place.team_id, "token", message("alerts.token"))
    return True


async def audit(
    conn: Connection,
    proposal: Proposal,
    event: str,
    reason: str | None,
    payload: dict[str, Any] | None,
) -> None:
    """Add an audit row with the effect's outcome and the person who confirmed it."""
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
