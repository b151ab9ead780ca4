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

# Which words the query has, as documents spell them, and how much each weighs.
_WORDS = """
with sentences as (
  select n, sentence
  from regexp_split_to_table($1, '(?<=[.!?;:])\\s+|\\n+') with ordinality as split(sentence, n)
  limit 60
), words_of_sentences as (
  select n, lexeme as word from sentences, unnest(to_tsvector('english', sentence))
), query_words as ( -- the words of each sentence, and those of the whole query as sentence 0
  select n, word from words_of_sentences
  union all select distinct 0, word from words_of_sentences
), collection as (
  select documents, ln(1 + (documents + 0.5) / 0.5) as rarest
  from (
    select greatest(documents, 10)::float8 as documents
    from search_words where shelf = $2 and stem = ''
  ) as indexed
), counted as (
  select word, coalesce(documents, 0) as documents
  from query_words left join search_words on shelf = $2 and stem = word where n = 0
), terms as ( -- each word of the query, as it is spelt in documents
  select word, word as stem, 1.0 as likeness, documents from counted where documents > 0
  {spelling}
), word_weights as (
  select word, max(ln(1 + (collection.documents - terms.documents + 0.5)
    / (terms.documents + 0.5)) / collection.rarest) as weight
  from terms, collection group by word
"""
# Only the documents with the rarest words are looked at, a thousand at most, and fifty of them in
# full: that keeps a search over a hundred thousand documents quick. It counts as ten documents
# at least: fewer do not tell which words are rare.
_CANDIDATES = """
), stems_by_rarity as (
  select stem, sum(documents) over (order by documents, stem) as total,
    row_number() over (order by documents, stem) as rank
  from (select stem, min(documents) as documents from terms group by stem) as stems
), queries as (
  select string_agg(quoted, ' | ')::tsquery as all_words,
    (string_agg(quoted, ' | ') filter (where total <= 1000 or rank = 1))::tsquery as rarest_words
  from (
    select total, rank,
      '''' || replace(replace(stem, '\\', '\\\\'), '''', '''''') || '''' as quoted
    from stems_by_rarity
  ) as stems
), candidates as materialized (
  select id, search, length(search) as length
  from {table}, queries where search @@ rarest_words limit 1000
), average as (
  select greatest(avg(length), 1) as length from candidates
), best as (
  select id, search, length from candidates, queries
  order by ts_rank('{{0.1, 0.3, 0.5, 1.0}}', search, all_words) desc, id limit 50
"""
# How strongly a document has each word, as a whole and in its passages of 48 words, two halves of
# 24. At position 16383 a vector counts no further: each word that comes later is a passage alone.
_STRENGTHS = """
), occurrences as materialized ( -- how often a word is in the title and names, and in the text
  select best.id, word, likeness, positions, labels, in_names,
    2 * (0.25 + 0.75 * best.length / average.length) as length_norm,
    max(in_names) over (partition by best.id, word) > 0 as is_in_names,
    coalesce(array_length(array_positions(labels, 'D'), 1), 0) as in_text
  from best, average, unnest(best.search) as lexemes(lexeme, positions, labels)
  join terms on terms.stem = lexeme,
    lateral (values (('A' = any(labels))::int + ('B' = any(labels))::int)) as names(in_names)
), document_scores as (
  select id, sum(weight * strength) as score
  from (
    select id, word, max(likeness * (2 * in_names + in_text) * 3
      / (2 * in_names + in_text + length_norm)) as strength
    from occurrences group by id, word
  ) as strengths join word_weights using (word) group by id
), name_scores as ( -- per sentence of the query
  select id, n, sum(weight * strength) as score, sum(weight) as matched
  from query_words
  join (
    select id, word, max(likeness * in_names * 3 / (in_names + 2.0)) as strength
    from occurrences where is_in_names group by id, word
  ) as strengths using (word) join word_weights using (word) group by id, n
), window_words as ( -- what a word adds in a window of the text to its place in the names
  select id, word, is_in_names, part, max(likeness * 3
    * ((in_names + times) / (in_names + times + 2.0) - in_names / (in_names + 2.0))) as strength
  from (
    select id, word, is_in_names, likeness, in_names, part, count(*) as times
    from occurrences, unnest(positions, labels) as places(position, label),
      lateral (values (case when position < 16383 then position / 24
          else -1 - (hashtext(word) & 2147483647) end),
        (case when position < 16383 then position / 24 + 1 end)) as halves(part)
    where label = 'D' and part is not null
    group by id, word, is_in_names, likeness, in_names, part
  ) as times_in_windows group by id, word, is_in_names, part
), window_scores as (
  select id, n, part, sum(weight * strength) as score,
    sum(weight) filter (where not is_in_names) as matched
  from query_words join window_words using (word) join word_weights using (word)
  group by id, n, part
"""
# How well each passage fits each sentence of the query.
_PASSAGES = """
), passages as (
  select id, n, coalesce(name_scores.score, 0) + coalesce(window_scores.score, 0) as score,
    coalesce(name_scores.matched, 0) + coalesce(window_scores.matched, 0) as matched
  from name_scores full join window_scores using (id, n)
), sentence_weights as (
  select n, sum(coalesce(weight, 1)) as weight
  from query_words left join word_weights using (word) group by n
"""
# How well each document fits, and how well the best one answers the query.
_ANSWERS = """
), fits as (
  select id, (document_scores.score + coalesce(max(passages.score), 0)) / 2 as fit
  from document_scores left join passages using (id) where n = 0
  group by id, document_scores.score
), ranks as (
  select id, fit, row_number() over (order by fit desc, id) as rank from fits
), leader as (
  select max(fit) as fit,
    max(fit) - coalesce(sum(fit) filter (where rank between 2 and 10), 0) / 9 as lead
  from ranks
), answer as ( -- how well the best document answers the query
  select leader.fit as best_fit, lead / 2 + (
    select max(score * sqrt(matched / weight))
    from passages join sentence_weights using (n) where n > 0
  ) as score
  from leader
)
select id, name, aliases, round((answer.score * fit / best_fit)::numeric, 6)::float8 as score
from fits join {table} as document using (id), answer
order by score desc, name, id limit $3
"""
_RANKED = _WORDS + _CANDIDATES + _STRENGTHS + _PASSAGES + _ANSWERS
# A server without the contrib package pg_trgm does without correction of spelling.
_SPELLING = """
  union all
  select word, near.stem, near.likeness, near.documents
  from counted cross join lateral (
    select stem, similarity(stem, word) as likeness, documents from search_words
    where shelf = $2 and documents > 0 and stem % word order by likeness desc, stem limit 6
  ) as near
  where counted.documents = 0 and length(word) > 3 and word !~ '[0-9]' and near.likeness >= 0.4
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
        self._ranked_without_spelling = _RANKED.format(spelling="", **fields)
        self._bodies = _BODIES.format(**fields)

    async def ranked(self, text: str, *, limit: int) -> list[Ranked]:
        """Return the documents that fit a text, best first."""
        arguments = (text[:MOST_CHARACTERS], self._index, limit)
        try:
            rows = await self._db.pool.fetch(self._ranked, *arguments)
        except asyncpg.UndefinedFunctionError:
            rows = await self._db.pool.fetch(self._ranked_without_spelling, *arguments)
        return [_hit(row) for row in rows]

    async def documents(self, ids: list[UUID]) -> dict[UUID, Sop]:
        """Return whole documents."""
        rows: list[Record] = await self._db.pool.fetch(self._bodies, ids) if ids else []
        return {row["id"]: Sop(**row) for row in rows}


def _hit(row: Record) -> Ranked:
    score: float = row["score"]
    return Ranked(row["id"], row["name"], tuple(row["aliases"]), score / (score + FLOOR))
