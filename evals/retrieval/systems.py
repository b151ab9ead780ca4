"""The systems: ours as it runs in production, Postgres as it comes, and BM25 as a library has it.

All three see the same texts: title, other names and body of every procedure. The peers come in
several variants, and the one that does best on the development half stands for them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast

import bm25s
import Stemmer

from agencyclaw.domain.search import Part, Question, Reading
from agencyclaw.knowledge.question import read_question
from agencyclaw.knowledge.ranking import RANKER, Ranker
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from evals.retrieval.measures import Ranked

LIMIT = 10
Answer = Callable[[str], Awaitable[Ranked]]


@dataclass(frozen=True)
class System:
    """A system by its name, with one or more variants.

    `unguarded` answers without a list of subjects that was written with the questions at hand; a
    system without such a list answers as ever.
    """

    name: str
    variants: dict[str, Answer]
    unguarded: Answer | None = None


class _Unguarded(Ranker):
    """Reads subjects of their own as plain words."""

    def read(self, text: str) -> Question:
        return _unguarded(super().read(text))


def _unguarded(question: Question) -> Question:
    inside = (tuple(map(_unguarded, passages)) for passages in question.passages)
    return question._replace(parts=tuple(_plain(question.parts)), passages=tuple(inside))


def _plain(parts: Iterable[Part]) -> Iterable[Part]:
    for part in parts:
        if not part.is_subject:
            yield part
            continue
        for one in (one for word in part.said for one in read_question(word).parts):
            yield Part(one.said, (Reading(one.said),)) if one.is_subject else one


UNGUARDED = _Unguarded(RANKER.tuning._replace(floor=0.0))


async def systems(db: Database) -> list[System]:
    """Return the systems, ready to answer."""
    rows = await db.pool.fetch(
        "select name, category, aliases, content_md from playbook_sops order by category"
    )
    return [
        System("agencyclaw", {"as built": _ours(db, _EAGER)}, _ours(db, UNGUARDED)),
        System("postgres-fts", {name: _full_text(db, name) for name in _QUERIES}),
        System("bm25s", {f"heading x{n}": _bm25(rows, n) for n in (1, 2, 4)}),
    ]


# Everything that was weighed, so that the threshold is tuned like everybody's.
_EAGER = Ranker(RANKER.tuning._replace(floor=0.0))


def _ours(db: Database, ranker: Ranker) -> Answer:
    reader = KnowledgeReader(db, ranker)

    async def answer(text: str) -> Ranked:
        hits = await reader.find_sops(text, limit=LIMIT)
        return [(hit.sop.category, hit.score) for hit in hits]

    return answer


# The same words joined by "or": what full text search is usually given when "and" finds nothing.
_OR = "replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery"
_QUERIES = {
    "websearch": ("websearch_to_tsquery('english', $1)", 0),
    "plain": ("plainto_tsquery('english', $1)", 0),
    "or": (_OR, 0),
    "or, by length": (_OR, 1),
    "or, by rank": (_OR, 32),
}


def _full_text(db: Database, variant: str) -> Answer:
    query, normalisation = _QUERIES[variant]
    sql = f"""
select category, ts_rank_cd(search, {query}, {normalisation})::float8 as score
from playbook_sops where search @@ {query} order by score desc, category limit {LIMIT}
"""

    async def answer(text: str) -> Ranked:
        return [(row["category"], row["score"]) for row in await db.pool.fetch(sql, text)]

    return answer


def _bm25(rows: list[Any], times: int) -> Answer:
    # Neither library says what its functions take.
    stemming, search = cast("Any", Stemmer), cast("Any", bm25s)
    stemmer = stemming.Stemmer("english")

    def tokens(texts: list[str]) -> Any:
        return search.tokenize(
            texts, stopwords="en", stemmer=stemmer, show_progress=False, return_ids=False
        )

    index = search.BM25()
    index.index(tokens([_text(row, times) for row in rows]), show_progress=False)

    async def answer(text: str) -> Ranked:
        asked = tokens([text])
        if not asked[0]:
            return []
        found, scores = index.retrieve(asked, k=LIMIT, show_progress=False)
        pairs = zip(found[0], scores[0], strict=True)
        return [(rows[int(at)]["category"], float(score)) for at, score in pairs if score > 0]

    return answer


def _text(row: Any, times: int) -> str:
    heading = f"{row['name']} {row['category'].replace('_', ' ')} {' '.join(row['aliases'])}"
    return " ".join([heading] * times + [row["content_md"]])
