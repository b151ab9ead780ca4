"""The registry of ClickUp spaces, written inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.clients import SpaceRecord
from agencyclaw.domain.spaces import SpaceMove
from agencyclaw.store.engine import Connection

_READ = """
select space_id as id, name,
  case when active then classification else 'inactive' end as classification
from clickup_space_registry where space_id = any($1::text[])
"""
_ADD = """
insert into clickup_space_registry
  (space_id, team_id, name, classification, last_seen_at, last_synced_at)
values ($1, $2, $3, $4, now(), now())
"""
# One that is out of use keeps what it was for.
_CHANGE = """
update clickup_space_registry set name = $2, active = $3 <> 'inactive',
  classification = case when $3 = 'inactive' then classification else $3 end,
  last_synced_at = now(), updated_at = now()
where space_id = $1
"""
_REMOVE = "delete from clickup_space_registry where space_id = $1"


async def move_spaces(conn: Connection, moves: Sequence[SpaceMove], workspace: str) -> str | None:
    """Write every move, or none; returns the name of a space that is not as it was before.

    The registry is locked, because a row that does not exist yet can't be.
    """
    await conn.execute("lock table clickup_space_registry in share row exclusive mode")
    rows = await conn.fetch(_READ, [move.space.id for move in moves])
    present = {row["id"]: SpaceRecord(**row) for row in rows}
    for move in moves:
        if present.get(move.space.id) != move.before:
            return move.space.name
    for move in moves:
        await _write(conn, move, workspace)
    return None


async def _write(conn: Connection, move: SpaceMove, workspace: str) -> None:
    before, after = move.before, move.after
    if after is None:
        await conn.execute(_REMOVE, move.space.id)
    elif before is None:
        await conn.execute(_ADD, after.id, workspace, after.name, after.classification.value)
    else:
        await conn.execute(_CHANGE, after.id, after.name, after.classification.value)
