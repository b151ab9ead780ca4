"""Questions that no search answered."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.sops import KnowledgeGap, OpenGap
from agencyclaw.domain.text import one_line
from agencyclaw.store.engine import Database
from agencyclaw.store.person_names import DISPLAY_NAME

# One question per turn, its sub-agents included, and a limited number per person and day; those for
# which something was read are counted apart.
GAPS_A_DAY = 10
_GAP = """
with over as (
  delete from knowledge_gap_notes where noted_at < now() - interval '1 day'
), asked as (
  select left(array_to_string(tsvector_to_array(to_tsvector('english', $2)), ' '), 400) as key
), noted as (
  insert into knowledge_gap_notes (run_id, asked_by, was_read)
  select coalesce((select parent_run_id from agent_runs where id = $6), $6), $5,
    $8::uuid is not null
  from asked where key <> '' and $7 > (
    select count(*) from knowledge_gap_notes
    where asked_by is not distinct from $5 and noted_at >= now() - interval '1 day'
      and was_read = ($8::uuid is not null))
  on conflict (run_id) do nothing returning run_id
)
insert into knowledge_gaps as g (key, client_id, question, best, closest, asked_by, chosen_id)
select key, $1, $2, $3, $4, $5, $8 from noted, asked
on conflict (key, client_id) do update set asked = g.asked + 1, last_asked = now(),
  question = excluded.question, best = excluded.best, closest = excluded.closest,
  asked_by = excluded.asked_by, chosen_id = excluded.chosen_id, settled_at = null
"""
_GAPS_OF = """
select g.id, g.question, g.asked, g.closest, g.last_asked, c.name as client,
  {name} as asked_by, s.name as chosen,
  coalesce(s.aliases, '{{}}') as aliases
from knowledge_gaps g left join agency_clients c on c.id = g.client_id
left join profiles p on p.id = g.asked_by
left join playbook_sops s on s.id = g.chosen_id and s.search is not null
where g.settled_at is null and ($2::uuid is null or g.client_id = $2) and (s.id is not null) = $3
  and not exists (
    select from proposals d
    where d.state = 'cancelled' and d.reason = 'rejected'
      and d.arguments ->> 'kind' = 'name_procedure'
      and d.arguments -> 'procedure' ->> 'id' = g.chosen_id::text
      and not d.arguments -> 'before' -> 'aliases' ? (d.arguments ->> 'name')
      and to_tsvector('english', g.question) @@ plainto_tsquery('english', d.arguments ->> 'name'))
order by g.asked desc, g.last_asked desc, g.id limit $1
"""
_GAPS = _GAPS_OF.format(name=DISPLAY_NAME)
_SETTLE = """
with meant as (
  select id from knowledge_gaps where settled_at is null and starts_with(id::text, $1)
), settled as (
  update knowledge_gaps g set settled_at = now() from meant
  where g.id = meant.id and (select count(*) from meant) = 1
)
select count(*) from meant
"""


async def open_gaps(
    db: Database, *, limit: int, client_id: UUID | None = None, were_read: bool = False
) -> list[OpenGap]:
    """Return questions that no search answered, of one client or of all, most often asked first.

    Those for which a procedure was read only with `were_read`, and then only those. Left out are
    questions in whose words somebody turned a name of that procedure down, by its card's button.
    """
    rows = await db.pool.fetch(_GAPS, limit, client_id, were_read)
    return [OpenGap(**row) for row in rows]


async def note_gap(db: Database, gap: KnowledgeGap) -> None:
    """Store a question that nothing answered; the same significant words count once more.

    One per turn and a limited number per person and day, so that nobody floods the admins' list.
    """
    question = one_line(gap.question, 300)
    facts = (gap.client_id, question, gap.best, gap.closest, gap.asked_by, gap.run_id)
    await db.pool.execute(_GAP, *facts, GAPS_A_DAY, gap.chosen_id)


async def settle_gap(db: Database, prefix: str) -> int:
    """Mark the question whose id begins so as answered until it fails again.

    Returns how many open questions begin so; of several none is marked.
    """
    return await db.pool.fetchval(_SETTLE, prefix)
