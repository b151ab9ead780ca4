"""Pauses: while one is on, nothing is carried out in its workspace; proposals wait."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.proposals import proposal_of

# An act that was stored while a pause was on does not count when it is over either.
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
# What was confirmed and not begun waits for a press again.
_RELEASE = """
update proposals set state = 'open', confirmed_by = null, confirming_receipt_id = null,
  settled_by = null, words_until = null
where team_id = $1 and state = 'confirmed' and undo_of is null
returning *
"""


class Pause(NamedTuple):
    """Who paused, and since when."""

    by: str
    paused_at: datetime


async def pause_at(db: Database, team_id: str, moment: datetime | None = None) -> Pause | None:
    """Return the pause that is on now, or was at a moment; None when there is none."""
    row = await db.pool.fetchrow(_AT, team_id, moment)
    return Pause(row["by"], row["paused_at"]) if row else None


async def begin_pause(conn: Connection, team_id: str, by: UUID) -> bool:
    """Pause a workspace; False when it is paused already."""
    return await conn.fetchval(_BEGIN, team_id, by) is not None


async def end_pause(conn: Connection, team_id: str, by: UUID) -> bool:
    """End the pause of a workspace; False when there is none."""
    return await conn.fetchval(_END, team_id, by) is not None


async def release_confirmed(conn: Connection, team_id: str) -> list[Proposal]:
    """Let what was confirmed and not begun wait again, and return it."""
    return [proposal_of(row) for row in await conn.fetch(_RELEASE, team_id)]
