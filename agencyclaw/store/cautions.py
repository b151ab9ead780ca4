"""Reads what speaks against a task before it is confirmed: repeats, notes, products of others."""

from __future__ import annotations

from agencyclaw.domain.cautions import Cautions, OtherProduct
from agencyclaw.domain.effects import CreateTask
from agencyclaw.store.engine import Connection
from agencyclaw.store.repeats import read_repeats

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


async def read_cautions(
    conn: Connection,
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
        products=tuple(OtherProduct(**dict(row)) for row in products),
    )
