"""What the agency's procedures do not answer, noted once a turn has ended without one."""

from __future__ import annotations

import asyncio

import logfire

from agencyclaw.agents.main import Answered, Outcome
from agencyclaw.deps import Inquiry
from agencyclaw.store.documents import note_gap
from agencyclaw.store.engine import Database


async def note_unmet(db: Database, inquiry: Inquiry, outcome: Outcome) -> None:
    """Note what was sought in vain where nothing was opened and the answer states no source.

    A search judges by words only: the model may have read the right procedure nevertheless. A title
    in its text alone is no source: it may say that this is only the closest. That noting fails
    costs nobody an answer.
    """
    is_met = inquiry.is_met or (isinstance(outcome, Answered) and bool(outcome.reply.sources))
    if inquiry.unmet is None or is_met:
        return
    [fault] = await asyncio.gather(note_gap(db, inquiry.unmet), return_exceptions=True)
    if isinstance(fault, Exception):
        logfire.warn("gap not noted", fault=type(fault).__name__)
