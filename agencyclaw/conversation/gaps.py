"""Records questions that no search answered, and what was read for them."""

from __future__ import annotations

import logfire

from agencyclaw.agents.main import Answered, Outcome
from agencyclaw.deps import Inquiry
from agencyclaw.store.engine import TROUBLE, Database
from agencyclaw.store.gaps import note_gap


async def note_unmet(db: Database, inquiry: Inquiry, outcome: Outcome) -> None:
    """Record a failed search if nothing was opened and the answer cites no source.

    A search judges by words only, so the model may have read the right procedure nevertheless: then
    the question is recorded with it, as a possible name of that procedure. A title in the text
    alone is no source: the answer may say that it is only the closest. A failure to record is
    logged and affects no answer.
    """
    sources = outcome.reply.sources if isinstance(outcome, Answered) else []
    chosen = inquiry.chosen(sources)
    is_met = inquiry.is_met or bool(sources)
    if inquiry.unmet is None or (is_met and chosen is None):
        return
    try:
        await note_gap(db, inquiry.unmet.model_copy(update={"chosen_id": chosen}))
    except TROUBLE as error:
        logfire.warn("gap not noted", error=type(error).__name__)
