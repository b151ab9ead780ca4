"""Documents that may answer a question, by name and by words, with what search saw of them."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

import asyncpg

from agencyclaw.domain.search import Candidate, Known, Places, Question, Shelf
from agencyclaw.domain.search_keys import words_of
from agencyclaw.domain.sops import Sop, SourceTier
from agencyclaw.store.engine import Database, Record

MOST_RANKED = 1_000
MOST_WEIGHED = 24
_NEAR = 12
_MOST_NAMED = 120


class Source(NamedTuple):
    """A shelf of documents: its name in the counts, its table, and whose trust it has."""

    shelf: str
    table: str
    tier: str
    url: str
    synced: str


PROCEDURES = Source("sop", "playbook_sops", "'sop'", "null::text", "last_synced_at")
DOCUMENTS = Source("document", "knowledge_documents", "tier", "url", "approved_at")

# One look: how many documents there are, what is known of each word, and which words are names. A
# stem that no document holds has no count. Names of clients, brands and their products are known
# to be names: they say for whom the work is, not which. So do single words of a product, "fan" of
# "tower fan", where no document speaks of them.
_KNOWN = """
select
  (select documents from search_words where shelf = $1 and stem = '') as size,
  array(
    select lower(name) from agency_clients
    where lower(name) = any($3::text[]) or lower(split_part(name, ' ', 1)) = any($3::text[])
    union select lower(name) from brands
    where lower(name) = any($3::text[]) or lower(split_part(name, ' ', 1)) = any($3::text[])
    union select word from profiles, unnest(string_to_array(lower(full_name), ' ')) as word
    where string_to_array(lower(full_name), ' ') && $3::text[] and word = any($3::text[])
    union select lower(keyword) from brands, unnest(product_keywords) as keyword
    where keyword_words(product_keywords) && $3::text[] and lower(keyword) = any($3::text[])
    union select word
    from brands, unnest(keyword_words(product_keywords)) as word
    where keyword_words(product_keywords) && $3::text[] and word = any($3::text[])
      and position(' ' in word) = 0 and not exists (
        select 1 from search_words, unnest(to_tsvector('english', word))
        where shelf = $1 and stem = lexeme
      )
  ) as names,
  known.*
from (
  select array_agg(asked.word) as words, array_agg(stemmed.stem) as stems,
    array_agg(coalesce(held.documents, 0)) as documents
  from unnest($2::text[]) as asked(word)
  cross join lateral (
    select lexeme as stem from unnest(to_tsvector('english', asked.word)) order by 1 limit 1
  ) as stemmed
  left join search_words held on held.shelf = $1 and held.stem = stemmed.stem
) as known
"""

# Rarest stems first, until together they may bring a thousand documents: only those are ranked.
_CANDIDATES = """
with spoken as (
  select distinct id
  from unnest($1::text[]) as key, lateral (
    select id from {table} where keys @> array[key] limit 50
  ) as called
), worded as (
  select id, ts_rank('{{0.1, 0.3, 0.5, 1.0}}', search, $2::tsquery) as rank
  from (select id, search from {table} where search @@ $3::tsquery limit $4) as few
  order by rank desc, id limit $5
)
select s.id, s.name, s.category, s.aliases, {tier} as tier,
  places.stems, places.positions, places.weights
from (select id from spoken union select id from worded) as chosen
join {table} s using (id)
cross join lateral (
  select array_agg(lexeme) as stems,
    array_agg(array_to_string(positions[:20], ' ')) as positions,
    array_agg(array_to_string(weights[:20], '')) as weights
  from unnest(s.search) where lexeme = any($6::text[])
) as places
order by s.id
"""
_BODIES = """
select id, name, category, aliases, content_md, version, {tier} as tier, {url} as url,
  {synced} as synced_at
from {table} where id = any($1::uuid[])
"""
_NEAR_WORDS = """
select asked.word, array_agg(near.stem order by near.likeness desc, near.stem) as near
from unnest($2::text[]) as asked(word)
cross join lateral (
  select stem, similarity(stem, asked.word) as likeness from search_words
  where shelf = $1 and documents > 0 and stem % asked.word
  order by 2 desc, 1 limit $3
) as near
group by asked.word
"""


class Search:
    """One shelf of documents, as questions are put to it."""

    def __init__(self, db: Database, source: Source) -> None:
        self._db = db
        self._shelf = source.shelf
        fields = source._asdict()
        self._candidates = _CANDIDATES.format(**fields)
        self._bodies = _BODIES.format(**fields)

    async def shelf(self, question: Question) -> Shelf:
        """Return what this shelf knows of the question's words, and which of them are names."""
        row = await self._db.pool.fetchrow(_KNOWN, self._shelf, question.words, _runs(question))
        if row is None:
            return Shelf(size=0, words={})
        found = zip(row["words"] or (), row["stems"] or (), row["documents"] or (), strict=True)
        return Shelf(
            size=row["size"] or 0,
            words={word: Known(stem, documents) for word, stem, documents in found},
            names=_named(question, {word for name in row["names"] for word in name.split()}),
        )

    async def candidates(self, question: Question, shelf: Shelf) -> list[Candidate]:
        """Return the documents called by a name in the question, and the best by its words."""
        stems = shelf.stems(question)
        some, every = _queries(stems)
        rows = await self._db.pool.fetch(
            self._candidates,
            question.every_key,
            every,
            some,
            MOST_RANKED,
            MOST_WEIGHED,
            list(stems),
        )
        return [_candidate(row) for row in rows]

    async def near_words(self, words: list[str]) -> dict[str, list[str]]:
        """Return stems that are spelt much like the given words; empty without pg_trgm."""
        if not words:
            return {}
        try:
            rows = await self._db.pool.fetch(_NEAR_WORDS, self._shelf, words, _NEAR)
        except asyncpg.UndefinedFunctionError:
            return {}
        return {row["word"]: row["near"] for row in rows}

    async def documents(self, ids: list[UUID]) -> dict[UUID, Sop]:
        """Return documents whole."""
        rows: list[Record] = await self._db.pool.fetch(self._bodies, ids) if ids else []
        return {row["id"]: _document(row) for row in rows}


def _runs(question: Question) -> list[str]:
    """Every run of up to three words, as names are compared, as said and in the singular."""
    words = _said(question)
    return list(
        {
            " ".join(form[at : at + size])
            for form in (words, [_singular(word) for word in words])
            for at in range(len(words))
            for size in (1, 2, 3)
        }
    )


def _named(question: Question, names: set[str]) -> frozenset[str]:
    """Return the names, and the words of the question that are a name in the plural."""
    return frozenset(names).union(word for word in _said(question) if _singular(word) in names)


def _said(question: Question) -> list[str]:
    return [word for part in question.every_part for word in part.said][:_MOST_NAMED]


def _singular(word: str) -> str:
    return "".join(words_of(word))


def _queries(stems: dict[str, int]) -> tuple[str, str]:
    """Return the query that finds few documents, and the one that ranks them."""
    rarest = sorted(stems, key=lambda stem: (stems[stem], stem))
    few: list[str] = []
    room = MOST_RANKED
    for stem in rarest:
        if few and stems[stem] > room:
            break
        room -= stems[stem]
        few.append(stem)
    return " | ".join(map(_quoted, few)), " | ".join(map(_quoted, rarest))


def _quoted(stem: str) -> str:
    return "'" + stem.replace("\\", "\\\\").replace("'", "''") + "'"


def _candidate(row: Record) -> Candidate:
    places = zip(row["positions"] or (), row["weights"] or (), strict=True)
    return Candidate(
        id=row["id"],
        title=row["name"],
        category=row["category"],
        aliases=tuple(row["aliases"]),
        tier=row["tier"],
        stems=dict(zip(row["stems"] or (), (_places(*one) for one in places), strict=True)),
    )


def _places(positions: str, weights: str) -> Places:
    """Read where a stem stands; the letters are the weights that the migration gave."""
    found = zip(map(int, positions.split()), weights, strict=True)
    return Places(
        title=weights.count("A"),
        names=weights.count("B"),
        lead=weights.count("C"),
        text=tuple(at for at, weight in found if weight == "D"),
    )


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
