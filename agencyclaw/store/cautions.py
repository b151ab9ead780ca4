"""What speaks against a task before it is confirmed: repeats, notes, products of others."""

from __future__ import annotations

import asyncio

from agencyclaw.domain.cautions import Cautions, LikelyRepeat, OtherProduct, TaskOutline
from agencyclaw.store.engine import Database

# Whoever asked for it, and whether it is a task by now or waits on a card. One that this very
# message replaces is none.
_REPEATS = """
with known as (
  select p.arguments, p.actor_name, t.status, t.clickup_url as url,
    coalesce(t.created_at, p.opened_at) as at,
    lower(p.arguments ->> 'title') = lower($4)
      and p.arguments #>> '{destination,list_id}' = $3 as is_equal
  from proposals p left join agent_tasks t on t.proposal_id = p.id
  where p.skill_id = 'create_task' and p.team_id = $7 and p.arguments ->> 'kind' = 'create_task'
    and p.arguments #>> '{client,id}' = $1 and p.arguments #>> '{brand,id}' is not distinct from $2
    and p.created_at > now() - interval '30 days'
    and (t.status in ('created', 'dispatching', 'unclear')
      or p.state in ('open', 'confirmed') and p.suspended_by is distinct from $8)
)
select arguments ->> 'title' as title, url, actor_name as by, at, status is not null as is_made,
  is_equal
from known
where is_equal
  or arguments #>> '{sources,0,id}' = $5 and arguments -> 'identifiers' ?| $6::text[]
order by is_equal desc, at desc limit 3
"""

# A note fits that shares a word with the work; words that stand everywhere are none.
_NOTES = """
select note.note, coalesce(p.full_name, 'somebody') as by
from client_memory_notes note left join profiles p on p.id = note.author_profile_id,
  (select string_agg(quote_literal(word), ' | ')::tsquery as words
    from unnest(tsvector_to_array(to_tsvector('english', $2))) as word) as wanted
where note.client_id = $1 and note.archived_at is null
  and to_tsvector('english', note.note) @@ wanted.words
order by ts_rank(to_tsvector('english', note.note), wanted.words) desc, note.created_at desc
limit 2
"""

_PRODUCTS = """
select distinct coalesce(p.asin, p.sku) as identifier,
  case when p.client_id = $1 then coalesce(b.name, '') else '' end as brand
from catalog_products p left join brands b on b.id = p.brand_id
where p.active and (p.asin = any($3) or upper(p.sku) = any($3))
  and (p.client_id <> $1 or $2::uuid is not null and p.brand_id is distinct from $2)
  and not exists (select from catalog_products own where own.active and own.client_id = $1
    and ($2::uuid is null or own.brand_id = $2) and (own.asin = p.asin or own.sku = p.sku))
order by 1 limit 5
"""


async def read_cautions(db: Database, team_id: str, receipt_id: int, task: TaskOutline) -> Cautions:
    """Return what speaks against a task; what the message of this receipt replaces does not."""
    repeats, notes, products = await asyncio.gather(
        _repeats(db, team_id, receipt_id, task), _notes(db, task), _products(db, task)
    )
    return Cautions(repeats=repeats, notes=notes, products=products)


async def _repeats(
    db: Database, team_id: str, receipt_id: int, task: TaskOutline
) -> tuple[LikelyRepeat, ...]:
    brand = str(task.brand_id) if task.brand_id else None
    rows = await db.pool.fetch(
        _REPEATS,
        str(task.client_id),
        brand,
        task.list_id,
        task.title,
        task.procedure_id,
        list(task.identifiers),
        team_id,
        receipt_id,
    )
    return tuple(LikelyRepeat(**dict(row)) for row in rows)


async def _notes(db: Database, task: TaskOutline) -> tuple[tuple[str, str], ...]:
    words = f"{task.title}\n{task.details}"
    rows = await db.pool.fetch(_NOTES, task.client_id, words)
    return tuple((row["note"], row["by"]) for row in rows)


async def _products(db: Database, task: TaskOutline) -> tuple[OtherProduct, ...]:
    rows = await db.pool.fetch(_PRODUCTS, task.client_id, task.brand_id, list(task.identifiers))
    return tuple(OtherProduct(**dict(row)) for row in rows)
