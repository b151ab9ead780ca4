"""The full text that a proposal is about, for reading all of it before the press."""

from __future__ import annotations

from agencyclaw.domain.library import DecideDocument
from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.document_states import text_of
from agencyclaw.store.engine import Database


class FullTexts:
    """Reads the stored document, or else the effect's own text."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, proposal: Proposal) -> str:
        """Return the complete text as Markdown."""
        effect = proposal.effect
        preview = effect.preview()
        fields = "\n".join(f"- **{name}:** {value}" for name, value in preview.fields)
        body = preview.body
        if isinstance(effect, DecideDocument):
            body = await text_of(self._db, effect.document)
        return "\n\n".join(part for part in (fields, body) if part)
