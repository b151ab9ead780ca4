"""The port to procedures and other documents."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from agencyclaw.domain.library import DocumentVersion
from agencyclaw.domain.procedures import StoredPage
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import OpenGap, Sop, SopHit, SopName


class Knowledge(Protocol):
    """Procedures and earlier tasks, as evidence for drafts."""

    async def find_sops(self, query: str, *, limit: int, by_meaning: bool = False) -> list[SopHit]:
        """Return the best procedures; one called by its name comes first.

        By meaning costs a request to the embedding model, if there is one. Raises Unavailable.
        """
        ...

    async def sop_names(self) -> list[SopName]:
        """Return the names of at most 5,000 procedures in use, by title; raises Unavailable."""
        ...

    async def sop(self, sop_id: UUID) -> Sop | None:
        """Return a whole procedure; None if it is not in use."""
        ...

    async def find_documents(self, query: str, *, limit: int) -> list[SopHit]:
        """Return approved documents, best first; each kind has a top score. Raises Unavailable."""
        ...

    async def open_gaps(
        self, *, limit: int, client_id: UUID | None = None, were_read: bool = False
    ) -> list[OpenGap]:
        """Return what no search answered, the most asked first; `were_read`: what was read for."""
        ...

    async def stored_pages(self, doc_ids: list[str]) -> list[StoredPage]:
        """Return the procedures copied from these ClickUp Docs, in any state."""
        ...

    async def shelved(self) -> list[DocumentVersion]:
        """Return the documents that wait for approval or are in use, the longest waiting first."""
        ...

    async def prior_tasks(self, client_id: UUID, *, limit: int) -> list[PriorTask]:
        """Return tasks this assistant created for a client, newest first; raises Unavailable."""
        ...
