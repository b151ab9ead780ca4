"""Documents ranked for a question, in one statement: full text and spelling.

A word weighs by how few documents hold it, 0 to 1, and counts by how often, as in BM25. A document
fits as a whole and by its best passage: a window of its text, read under its own title and names.
Whether anything answers is another question than what fits best. It is judged by the sentence of
the question that a passage answers best: how much its words weigh there, and which share of the
sentence's own weight they are. How far the best document is ahead of the others counts, too. A word
that no document holds is read as those that are spelt almost like it, else it is the rarest. No
word of any trade or language is known here.

Hot path: every search.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

import asyncpg

from agencyclaw.domain.search import Ranked
from agencyclaw.domain.sops import Sop
from agencyclaw.store.engine import Database, Record

# Up to which score nothing is offered as the answer: above that of every development question that
# nothing answers, at both agencies (`make retrieval`), and the same for every agency.
FLOOR = 2.57
MOST_CHARACTERS = 10_000


class SearchIndex(NamedTuple):
    """An index of documents: its name in the counts, its table, and the SQL of three columns."""

    name: str
    table: str
    tier: str
    url: str
    synced: str


PROCEDURES = SearchIndex("sop", "playbook_sops", "'sop'", "null::text", "last_synced_at")
DOCUMENTS = SearchIndex("document", "knowledge_documents", "tier", "url", "approved_at")

# Only the documents with the rarest words are looked at, a thousand at most, and fifty of them in
# full: that keeps a search over a hundred thousand documents quick. It counts as ten documents
# at least: fewer do not tell which words are rare. A passage is 48 words, two halves of 24; at
# position 16383 a vector counts no further.
_RANKED = """
with sentences as (
  select n, part
  from regexp_split_to_table($1, '(?<=[.!?;:])\\s+|\\n+') with ordinality as split(part, n)
  limit 60
), spoken as (
  select n, lexeme as word from sentences, unnest(to_tsvector('english', part))
), said as (
  select n, word from spoken union all select distinct 0, word from spoken
), size as (
  select n, ln(1 + (n + 0.5) / 0.5) as rarest
  from (
    select greatest(documents, 10)::float8 as n from search_words where shelf = $2 and stem = ''
  ) as shelf
), known as (
  select word, coalesce(documents, 0) as documents
  from said left join search_words on shelf = $2 and stem = word where n = 0
), terms as (
  select word, word as stem, 1.0 as strength, documents from known where documents > 0
  {spelling}
), words as (
  select word, max(ln(1 + (size.n - documents + 0.5) / (documents + 0.5)) / size.rarest) as weight
  from terms, size group by word
), rarest as (
  select stem, sum(documents) over (order by documents, stem) as total,
    row_number() over (order by documents, stem) as place
  from (select stem, min(documents) as documents from terms group by stem) as stems
), queries as (
  select string_agg(quoted, ' | ')::tsquery as every,
    (string_agg(quoted, ' | ') filter (where total <= 1000 or place = 1))::tsquery as few
  from (
    select total, place,
      '''' || replace(replace(stem, '\\', '\\\\'), '''', '''''') || '''' as quoted
    from rarest
  ) as stems
), fitting as materialized (
  select id, search, length(search) as length
  from {table}, queries where search @@ few limit 1000
), usual as (
  select greatest(avg(length), 1) as length from fitting
), best as (
  select id, search, length from fitting, queries
  order by ts_rank('{{0.1, 0.3, 0.5, 1.0}}', search, every) desc, id limit 50
), found as materialized (
  select best.id, word, strength, positions, weights, named,
    2 * (0.25 + 0.75 * best.length / usual.length) as room,
    max(named) over (partition by best.id, word) > 0 as is_titled,
    coalesce(array_length(array_positions(weights, 'D'), 1), 0) as written
  from best, usual, unnest(best.search) as lexemes(lexeme, positions, weights)
  join terms on terms.stem = lexeme,
    lateral (values (('A' = any(weights))::int + ('B' = any(weights))::int)) as names(named)
), wholes as (
  select id, sum(weight * much) as score
  from (
    select id, word, max(
      strength * (2 * named + written) * 3 / (2 * named + written + room)) as much
    from found group by id, word
  ) as held join words using (word) group by id
), titles as (
  select id, n, sum(weight * much) as score, sum(weight) as held
  from said
  join (
    select id, word, max(strength * named * 3 / (named + 2.0)) as much
    from found where is_titled group by id, word
  ) as named using (word) join words using (word) group by id, n
), windows as (
  select id, word, is_titled, part, max(
    strength * 3 * ((named + times) / (named + times + 2.0) - named / (named + 2.0))) as much
  from (
    select id, word, is_titled, strength, named, part, count(*) as times
    from found, unnest(positions, weights) as seen(position, weight),
      lateral (values (position / 24), (position / 24 + 1)) as halves(part)
    where weight = 'D' and position < 16383
    group by id, word, is_titled, strength, named, part
  ) as counted group by id, word, is_titled, part
), bodies as (
  select id, n, part, sum(weight * much) as score, sum(weight) filter (where not is_titled) as held
  from said join windows using (word) join words using (word) group by id, n, part
), passages as (
  select id, n, coalesce(titles.score, 0) + coalesce(bodies.score, 0) as score,
    coalesce(titles.held, 0) + coalesce(bodies.held, 0) as held
  from titles full join bodies using (id, n)
), wholly as (
  select n, sum(coalesce(weight, 1)) as weight from said left join words using (word) group by n
), scores as (
  select id, (wholes.score + coalesce(max(passages.score), 0)) / 2 as fit
  from wholes left join passages using (id) where n = 0 group by id, wholes.score
), places as (
  select id, fit, row_number() over (order by fit desc, id) as place from scores
), ahead as (
  select max(fit) as best, max(fit) - coalesce(sum(fit) filter (where place between 2 and 10), 0)
    / 9 as lead
  from places
), answered as (
  select best, lead / 2 + (
    select max(score * sqrt(held / weight)) from passages join wholly using (n) where n > 0
  ) as score
  from ahead
)
select id, name, aliases, round((score * fit / best)::numeric, 6)::float8 as score
from scores join {table} as document using (id), answered
order by score desc, name, id limit $3
"""
# A server without the contrib package pg_trgm does without correction of spelling.
_SPELLING = """
  union all
  select word, near.stem, near.likeness, near.documents
  from known cross join lateral (
    select stem, similarity(stem, word) as likeness, documents from search_words
    where shelf = $2 and documents > 0 and stem % word order by likeness desc, stem limit 6
  ) as near
  where known.documents = 0 and length(word) > 3 and word !~ '[0-9]' and near.likeness >= 0.4
"""
_BODIES = """
select id, name as title, category, aliases, content_md as body, version, {tier} as tier,
  {url} as url, {synced} as synced_at
from {table} where id = any($1::uuid[]) and search is not null
"""


class Search:
    """Searches one index of documents."""

    def __init__(self, db: Database, source: SearchIndex) -> None:
        self._db = db
        self._index = source.name
        fields = source._asdict()
        self._ranked = _RANKED.format(spelling=_SPELLING, **fields)
        self._unspelt = _RANKED.format(spelling="", **fields)
        self._bodies = _BODIES.format(**fields)

    async def ranked(self, text: str, *, limit: int) -> list[Ranked]:
        """Return the documents that fit a text, best first."""
        arguments = (text[:MOST_CHARACTERS], self._index, limit)
        try:
            rows = await self._db.pool.fetch(self._ranked, *arguments)
        except asyncpg.UndefinedFunctionError:
            rows = await self._db.pool.fetch(self._unspelt, *arguments)
        return [_fit(row) for row in rows]

    async def documents(self, ids: list[UUID]) -> dict[UUID, Sop]:
        """Return whole documents."""
        rows: list[Record] = await self._db.pool.fetch(self._bodies, ids) if ids else []
        return {row["id"]: Sop(**row) for row in rows}


def _fit(row: Record) -> Ranked:
    score: float = row["score"]
    return Ranked(row["id"], row["name"], tuple(row["aliases"]), score / (score + FLOOR))
