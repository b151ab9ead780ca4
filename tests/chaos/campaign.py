"""A chaos run from the first birth to the verdict."""

from __future__ import annotations

import asyncio
import itertools
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from crossings import SIDES, FaultPlan, Point
from crowd import PEOPLE, Crowd
from faults import Faults
from ground import Ground
from neighbours import OTHER, Neighbours
from newcomers import settle_people
from processes import PATIENCE_S, Process
from reckoning import Verdict, reckon, settle, try_again

_MOST_OF_ONE_NAME = 4
# So many assistants live at once; each is killed in turn, so that they meet in every state.
_WORKERS = 3
_NEWCOMERS = 6
_POINT_PATIENCE_S = 2.5
# Long enough for every look at an effect of unknown outcome, and for the try after them.
_DRAIN_S = PATIENCE_S
_STORM = 0.06


@dataclass
class Outcome:
    """What a run came to."""

    kills: int
    faults: int
    verdict: Verdict
    seconds: float
    points: int = 0
    storms: int = 0

    @property
    def turned_away(self) -> str:
        """How many got an apology because of a neighbour that was away for a moment."""
        return f"turned away: {len(self.verdict.turned_away)} of {self.verdict.asked}"

    @property
    def line(self) -> str:
        """The last line of a run."""
        lost, doubled = len(self.verdict.lost), len(self.verdict.doubled)
        return f"chaos: {self.kills} kills, {self.faults} faults, {lost} lost, {doubled} doubled"


async def survey(ground: Ground, rng: Random) -> tuple[list[Point], Crowd, float]:
    """Play every matter once under observation.

    Returns every point at which one can die, the people, and how long a process takes to begin.
    """
    record = ground.pool.folder / "crossings.txt"
    born = time.monotonic()
    life = await ground.start(FaultPlan(record=str(record)))
    connected = asyncio.ensure_future(ground.connected())
    await asyncio.wait({connected, life.died}, return_when=asyncio.FIRST_COMPLETED)
    if not life.is_alive:
        raise RuntimeError("The assistant ended at its start: " + "\n".join(life.lines[-20:]))
    await connected
    beginning_s = time.monotonic() - born
    crowd = Crowd(ground, rng, PEOPLE + await settle_people(ground, _NEWCOMERS))
    await crowd.rehearse()
    life.kill()
    await life.ended_within(10)
    counts = Counter(record.read_text(encoding="utf-8").split("\n"))
    del counts[""]
    return (
        [
            Point(name=name, nth=nth, side=side)
            for name, times in sorted(counts.items())
            for nth in range(1, min(times, _MOST_OF_ONE_NAME) + 1)
            for side in SIDES
        ],
        crowd,
        beginning_s,
    )


class Campaign:
    """Kills one assistant after the other while people talk to them."""

    def __init__(
        self,
        ground: Ground,
        rng: Random,
        kills: int,
        *,
        home: Path | None = None,
        outage_s: float = 0.0,
        say: Callable[[str], None] = lambda _: None,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._neighbours = neighbours
        self._ground = ground
        self._rng = rng
        self._left = kills
        self._outage_s = outage_s
        self._weather = Faults(ground, rng, home)
        self._say = say
        self._done: Counter[str] = Counter()
        self._beginning_s = 0.0

    async def play(self) -> Outcome:
        """Play the whole run."""
        began = time.monotonic()
        points, crowd, self._beginning_s = await survey(self._ground, self._rng)
        self._rng.shuffle(points)
        self._say(f"{len(points)} points at which a process can be killed")
        fates = self._fates(itertools.cycle(points))
        crowd.begin()
        if self._neighbours:
            await self._neighbours.begin()
        await asyncio.gather(*(self._kill_all(fates) for _ in range(_WORKERS)))
        if self._outage_s:
            await self._sit_out()
        verdict = await self._drain(crowd)
        if self._neighbours:
            theirs = await self._neighbours.end()
            verdict.lost += [f"{OTHER}: {one}" for one in theirs.lost]
            verdict.doubled += [f"{OTHER}: {one}" for one in theirs.doubled]
            answered, died = theirs.answered, self._neighbours.kills
            self._say(f"{answered} messages answered in a second workspace, {died} kills there")
        return Outcome(
            self._kills,
            self._faults,
            verdict,
            time.monotonic() - began,
            self._done["point"],
            len(self._weather.storms),
        )

    def _fates(self, points: Iterator[Point]) -> Iterator[FaultPlan]:
        """Two of three die at a point, the others at any moment; some clocks are a day off."""
        while True:
            off = self._rng.choice((0.0, 0.0, 0.0, 86_400.0, -86_400.0))
            yield FaultPlan(point=next(points), clock_off_s=off)
            yield FaultPlan(point=next(points))
            yield FaultPlan()

    async def _kill_all(self, fates: Iterator[FaultPlan]) -> None:
        while self._left > 0:
            self._left -= 1
            life = await self._ground.start(next(fates))
            await self._weather.worsen()
            if self._rng.random() < _STORM:
                self._weather.trouble_postgres()
            manner = await self._end(life)
            if life.died.result() != -signal.SIGKILL:
                # It gave up by itself, as without a database it may; that is no kill.
                manner, self._left = "gave up", self._left + 1
            self._done[manner] += 1
            if manner != "gave up" and self._kills % 20 == 0:
                self._say(f"{self._kills} kills, {self._done['point']} of them at their point")

    async def _sit_out(self) -> None:
        """Let a living process and everybody be without a database for a long while."""
        life = await self._ground.start()
        await self._ground.connected()
        self._say(f"the database goes away for {self._outage_s:g} s")
        self._weather.kill_postgres(self._outage_s)
        await asyncio.gather(*self._weather.storms)
        self._say(f"the database is back; the process is {'' if life.is_alive else 'not '}alive")
        life.kill()
        await life.ended_within(10)

    @property
    def _kills(self) -> int:
        return self._done.total() - self._done["gave up"]

    async def _end(self, life: Process) -> str:
        """Wait for the end that is due, or bring it about."""
        if life.plan.point is None:
            at_its_point = False
            await life.ended_within(self._rng.uniform(0.05, self._beginning_s + 2.5))
        else:
            at_its_point = await life.ended_within(self._beginning_s + _POINT_PATIENCE_S)
        life.kill()
        await life.ended_within(10)
        return "point" if at_its_point else "moment"

    async def _drain(self, crowd: Crowd) -> Verdict:
        """Let everybody finish in fair weather, and look what there is."""
        self._faults = await self._weather.clear_up()
        life = await self._ground.start()
        await crowd.end()
        left = await settle(self._ground, _DRAIN_S)
        for _ in range(3):
            if left or not await try_again(self._ground):
                break
            left = await settle(self._ground, _DRAIN_S)
        verdict = await reckon(self._ground, crowd.ledger)
        verdict.lost += [f"{count} {what} still under way" for what, count in left.items()]
        life.terminate()
        if not await life.ended_within(20):
            verdict.lost.append("the last process does not end when it is asked to")
        return verdict
