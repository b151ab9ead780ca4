"""What nobody asked for and must happen all the same: forgetting what is old."""

from __future__ import annotations

import logfire

from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.retention import Forgotten, forget


class Maintenance:
    """Removes once a day what is older than it has to be kept."""

    def __init__(self, db: Database, days: int) -> None:
        self._db = db
        self._days = days

    async def tidy(self) -> None:
        """Remove it, for the engine's daily job."""
        await self.forget_old()

    async def forget_old(self) -> Forgotten:
        """Remove what is old and say in the audit how much of what it was."""
        forgotten = await forget(self._db, self._days)
        logfire.info("old rows removed", days=self._days, removed=forgotten.counts)
        if forgotten.total:
            async with self._db.transaction() as conn:
                await record_event(
                    conn, "retention", reason=f"{self._days} days", payload=forgotten.counts
                )
        return forgotten
