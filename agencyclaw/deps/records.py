"""The port to the records that are declared."""

from __future__ import annotations

from typing import Protocol

from agencyclaw.domain.records import HeldFields, SetRecord, StoredRecord


class RecordReader(Protocol):
    """Reads records of any kind."""

    async def record(self, change: SetRecord[HeldFields]) -> HeldFields | None:
        """Return the present contents of a change's record; None if there is none."""
        ...

    async def records(self, kind: type[SetRecord[HeldFields]]) -> list[StoredRecord[HeldFields]]:
        """Return all records of a kind, sorted by their key, whoever they are of."""
        ...
