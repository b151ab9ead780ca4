"""Conflicting proposals: on the same subject, on the same entity, or too many at once.

Hot path: every card.
"""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.proposals import OPEN_AT_MOST, Proposal, takes_place_of
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection
from agencyclaw.store.proposals import fetch_proposal, fetch_proposals

_CANDIDATES = """
select old.* from proposals old join proposals new on new.id = $1
where old.id <> all($2) and old.state = 'open'
  and old.actor_profile_id = new.actor_profile_id and old.place = new.place
order by old.id
"""
_SUPERSEDE = """
update proposals set state = 'superseded', settled_at = now(), settled_by = actor_name,
  superseded_by = $1
where id = any($2::uuid[]) and state = 'open' returning *
"""

_OVERFLOW = """
update proposals set state = 'superseded', settled_at = now(), reason = 'crowded_out'
where id in (
  select old.id from proposals old join proposals new on new.id = $1
  where old.state = 'open' and old.place = new.place
    and old.actor_profile_id = new.actor_profile_id
  order by old.opened_at desc, old.ordinal desc offset $2
) and state = 'open'
returning *
"""

# An effect of unknown outcome blocks its entity only while it is still being looked for.
_AT_WORK = """
select * from proposals
where entity = $1 and id <> $2 and (
  state in ('confirmed', 'executing') or (state = 'unclear' and reason = 'looking'))
limit 1
"""


async def supersede(
    conn: Connection, new: Proposal, keep: list[UUID], *, only: UUID | None = None
) -> list[Proposal]:
    """Supersede this person's older open proposals on the same subject in the place.

    Other open proposals stay open. With `only`, exactly that one is superseded. `keep` must hold
    `new.id`.
    """
    candidates = await fetch_proposals(conn, _CANDIDATES, new.id, keep)
    gone = [
        old.id
        for old in candidates
        if (takes_place_of(new.effect, old) if only is None else old.id == only)
    ]
    return await fetch_proposals(conn, _SUPERSEDE, new.id, gone) if gone else []


async def close_overflow(conn: Connection, new_id: UUID) -> list[Proposal]:
    """End this person's oldest open proposals of the place beyond `OPEN_AT_MOST`."""
    return await fetch_proposals(conn, _OVERFLOW, new_id, OPEN_AT_MOST)


async def hold_entities(conn: Connection, entities: set[str]) -> None:
    """Lock these entities until the transaction ends, so that nobody confirms anything on them.

    Sorted, to avoid deadlocks.
    """
    for entity in sorted(entities):
        await lock_until_commit(conn, LockKind.ENTITY, entity)


async def at_work(conn: Connection, entity: str, *, apart_from: UUID) -> Proposal | None:
    """Return another proposal on this entity that is being carried out; ask while holding it.

    The state is in the table, so it survives a crashed worker.
    """
    return await fetch_proposal(conn, _AT_WORK, entity, apart_from)
