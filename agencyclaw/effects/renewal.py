"""What changed between card and execution: the same wish again, for the facts of today."""

from __future__ import annotations

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import Proposal
from agencyclaw.effects.propose import announce
from agencyclaw.store.engine import Connection
from agencyclaw.store.events import record_event
from agencyclaw.store.proposals import insert_draft, open_drafts
from agencyclaw.store.rivals import supersede


async def propose_anew(conn: Connection, old: Proposal, effect: Effect) -> None:
    """Open a fresh proposal in place of one that could not be carried out; it needs its own yes."""
    receipt_id = old.confirming_receipt_id or old.receipt_id
    # Whose it is; what they may do is judged anew when they release it.
    actor = Actor(
        profile_id=old.actor_profile_id,
        name=old.actor_name,
        tier=effect.tier,
        slack_user_id=old.actor_slack_user_id,
        timezone=effect.timezone,
    )
    draft = await insert_draft(
        conn, effect, receipt_id=receipt_id, run_id=old.run_id, place=old.place, actor=actor
    )
    opened = await open_drafts(conn, [draft.id])
    gone = await supersede(conn, draft.id, [draft.id])
    await announce(
        conn, opened, receipt_id=receipt_id, superseded=gone, run_id=old.run_id, card=str(draft.id)
    )
    await record_event(conn, "proposal_renewed", actor=actor.profile_id, proposal_id=draft.id)
