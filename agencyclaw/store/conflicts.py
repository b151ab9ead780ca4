"""Proposals that can't stand beside each other.

A newer one supersedes those on the same subject, a person has only so many open in a place, and one
effect at a time changes an entity. Hot path: every card.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from agencyclaw.domain.proposals import OPEN_AT_MOST, Proposal, takes_place_of
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection
from agencyclaw.store.proposals import fetch_proposal, fetch_proposals

# What is open in the place of a proposal ($1) for the same person, itself included.
_OPEN_BESIDE = """
from proposals old join proposals new on new.id = $1
where old.state = 'open' and old.place = new.place
  and old.actor_profile_id = new.actor_profile_id
"""
_OLDER = f"select old.* {_OPEN_BESIDE} and old.id <> $1 order by old.id"
_SUPERSEDE = """
update proposals set state = 'superseded', settled_at = now(), settled_by = actor_name,
  superseded_by = $1
where id = any($2::uuid[]) and state = 'open' returning *
"""
_CLOSE_OVERFLOW = f"""
update proposals set state = 'superseded', settled_at = now(), reason = 'crowded_out'
where state = 'open' and id in (
  select old.id {_OPEN_BESIDE}
  order by old.opened_at desc, old.ordinal desc offset $2
)
returning *
"""  # noqa: S608

# An effect of unknown outcome blocks its entity only while it is still being looked for.
_AT_WORK_ON = """
select * from proposals
where entity = $1 and id <> $2 and (
  state in ('confirmed', 'executing') or (state = 'unclear' and reason = 'looking'))
limit 1
"""


async def supersede(
    conn: Connection, new: Proposal, *, beside: Collection[UUID] = ()
) -> list[Proposal]:
    """Supersede what a proposal takes the place of, of its person's open ones in its place.

    Those `beside` were opened together with it, and stay open. Returns the superseded ones.
    """
    older = await fetch_proposals(conn, _OLDER, new.id)
    replaced = [one for one in older if takes_place_of(new.effect, one) and one.id not in beside]
    return await _supersede(conn, new, replaced)


async def supersede_one(conn: Connection, new: Proposal, old: Proposal) -> list[Proposal]:
    """Supersede exactly this one by its new version; none if it is not open any more."""
    older = await fetch_proposals(conn, _OLDER, new.id)
    return await _supersede(conn, new, [one for one in older if one.id == old.id])


async def _supersede(conn: Connection, new: Proposal, old: list[Proposal]) -> list[Proposal]:
    return await fetch_proposals(conn, _SUPERSEDE, new.id, [one.id for one in old]) if old else []


async def close_overflow(conn: Connection, new_id: UUID) -> list[Proposal]:
    """End this person's oldest open proposals of the place beyond `OPEN_AT_MOST`."""
    return await fetch_proposals(conn, _CLOSE_OVERFLOW, new_id, OPEN_AT_MOST)


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
    return await fetch_proposal(conn, _AT_WORK_ON, entity, apart_from)
