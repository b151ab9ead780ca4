"""The systems: ours as it runs in production, Postgres as it comes, and BM25 as a library has it.

All three see the same texts: title, category, other names and body of every procedure. The peers
come in several variants, and the one that does best on the development questions stands for them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import bm25s
import Stemmer

from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from evals.retrieval.agencies import Procedure
from evals.retrieval.measures import Answer

OURS = "agencyclaw"
LIMIT = 10
Ask = Callable[[str], Awaitable[Answer]]


def systems(db: Database, procedures: Sequence[Procedure]) -> dict[str, dict[str, Ask]]:
    """Return the variants of each system, ready to be asked about these procedures."""
    return {
        OURS: {"as built": _ours(db)},
        "postgres-fts": {name: _full_text(db, name) for name in _QUERIES},
        "bm25s": {f"heading x{n}": _bm25(procedures, n) for n in (1, 2, 4)},
    }


def _ours(db: Database) -> Ask:
    reader = KnowledgeReader(db)

    async def ask(text: str) -> Answer:
        hits = await reader.find_sops(text, limit=LIMIT)
        sure = next((hit.sop.title for hit in hits if hit.is_sure), None)
        return Answer(tuple((hit.sop.title, hit.score) for hit in hits), sure)

    return ask


# The same words joined by "or": what full text search is usually given when "and" finds nothing.
_OR = "replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery"
_QUERIES = {
    "websearch": ("websearch_to_tsquery('english', $1)", 0),
    "plain": ("plainto_tsquery('english', $1)", 0),
    "or": (_OR, 0),
    "or, by length": (_OR, 1),
}


def _full_text(db: Database, variant: str) -> Ask:
    query, normalisation = _QUERIES[variant]
    sql = f"""
select name, ts_rank_cd(search, {query}, {normalisation})::float8 as score
from playbook_sops where search @@ {query} order by score desc, name limit {LIMIT}
"""

    async def ask(text: str) -> Answer:
        rows = await db.pool.fetch(sql, text)
        return Answer(tuple((row["name"], row["score"]) for row in rows))

    return ask


def _bm25(procedures: Sequence[Procedure], times: int) -> Ask:
    stemming, search = cast("Any", Stemmer), cast("Any", bm25s)
    stemmer = stemming.Stemmer("english")

    def tokens(texts: list[str]) -> Any:
        return search.tokenize(
            texts, stopwords="en", stemmer=stemmer, show_progress=False, return_ids=False
        )

    index = search.BM25()
    index.index(tokens([_text(one, times) for one in procedures]), show_progress=False)
    most = min(LIMIT, len(procedures))

    async def ask(text: str) -> Answer:
        asked = tokens([text])
        if not asked[0]:
            return Answer()
        found, scores = index.retrieve(asked, k=most, show_progress=False)
        pairs = zip(found[0], scores[0], strict=True)
        return Answer(tuple((procedures[int(at)].title, float(s)) for at, s in pairs if s > 0))

    return ask


def _text(one: Procedure, times: int) -> str:
    heading = f"{one.title} {one.category.replace('_', ' ')} {' '.join(one.aliases)}"
    return " ".join([heading] * times + [one.body])
