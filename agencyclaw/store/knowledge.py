"""Reads procedures, documents and earlier tasks as evidence for answers and drafts.

Hot path: every search reads the procedures' names.
"""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.library import DocumentVersion
from agencyclaw.domain.procedures import StoredPage
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.search import fused, named_in, subject_of
from agencyclaw.domain.sops import OpenGap, Sop, SopHit, SopName
from agencyclaw.domain.text import clean
from agencyclaw.store.document_states import shelved
from agencyclaw.store.engine import Database, raises_records_away
from agencyclaw.store.gaps import open_gaps
from agencyclaw.store.meanings import Meanings
from agencyclaw.store.procedures import stored_pages
from agencyclaw.store.search import DOCUMENTS, PROCEDURES, Search

# The lowest score of a procedure called by its name, and of one whose name a longer question has.
NAMED = 0.9
SUBJECT = 0.6
# A procedure called by its name ranks among these, because words of names weigh most.
_NAMED_AMONG = 24
# How many procedures are ranked by meaning, besides those ranked by words.
_MEANT_AMONG = 200
# The highest score of a hit by its kind: no document is as sure as a procedure.
TRUST = {"sop": 1.0, "internal": 0.65, "similar_task": 0.4, "external": 0.4}

_NAMES = """
select id, name as title, category, aliases from playbook_sops where search is not null
order by name, id limit 5000
"""
_PRIOR = """
select t.id, t.title, t.clickup_url as url, t.created_at, b.name as brand
from agent_tasks t left join brands b on b.id = t.brand_id
where t.client_id = $1 and t.status = 'created'
order by t.created_at desc, t.id limit $2
"""


class KnowledgeReader:
    """Reads the agency's procedures and documents."""

    def __init__(self, db: Database, meanings: Meanings | None = None) -> None:
        """Without `meanings` procedures are found by words alone."""
        self._db = db
        self._meanings = meanings
        self._procedures = Search(db, PROCEDURES)
        self._documents = Search(db, DOCUMENTS)

    @raises_records_away
    async def find_sops(self, query: str, *, limit: int, by_meaning: bool = False) -> list[SopHit]:
        """Return the best procedures; one called by its name comes first.

        By meaning costs a request to the embedding model, if there is one.
        """
        meanings = self._meanings if by_meaning else None
        return await self._find(self._procedures, clean(query), limit, meanings)

    @raises_records_away
    async def sop_names(self) -> list[SopName]:
        """Return the titles and other names of the procedures in use, sorted by title."""
        return [SopName(**row) for row in await self._db.pool.fetch(_NAMES)]

    async def sop(self, sop_id: UUID) -> Sop | None:
        """Return a whole procedure; None if it is not in use."""
        return (await self._procedures.documents([sop_id])).get(sop_id)

    @raises_records_away
    async def find_documents(self, query: str, *, limit: int) -> list[SopHit]:
        """Return approved documents, best first; the score of each kind is capped."""
        hits = await self._find(self._documents, clean(query), limit * 2)
        capped = [
            hit.model_copy(update={"score": min(hit.score, TRUST[hit.sop.tier])}) for hit in hits
        ]
        return sorted(capped, key=lambda hit: -hit.score)[: max(limit, 0)]

    async def open_gaps(
        self, *, limit: int, client_id: UUID | None = None, were_read: bool = False
    ) -> list[OpenGap]:
        """Return the questions that no search answered, most often asked first."""
        return await open_gaps(self._db, limit=limit, client_id=client_id, were_read=were_read)

    async def stored_pages(self, doc_ids: list[str]) -> list[StoredPage]:
        """Return the procedures copied from these ClickUp Docs."""
        return await stored_pages(self._db, doc_ids)

    async def shelved(self) -> list[DocumentVersion]:
        """Return the documents that wait for approval or are in use."""
        return await shelved(self._db)

    @raises_records_away
    async def prior_tasks(self, client_id: UUID, *, limit: int) -> list[PriorTask]:
        """Return tasks this assistant created for a client, newest first."""
        rows = await self._db.pool.fetch(_PRIOR, client_id, max(limit, 0))
        return [PriorTask(**row) for row in rows]

    async def _find(
        self, search: Search, query: str, limit: int, meanings: Meanings | None = None
    ) -> list[SopHit]:
        most = max(limit, _NAMED_AMONG)
        ranked = await search.ranked(query, limit=most) if query else []
        named = named_in(query, ranked)
        subject = named or subject_of(query, ranked)
        if meanings and query and named is None:
            ranked = fused(ranked, await meanings.closest(query, limit=_MEANT_AMONG))
        if subject is not None:
            lowest = NAMED if named else SUBJECT
            first = subject._replace(score=max(subject.score, lowest))
            ranked = [first, *(hit for hit in ranked if hit.id != subject.id)]
        ordered = ranked[: max(limit, 0)]
        documents = await search.documents([hit.id for hit in ordered])
        return [
            SopHit(
                sop=documents[hit.id],
                match="alias" if named and hit.id == named.id else "text",
                score=hit.score,
            )
            for hit in ordered
            if hit.id in documents
        ]
