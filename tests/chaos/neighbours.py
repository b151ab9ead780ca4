"""Another workspace on the same database: its people talk, its one process dies at any moment."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

from crowd import Crowd
from ground import Ground
from reckoning import Verdict, reckon, settle

OTHER = "T0HARBOR"
_PEOPLE = ("U01INES", "U01MIG")
_DRAIN_S = 90.0


class Neighbours:
    """What happens in the other workspace while the first one is under fire."""

    def __init__(self, ground: Ground, rng: Random) -> None:
        self._ground = ground
        self._rng = rng
        # The same agency's tasks: one that is asked for twice within a day is not made twice.
        self._crowd = Crowd(ground, rng, _PEOPLE, first=10_001)
        self._dying: asyncio.Task[None] | None = None
        self.kills = 0

    async def begin(self) -> None:
        """Let them talk, and die."""
        self._crowd.begin()
        self._dying = asyncio.create_task(self._die())

    async def _die(self) -> None:
        while True:
            life = await self._ground.start()
            await life.ended_within(self._rng.uniform(2.0, 8.0))
            life.kill()
            await life.ended_within()
            self.kills += 1

    async def end(self) -> Verdict:
        """Let everybody finish, and look what there is."""
        if self._dying is not None:
            self._dying.cancel()
            with suppress(asyncio.CancelledError):
                await self._dying
        await self._ground.start()
        await self._crowd.end()
        left = await settle(self._ground, _DRAIN_S)
        verdict = await reckon(self._ground, self._crowd.ledger)
        verdict.lost += [f"{count} {what} still under way" for what, count in left.items()]
        return verdict
