"""Pauses: while one is on, no effect of its workspace is carried out and proposals wait."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.proposals import proposal_of

# An act stored during a pause does not count after it either.
_AT = """
select p.full_name as by, pause.paused_at from execution_pauses pause
join profiles p on p.id = pause.paused_by
where pause.team_id = $1 and (pause.resumed_at is null
  or $2::timestamptz between pause.paused_at and pause.resumed_at)
order by pause.paused_at desc limit 1
"""
_BEGIN = """
insert into execution_pauses (team_id, paused_by) values ($1, $2)
on conflict (team_id) where resumed_at is null do nothing returning id
"""
_END = """
update execution_pauses set resumed_by = $2, resumed_at = now()
where team_id = $1 and resumed_at is null returning id
"""
# Effects that were confirmed and not begun wait for a press again.
_RELEASE = """
update proposals set state = 'open', confirmed_by = null, confirming_receipt_id = null,
  settled_by = null, words_until = null
where team_id = $1 and state = 'confirmed' and undo_of is null
returning *
"""


class Pause(NamedTuple):
    """Who paused the workspace, and since when."""

    by: str
    paused_at: datetime


async def pause_at(db: Database, team_id: str, moment: datetime | None = None) -> Pause | None:
    """Return the pause that is on now, or was at that moment; None if there is none."""
    row = await db.pool.fetchrow(_AT, team_id, moment)
    return Pause(row["by"], row["paused_at"]) if row else None


async def begin_pause(conn: Connection, team_id: str, by: UUID) -> bool:
    """Pause a workspace; False if it is paused already."""
    return await conn.fetchval(_BEGIN, team_id, by) is not None


async def end_pause(conn: Connection, team_id: str, by: UUID) -> bool:
    """End a workspace's pause; False if there is none."""
    return await conn.fetchval(_END, team_id, by) is not None


async def release_confirmed(conn: Connection, team_id: str) -> list[Proposal]:
    """Put confirmed proposals that have not begun back to waiting, and return them."""
    return [proposal_of(row) for row in await conn.fetch(_RELEASE, team_id)]
