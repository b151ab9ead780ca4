"""The daily clean-up."""

from __future__ import annotations

import logfire

from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.retention import Forgotten, forget


class Maintenance:
    """Deletes rows whose retention period is over, once a day."""

    def __init__(self, db: Database, days: int) -> None:
        self._db = db
        self._days = days

    async def tidy(self) -> None:
        """Run the clean-up, for the daily job."""
        await self.forget_old()

    async def forget_old(self) -> Forgotten:
        """Delete old rows, and audit how many of each kind."""
        forgotten = await forget(self._db, self._days)
        logfire.info("old rows removed", days=self._days, removed=forgotten.counts)
        if forgotten.total:
            async with self._db.transaction() as conn:
                await record_event(
                    conn, "retention", reason=f"{self._days} days", payload=forgotten.counts
                )
        return forgotten
