"""Reads what speaks against a task before it is confirmed: repeats, notes, products of others.

Hot path: every card of a task.
"""

from __future__ import annotations

from agencyclaw.domain.cautions import Cautions, LikelyRepeat, OtherProduct
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.store.engine import Executor
from agencyclaw.store.person_names import FULL_NAME

# Whoever asked for it, and whether it is a task or waits on a card. Tasks that this receipt
# replaces, or that were requested with it, don't count.
_REPEATS = """
with own as (select $1::jsonb as arguments, $2::text as entity),
known as (
  select other.arguments ->> 'title' as title, t.clickup_url as url, other.actor_name as by,
    coalesce(t.dispatched_at, other.opened_at) as at,
    coalesce(t.status <> 'failed', false) as is_made,
    other.entity = own.entity as is_equal
  from own, proposals other left join agent_tasks t on t.proposal_id = other.id
  where other.skill_id = 'create_task' and other.team_id = $3
    and other.arguments ->> 'kind' = 'create_task' and other.receipt_id is distinct from $4
    and other.created_at > now() - interval '30 days'
    and (t.status in ('created', 'dispatching', 'unclear')
      or other.state in ('open', 'confirmed')
        and ($4::bigint is null or other.suspended_by is distinct from $4))
    and other.arguments -> 'client' ->> 'id' = own.arguments -> 'client' ->> 'id'
    and (other.entity = own.entity
      or other.arguments #>> '{brand,id}' is not distinct from own.arguments #>> '{brand,id}'
        and other.arguments #>> '{sources,0,tier}' = 'sop'
        and other.arguments #>> '{sources,0,id}' = own.arguments #>> '{sources,0,id}'
        and other.arguments -> 'identifiers' ?| array(
          select jsonb_array_elements_text(own.arguments -> 'identifiers')
          union select upper(called.name)
          from catalog_products product,
            lateral (values (product.asin), (product.sku)) as called (name)
          where product.client_id = (own.arguments -> 'client' ->> 'id')::uuid
            and own.arguments -> 'identifiers' ?| array[upper(product.asin), upper(product.sku)]))
)
select * from known order by is_equal desc, at desc limit 3
"""
# A note fits that shares a word with the work; words that stand everywhere are none.
_NOTES_OF = """
select note.note, coalesce({name}, 'somebody') as by
from client_memory_notes note left join profiles p on p.id = note.author_profile_id,
  (select string_agg(quote_literal(word), ' | ')::tsquery as words
    from unnest(tsvector_to_array(to_tsvector('english', $2))) as word) as wanted
where note.client_id = $1 and note.archived_at is null
  and to_tsvector('english', note.note) @@ wanted.words
order by ts_rank(to_tsvector('english', note.note), wanted.words) desc, note.created_at desc
limit 2
"""
_NOTES = _NOTES_OF.format(name=FULL_NAME)
_PRODUCTS = """
select distinct case when p.asin = any($3) then p.asin else p.sku end as identifier,
  case when p.client_id = $1 then coalesce(b.name, '') else '' end as brand
from catalog_products p left join brands b on b.id = p.brand_id
where p.active and (p.asin = any($3) or upper(p.sku) = any($3))
  and (p.client_id <> $1 or $2::uuid is not null and p.brand_id is distinct from $2)
  and not exists (select from catalog_products own where own.active and own.client_id = $1
    and ($2::uuid is null or own.brand_id = $2)
    and (own.asin = p.asin or upper(own.sku) = upper(p.sku)))
order by 1 limit 5
"""


async def read_repeats(
    conn: Executor, team_id: str, task: CreateTask, *, apart_from: int | None = None
) -> tuple[LikelyRepeat, ...]:
    """Return the same work of the last thirty days, equal before probably equal, newest first.

    Equal are tasks with the same title, brand, client and list. Probably equal are tasks of one
    brand and procedure that share a product, by any of its identifiers. What belongs to the receipt
    `apart_from` is left out: what it requested, and what it is about to replace.
    """
    own = task.model_dump(mode="json", include={"client", "brand", "sources", "identifiers"})
    rows = await conn.fetch(_REPEATS, own, task.entity, team_id, apart_from)
    zone = zone_named(task.timezone)
    return tuple(LikelyRepeat(**{**row, "at": row["at"].astimezone(zone)}) for row in rows)


async def read_cautions(
    conn: Executor,
    team_id: str,
    task: CreateTask,
    *,
    apart_from: int | None = None,
) -> Cautions:
    """Return what speaks against a task, ignoring what belongs to this receipt."""
    repeats = await read_repeats(conn, team_id, task, apart_from=apart_from)
    words = "\n".join((task.title, task.objective, task.details))
    notes = await conn.fetch(_NOTES, task.client.id, words)
    brand_id = task.brand.id if task.brand else None
    products = await conn.fetch(_PRODUCTS, task.client.id, brand_id, list(task.identifiers))
    return Cautions(
        repeats=repeats,
        notes=tuple((row["note"], row["by"]) for row in notes),
        products=tuple(OtherProduct(**row) for row in products),
    )
