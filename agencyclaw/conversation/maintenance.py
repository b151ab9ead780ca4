"""The daily clean-up of rows whose retention period is over."""

from __future__ import annotations

import logfire

from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.retention import Forgotten, forget


async def forget_old(db: Database, days: int) -> Forgotten:
    """Delete old rows, and audit how many of each kind."""
    forgotten = await forget(db, days)
    logfire.info("old rows removed", days=days, removed=forgotten.counts)
    if forgotten.total:
        async with db.transaction() as conn:
            await record_event(conn, "retention", reason=f"{days} days", payload=forgotten.counts)
    return forgotten
