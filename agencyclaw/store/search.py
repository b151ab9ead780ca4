"""Documents ranked for a question, in one statement: full text, spelling and names.

A word weighs by how few documents hold it, 0 to 1, and by where it stands, as in BM25. A word that
no document holds is read as those that are spelt almost like it. A long text is ranked as a whole
and by its best sentence. No word of any trade or language is known here.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

import asyncpg

from agencyclaw.domain.search import Ranked
from agencyclaw.domain.sops import Sop, SourceTier
from agencyclaw.store.engine import Database, Record

# Up to which score nothing is offered as the answer: fitted on the development questions of the
# first agency (`make retrieval`), and the same for every agency.
FLOOR = 1.3
MOST_CHARACTERS = 10_000


class Source(NamedTuple):
    """A shelf of documents: its name in the counts, its table, and whose trust it has."""

    shelf: str
    table: str
    tier: str
    url: str
    synced: str


PROCEDURES = Source("sop", "playbook_sops", "'sop'", "null::text", "last_synced_at")
DOCUMENTS = Source("document", "knowledge_documents", "tier", "url", "approved_at")

# Only the documents with the rarest words are looked at, a thousand at most, and fifty of them in
# full: that keeps a search over a hundred thousand documents quick.
_RANKED = """
with sentences as (
  select n, part
  from regexp_split_to_table($1, '(?<=[.!?;:])\\s+|\\n+') with ordinality as split(part, n)
  limit 60
), said as (
  select n, lexeme as word from sentences, unnest(to_tsvector('english', part))
), size as (
  select documents::float8 as n, ln(1 + (documents + 0.5) / 0.5) as rarest
  from search_words where shelf = $2 and stem = ''
), known as (
  select word, coalesce(documents, 0) as documents
  from (select distinct word from said) as words
  left join search_words on shelf = $2 and stem = word
), terms as (
  select word, word as stem, 1.0 as strength, documents from known where documents > 0
  {spelling}
), words as (
  select word, max(ln(1 + (size.n - documents + 0.5) / (documents + 0.5)) / size.rarest) as weight
  from terms, size group by word
  union all
  select word, 1 from known
  where documents = 0 and word !~ '[0-9]' and word not in (select word from terms)
), asked as (
  select sum(weight) as weight from words
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
), held as (
  select best.id, terms.word, max(terms.strength * seen.times * 3 / (
      seen.times + 2 * (0.7 + 0.3 * best.length / usual.length))) as much
  from best, usual, unnest(best.search) as found(lexeme, positions, weights)
  join terms on terms.stem = found.lexeme
  cross join lateral (
    select 4 * ('A' = any(weights))::int + 4 * ('B' = any(weights))::int
      + ('C' = any(weights))::int
      + coalesce(array_length(array_positions(weights, 'D'), 1), 0) as times
  ) as seen
  group by best.id, terms.word
), sentence_scores as (
  select id, n, sum(words.weight * much) as score
  from said join held using (word) join words using (word) group by id, n
), scores as (
  select id, 0.6 * whole.score + 0.4 * sentence.score as score
  from (
    select id, sum(weight * much) as score from held join words using (word) group by id
  ) as whole
  join (select id, max(score) as score from sentence_scores group by id) as sentence using (id)
)
select id, name, aliases,
  round(((score + 0.3 * {likeness}) / power(asked.weight, 0.3))::numeric, 6)::float8 as score
from scores join {table} as document using (id), asked
order by score desc, name, id limit $3
"""
# A server without the contrib package pg_trgm does without correction of spelling.
_SPELLING = """
  union all
  select word, near.stem, near.likeness * 0.5, near.documents
  from known cross join lateral (
    select stem, similarity(stem, word) as likeness, documents from search_words
    where shelf = $2 and documents > 0 and stem % word order by likeness desc, stem limit 6
  ) as near
  where known.documents = 0 and length(word) > 3 and word !~ '[0-9]' and near.likeness >= 0.4
"""
_LIKENESS = """power((
    select max(word_similarity(name, $1))
    from unnest(array_append(document.aliases, document.name)) as name), 2)"""
_BODIES = """
select id, name, category, aliases, content_md, version, {tier} as tier, {url} as url,
  {synced} as synced_at
from {table} where id = any($1::uuid[]) and search is not null
"""


class Search:
    """One shelf of documents, as questions are put to it."""

    def __init__(self, db: Database, source: Source) -> None:
        self._db = db
        self._shelf = source.shelf
        fields = source._asdict()
        self._ranked = _RANKED.format(spelling=_SPELLING, likeness=_LIKENESS, **fields)
        self._unspelt = _RANKED.format(spelling="", likeness="0", **fields)
        self._bodies = _BODIES.format(**fields)

    async def ranked(self, text: str, *, limit: int) -> list[Ranked]:
        """Return the documents that fit a text, best first."""
        arguments = (text[:MOST_CHARACTERS], self._shelf, limit)
        try:
            rows = await self._db.pool.fetch(self._ranked, *arguments)
        except asyncpg.UndefinedFunctionError:
            rows = await self._db.pool.fetch(self._unspelt, *arguments)
        return [_fit(row) for row in rows]

    async def documents(self, ids: list[UUID]) -> dict[UUID, Sop]:
        """Return documents whole."""
        rows: list[Record] = await self._db.pool.fetch(self._bodies, ids) if ids else []
        return {row["id"]: _document(row) for row in rows}


def _fit(row: Record) -> Ranked:
    score: float = row["score"]
    return Ranked(row["id"], row["name"], tuple(row["aliases"]), score / (score + FLOOR))


def _document(row: Record) -> Sop:
    tier: SourceTier = row["tier"]
    return Sop(
        id=row["id"],
        title=row["name"],
        category=row["category"],
        aliases=tuple(row["aliases"]),
        body=row["content_md"],
        version=row["version"],
        url=row["url"],
        synced_at=row["synced_at"],
        tier=tier,
    )
