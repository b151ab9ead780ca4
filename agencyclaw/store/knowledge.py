"""Procedures and earlier work, read for a draft to rest on."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.library import Shelved
from agencyclaw.domain.procedures import StoredPage
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.search import Question, Ranking, Shelf, Verdict
from agencyclaw.domain.search_keys import telling, words_of
from agencyclaw.domain.sops import KnowledgeGap, OpenGap, SopHit
from agencyclaw.domain.text import clean, one_line
from agencyclaw.store.documents import note_gap, open_gaps
from agencyclaw.store.engine import Database
from agencyclaw.store.procedures import stored_pages
from agencyclaw.store.search import DOCUMENTS, PROCEDURES, Search
from agencyclaw.store.shelves import shelved

SURE = 0.5
# However well it fits, a document beside the procedures is less sure than a procedure.
TRUST = {"sop": 1.0, "internal": 0.65, "similar_task": 0.4, "external": 0.4}

_PRIOR = """
select t.id, t.title, t.clickup_url, t.created_at, b.name as brand
from agent_tasks t left join brands b on b.id = t.brand_id
where t.client_id = $1 and t.status = 'created'
order by t.created_at desc, t.id limit $2
"""


class KnowledgeReader:
    """The agency's procedures, ranked by the rule that the composition root hands over."""

    def __init__(self, db: Database, ranking: Ranking) -> None:
        self._db = db
        self._ranking = ranking
        self._procedures = Search(db, PROCEDURES)
        self._documents = Search(db, DOCUMENTS)

    async def find_sops(self, query: str, *, limit: int) -> list[SopHit]:
        """Return procedures by category, contained alias and words, best first.

        Only where nothing is sure are words read as misspelt, and the finding says `text`.
        """
        return await self._find(self._procedures, clean(query), limit)

    async def find_documents(self, query: str, *, limit: int) -> list[SopHit]:
        """Return approved documents beside the procedures, in the order of their trust."""
        hits = await self._find(self._documents, clean(query), limit * 2)
        capped = [
            hit.model_copy(update={"score": min(hit.score, TRUST[hit.sop.tier])}) for hit in hits
        ]
        return sorted(capped, key=lambda hit: -hit.score)[: max(limit, 0)]

    async def note_gap(self, gap: KnowledgeGap) -> None:
        """Remember a question that nothing answered, once for the same words."""
        key = " ".join(sorted(set(words_of(telling(gap.question)))))[:400]
        if key:
            question = one_line(gap.question, 300)
            await note_gap(self._db, key, gap.model_copy(update={"question": question}))

    async def open_gaps(self, *, limit: int, client_id: UUID | None = None) -> list[OpenGap]:
        """Return the questions that nothing answered, most often asked first."""
        return await open_gaps(self._db, limit=limit, client_id=client_id)

    async def stored_pages(self, doc_ids: list[str]) -> list[StoredPage]:
        """Return the procedures taken over from these ClickUp Docs."""
        return await stored_pages(self._db, doc_ids)

    async def shelved(self) -> list[Shelved]:
        """Return what waits for approval or is in use."""
        return await shelved(self._db)

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

    async def _find(self, search: Search, query: str, limit: int) -> list[SopHit]:
        question = self._ranking.read(query)
        if not question.keys:
            return []
        shelf = await search.shelf(question)
        if not shelf.size:
            return []
        found = self._ranking.judge(question, shelf, await search.candidates(question, shelf))
        if not found or found[0].score < SURE:
            found = await self._respelt(search, question, shelf) or found
        found = found[: max(limit, 0)]
        whole = await search.documents([one.id for one in found])
        return [
            SopHit(sop=whole[one.id], match=one.match, score=one.score)
            for one in found
            if one.id in whole
        ]

    async def _respelt(self, search: Search, question: Question, shelf: Shelf) -> list[Verdict]:
        """Return what is found when doubtful words are read as misspelt."""
        doubtful = self._ranking.doubtful(question, shelf)
        if not doubtful:
            return []
        meant = self._ranking.respelt(
            question, doubtful, await search.near_words([*doubtful.values()])
        )
        if meant is None:
            return []
        again = await search.shelf(meant)
        return self._ranking.judge(meant, again, await search.candidates(meant, again))
