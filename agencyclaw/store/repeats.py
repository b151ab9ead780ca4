"""Decides when two tasks are the same work: one rule for every duplicate check.

Equal are tasks with the same title, brand, client and list. Probably equal are tasks of one brand
and procedure that share a product, by any of its identifiers. An equal title under another brand or
client is another task.
"""

from __future__ import annotations

from agencyclaw.domain.cautions import LikelyRepeat
from agencyclaw.domain.effects import CreateTask
from agencyclaw.store.engine import Connection

# Whoever asked for it, and whether it is a task or waits on a card. Tasks that this receipt
# replaces, or that were requested with it, don't count.
_REPEATS = """
with own as (select $1::jsonb as arguments, $2::text as entity),
known as (
  select other.arguments ->> 'title' as title, t.clickup_url as url, other.actor_name as by,
    coalesce(t.created_at, other.opened_at) as at, t.status is not null as is_made,
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


async def read_repeats(
    conn: Connection, team_id: str, task: CreateTask, *, apart_from: int | None = None
) -> tuple[LikelyRepeat, ...]:
    """Return the same work of the last thirty days, equal before probably equal, newest first.

    Without what belongs to this receipt: what it requested, and what it is about to replace.
    """
    own = task.model_dump(mode="json", include={"client", "brand", "sources", "identifiers"})
    rows = await conn.fetch(_REPEATS, own, task.entity, team_id, apart_from)
    return tuple(LikelyRepeat(**dict(row)) for row in rows)
