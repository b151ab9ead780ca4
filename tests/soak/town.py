"""Two hundred people who talk to the assistant all day, and what it was like for them."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Any

from crowd import Ledger, Said, buttons
from ground import BOT, Ground, Message

from workbench.events import EVENTS

BRIGHT = "C01BRIGHT"
CHANNELS = ("C01OPS", BRIGHT, "C01GLINTLY")
_PATIENCE_S = 120.0
# Two hundred people write eighteen times a second: what two cores can do without a queue.
BREATH_S = 11.0


class ThreadWatcher:
    """Wakes whoever waits for something in a thread; nobody looks at what others wait for."""

    def __init__(self, ground: Ground) -> None:
        self._bench = ground.bench
        self._seen: dict[tuple[str, str], dict[str, Message]] = defaultdict(dict)
        self._wake: dict[tuple[str, str], asyncio.Event] = {}

    async def watch(self) -> None:
        """Follow what changes, for ever."""
        with self._bench.app[EVENTS].watch() as changes:
            while True:
                change = await changes.get()
                if change["kind"] == "message":
                    self._read(change["channel"], change["ts"])

    def _read(self, channel: str, ts: str) -> None:
        message = self._bench.storage.get(f"slack/messages/{channel}", ts)
        if message and message.get("user") == BOT and message.get("thread_ts"):
            place = (channel, message["thread_ts"])
            self._seen[place][ts] = message
            if place in self._wake:
                self._wake[place].set()

    async def until(self, said: Said, look: Any) -> Any:
        """Wait until a look at the assistant's messages of a thread finds something."""
        place = (said.channel, said.thread)
        wake = self._wake[place] = asyncio.Event()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while not (found := look(self._seen[place])):
                    wake.clear()
                    await wake.wait()
                return found
        except TimeoutError:
            return None
        finally:
            del self._wake[place]

    def forget(self, said: Said) -> None:
        """Nobody will look at this thread again."""
        self._seen.pop((said.channel, said.thread), None)


@dataclass
class Town:
    """Everybody, what they still want to say, and how long they waited."""

    ground: Ground
    watcher: ThreadWatcher
    rng: Random
    left: int
    breath_s: float = BREATH_S
    ledger: Ledger = field(default_factory=Ledger)
    waits_s: list[float] = field(default_factory=list[float])
    done: Counter[str] = field(default_factory=Counter[str])
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    async def live(self, people: tuple[str, ...]) -> None:
        """Let everybody talk until all is said."""
        await asyncio.gather(*(self._person(user) for user in people))

    async def _person(self, user: str) -> None:
        await asyncio.sleep(self.rng.uniform(0, self.breath_s))
        while self.left > 0:
            began = time.monotonic()
            await self._matter(user)
            await asyncio.sleep(max(0.0, self.breath_s - (time.monotonic() - began)))

    async def _matter(self, user: str) -> None:
        words = self.rng.choices(("hello", "glance", "job"), (6, 2, 2))[0]
        # Work for a client is prepared in its own channel and in a DM, and nowhere else.
        channels = (BRIGHT,) if words == "job" else CHANNELS
        channel = self.rng.choice(channels) if self.rng.random() < 0.1 else f"D{user[1:]}"
        said = await self._say(user, f"{words} {next(self.numbers)}", channel)
        if words != "job":
            await self._wait(said, lambda seen: any(ts > said.ts for ts in seen))
        else:
            await self._decide(user, said)
        self.watcher.forget(said)

    async def _say(self, user: str, text: str, channel: str, thread: str = "") -> Said:
        self.left -= 1
        spoken = f"<@U01CLAW> {text}" if channel.startswith("C") else text
        ts = await self.ground.bench.post_message(channel, user, spoken, thread or None)
        said = Said(channel, ts, thread or ts, text)
        self.ledger.said.append(said)
        return said

    async def _wait(self, said: Said, look: Any) -> Any:
        began = time.monotonic()
        found = await self.watcher.until(said, look)
        self.waits_s.append(time.monotonic() - began)
        self.done["answered" if found else "gave up"] += 1
        return found

    async def _decide(self, user: str, said: Said) -> None:
        """Press Create or Cancel, say yes, or leave the card alone."""
        card = await self._wait(said, _card)
        if card is None:
            return
        match self.rng.choice(("Create task", "Create task", "Cancel", "yes", "")):
            case "yes":
                await asyncio.sleep(self.breath_s)
                word = await self._say(user, "yes, create it", said.channel, said.thread)
                await self._wait(word, lambda seen: any(ts > word.ts for ts in seen))
            case "":
                self.done["left open"] += 1
            case label:
                hand = {"channel": said.channel, "messageTs": card["ts"], "user": user}
                press = {**hand, "action": label}
                taken = (await self.ground.bench.control("POST", "interact", press))["ok"]
                self.ledger.pressed[said.channel, card["ts"], user] += bool(taken)
                self.done[label] += 1


def _card(seen: dict[str, Message]) -> Message | None:
    return next((m for m in seen.values() if "Create task" in buttons(m)), None)
