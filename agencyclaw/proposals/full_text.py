"""The full text that a proposal is about, for reading all of it before the press."""

from __future__ import annotations

from agencyclaw.domain.library import DecideDocument
from agencyclaw.domain.messages import localized
from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.document_states import text_of
from agencyclaw.store.engine import Database


async def full_text(db: Database, proposal: Proposal) -> str:
    """Return the fields, and the stored document or else the effect's own text, as Markdown."""
    effect = proposal.effect
    preview = effect.preview()
    fields = "\n".join(f"- **{localized(name)}:** {value}" for name, value in preview.fields)
    is_document = isinstance(effect, DecideDocument)
    body = await text_of(db, effect.document) if is_document else preview.body
    return "\n\n".join(part for part in (fields, body) if part)
