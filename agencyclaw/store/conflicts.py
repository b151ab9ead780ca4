"""Proposals in each other's way: of the same thing, on the same entity, too many at once."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.proposals import OPEN_AT_MOST, Proposal, takes_place_of
from agencyclaw.store.engine import Connection, Record
from agencyclaw.store.proposals import proposal_of

_BESIDE = """
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

# One of unknown outcome counts as long as it is looked for; after that a person decides.
_AT_WORK = """
select * from proposals
where entity = $1 and id <> $2 and (
  state in ('confirmed', 'executing') or (state = 'unclear' and reason = 'looking'))
limit 1
"""


async def supersede(
    conn: Connection, new: Proposal, spare: list[UUID], *, only: UUID | None = None
) -> list[Proposal]:
    """End this person's older open proposals of the same thing in the place.

    What else waits stands beside it. With `only`, that one alone, whatever it is.
    """
    beside = [proposal_of(row) for row in await conn.fetch(_BESIDE, new.id, spare)]
    gone = [old.id for old in beside if old.id == only or _gives_way(new, old, only)]
    rows: list[Record] = await conn.fetch(_SUPERSEDE, new.id, gone) if gone else []
    return [proposal_of(row) for row in rows]


def _gives_way(new: Proposal, old: Proposal, only: UUID | None) -> bool:
    return only is None and takes_place_of(new.effect, old)


async def close_overflow(conn: Connection, new_id: UUID) -> list[Proposal]:
    """End this person's oldest open proposals of the place beyond `OPEN_AT_MOST`."""
    return [proposal_of(row) for row in await conn.fetch(_OVERFLOW, new_id, OPEN_AT_MOST)]


async def hold_entities(conn: Connection, entities: set[str]) -> None:
    """Let no other transaction confirm anything on these until this one ends.

    They are taken in one order, so that two with the same ones never wait for each other.
    """
    for entity in sorted(entities):
        await conn.execute("select pg_advisory_xact_lock(hashtextextended($1, 11))", entity)


async def at_work(conn: Connection, proposal: Proposal) -> Proposal | None:
    """Return another proposal on the same entity that is being carried out; ask while holding it.

    It stands in the rows, so it outlives every worker until the effect has an end.
    """
    return await beside(conn, proposal.effect.entity, proposal.id)


async def beside(conn: Connection, entity: str, apart_from: UUID) -> Proposal | None:
    """Return a proposal on this entity, apart from one, that is being carried out."""
    row = await conn.fetchrow(_AT_WORK, entity, apart_from)
    return proposal_of(row) if row else None
