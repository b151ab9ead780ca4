"""Undoing: each completed proposal is undone by at most one other, confirmed by a click."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.engine import Connection, fetch_one
from agencyclaw.store.proposals import insert_draft, proposal_of

_RELEASE = """
update proposals set state = 'confirmed', confirmed_by = $2, confirming_receipt_id = receipt_id,
  opened_at = now(), settled_by = actor_name, undo_of = $3
where id = $1 and state = 'draft'
returning *
"""

_MARK = """
update proposals set undone_by = $2 where id = $1 and state = 'done' and undone_by is null
"""


async def release_undo(
    conn: Connection, done: Proposal, effect: Effect, *, receipt_id: int, actor: Actor
) -> Proposal | None:
    """Store the effect that undoes `done`, confirmed by the click; None if there was one before.

    The mark on the completed proposal is set by compare-and-set, so one of two clicks wins.
    """
    draft = await insert_draft(
        conn,
        effect,
        receipt_id=receipt_id,
        run_id=done.run_id,
        place=done.place,
        actor=actor,
    )
    if await conn.execute(_MARK, done.id, draft.id) != "UPDATE 1":
        await conn.execute("delete from proposals where id = $1", draft.id)
        return None
    row = await fetch_one(conn, _RELEASE, draft.id, actor.profile_id, done.id)
    return proposal_of(row)


async def undone_by(conn: Connection, proposal_id: UUID) -> UUID | None:
    """Return the proposal that undoes another one, or None."""
    return await conn.fetchval("select undone_by from proposals where id = $1", proposal_id)


async def allow_undo_again(conn: Connection, undoing: Proposal) -> None:
    """Free the mark: what is not known to be undone can be undone again."""
    await conn.execute(
        "update proposals set undone_by = null where id = $1 and undone_by = $2",
        undoing.undo_of,
        undoing.id,
    )
