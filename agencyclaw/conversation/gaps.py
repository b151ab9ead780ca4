"""Records questions that the agency's procedures do not answer."""

from __future__ import annotations

import asyncio

import logfire

from agencyclaw.agents.main import Answered, Outcome
from agencyclaw.deps import Inquiry
from agencyclaw.store.documents import note_gap
from agencyclaw.store.engine import Database


async def note_unmet(db: Database, inquiry: Inquiry, outcome: Outcome) -> None:
    """Record a failed search if nothing was opened and the answer cites no source.

    A search judges by words only, so the model may have read the right procedure nevertheless. A
    title in the text alone is no source: the answer may say that it is only the closest. A failure
    to record is logged and affects no answer.
    """
    is_met = inquiry.is_met or (isinstance(outcome, Answered) and bool(outcome.reply.sources))
    if inquiry.unmet is None or is_met:
        return
    [fault] = await asyncio.gather(note_gap(db, inquiry.unmet), return_exceptions=True)
    if isinstance(fault, Exception):
        logfire.warn("gap not noted", fault=type(fault).__name__)
