"""Procedures and earlier work, read for a draft to rest on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import UUID

import asyncpg

from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.search_keys import phrase_keys, telling, words_of
from agencyclaw.domain.sops import Candidate, Sop, SopHit
from agencyclaw.domain.text import clean
from agencyclaw.store.engine import Database, Record

Rank = Callable[[str, Sequence[Candidate], int], list[SopHit]]

# Rarest words first, and never more than a thousand rows ranked: that keeps a question of common
# words cheap at a hundred thousand procedures. A word that nothing holds still counts in the
# question's weight, so that a question about something else finds nothing.
_FIND = r"""
with asked as materialized (
  select lexeme,
    ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery as word
  from unnest(to_tsvector('english', $2)) order by positions[1] limit 24
), weighed as materialized (
  select lexeme, word, found,
    case
      when found > 0 then 1 / (1 + ln(1 + found))
      when lexeme ~ '\d' then 0
      else 0.5
    end::float8 as weight
  from asked, lateral (
    select count(*)::float8 as found
    from (select from playbook_sops s where s.search @@ word limit 200) as few
  ) as counted
), question as materialized (
  select string_agg(word::text, ' | ')::tsquery as words
  from (select word from weighed where found > 0 order by found, lexeme limit 5) as rare
), spoken as (
  select distinct id
  from unnest($1::text[]) as key, lateral (
    select id from playbook_sops where keys @> array[key] limit 50
  ) as called
), worded as (
  select s.id, ts_rank('{0.1, 0.2, 0.5, 1.0}', s.search, question.words) as rank
  from question, lateral (
    select id, search from playbook_sops
    where search @@ question.words limit 1000
  ) as s
  order by rank desc, s.id limit 20
)
select s.id, s.name, s.category, s.aliases, s.content_md, s.version, s.last_synced_at,
  coalesce(worded.rank, 0)::float8 as rank, held.words, held.in_heading,
  coalesce(held.weight / nullif((select sum(weight) from weighed), 0), 0) as share
from (select id from spoken union select id from worded) as chosen
join playbook_sops s using (id)
left join worded using (id)
cross join lateral (
  select count(*) as words, coalesce(bool_or(in_heading), false) as in_heading,
    sum(case when in_heading then weight else 0.75 * weight end) as weight
  from weighed, lateral (select ts_filter(s.search, '{a,b}') @@ word as in_heading) as place
  where found > 0 and s.search @@ word
) as held
order by s.id
"""

_RESPELL = """
select distinct on (asked.word) asked.word, meant.word as meant
from unnest($1::text[]) as asked(word)
cross join lateral (
  select sop_heading(name, category, aliases) as text from playbook_sops
  where asked.word <% sop_heading(name, category, aliases) and keys is not null limit 50
) as heading
cross join lateral unnest(string_to_array(lower(heading.text), ' ')) as meant(word)
where not exists (
  select from playbook_sops where search @@ plainto_tsquery('english', asked.word)
)
order by asked.word, similarity(asked.word, meant.word) desc, meant.word
"""

_PRIOR = """
select t.id, t.title, t.clickup_url, t.created_at, b.name as brand
from agent_tasks t left join brands b on b.id = t.brand_id
where t.client_id = $1 and t.status = 'created'
order by t.created_at desc, t.id limit $2
"""

_SHORTEST_RESPELT = 5


class KnowledgeReader:
    """The agency's procedures, ranked by the rule that the composition root hands over."""

    def __init__(self, db: Database, rank: Rank) -> None:
        self._db = db
        self._rank = rank

    async def find_sops(self, query: str, *, limit: int) -> list[SopHit]:
        """Return procedures by category, contained alias and full text, best first.

        Only where nothing is found are words read as misspelt, and the finding says `text`.
        """
        query = clean(query)
        if hits := await self._find(query, limit):
            return hits
        corrected = await self._respell(query)
        return [_as_guess(hit) for hit in await self._find(corrected, limit)] if corrected else []

    async def prior_tasks(self, client_id: UUID, *, limit: int) -> list[PriorTask]:
        """Return tasks this assistant created for a client, newest first."""
        rows = await self._db.pool.fetch(_PRIOR, client_id, max(limit, 0))
        return [
            PriorTask(
                id=row["id"],
                title=row["title"],
                url=row["clickup_url"],
                created_at=row["created_at"],
                brand=row["brand"],
            )
            for row in rows
        ]

    async def _find(self, query: str, limit: int) -> list[SopHit]:
        rows = await self._db.pool.fetch(_FIND, phrase_keys(words_of(query)), telling(query))
        return self._rank(query, [_candidate(row) for row in rows], limit)

    async def _respell(self, query: str) -> str:
        """Return the query with misspelt words put right; empty when there was none."""
        words = [w for w in telling(query).lower().split() if _may_be_misspelt(w)]
        if not words:
            return ""
        try:
            rows = await self._db.pool.fetch(_RESPELL, words)
        except asyncpg.UndefinedFunctionError:
            return ""
        meant = {row["word"]: row["meant"] for row in rows}
        return " ".join(meant.get(word, word) for word in query.lower().split()) if meant else ""


def _may_be_misspelt(word: str) -> bool:
    return len(word) >= _SHORTEST_RESPELT and word.isalpha()


def _as_guess(hit: SopHit) -> SopHit:
    return SopHit(sop=hit.sop, match="text", score=min(hit.score, 0.4))


def _candidate(row: Record) -> Candidate:
    return Candidate(
        sop=Sop(
            id=row["id"],
            title=row["name"],
            category=row["category"],
            aliases=tuple(row["aliases"]),
            body=row["content_md"],
            version=row["version"],
            synced_at=row["last_synced_at"],
        ),
        share=row["share"],
        words=row["words"],
        in_heading=row["in_heading"],
        rank=row["rank"],
    )
