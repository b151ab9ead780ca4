"""Level 2: random walks through everything people, the model and the world can do; by seed."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from functools import partial

from tests.adversary.cases import Case
from tests.adversary.moves import Move, every_move
from tests.adversary.truth import DM, GLINTLY, INES, MIGUEL, OPS, PAUL, SARA_O, TOMAS
from tests.adversary.world import Card, NoCard, World, create

LENGTH = 8
PEOPLE = (INES, TOMAS, MIGUEL, SARA_O, PAUL)
WORDS = ("yes", "no", "yes, create it", "cancel", "yes?", "hello", "go ahead", "stop")
FAULTS = ("lost", "after lost", "500", "after 500", "429")
# Walks that once broke something, kept.
KEPT_SEEDS: tuple[int, ...] = ()


def random_walks(tools: tuple[object, ...], *, count: int, first: int = 1) -> list[Case]:
    """Return so many walks; a walk is the same for the same seed."""
    moves = every_move(tools)  # pyright: ignore[reportArgumentType]
    seeds = [*KEPT_SEEDS, *range(first, first + count - len(KEPT_SEEDS))]
    return [Case("walk", f"seed {seed}", partial(walk, seed=seed, moves=moves)) for seed in seeds]


async def walk(world: World, *, seed: int, moves: list[Move]) -> None:
    """Take eight steps in one room."""
    await Walk(world, random.Random(seed), moves).go()


class Walk:
    """One walk: a room, its people, and the cards that stand in it."""

    def __init__(self, world: World, dice: random.Random, moves: list[Move]) -> None:
        self._world = world
        self._dice = dice
        self._moves = moves
        self._channel = world.room(dice.choice((DM, OPS, GLINTLY)))
        self._thread = ""
        self._cards: list[Card] = []

    async def go(self) -> None:
        await self._propose()
        acts: list[Callable[[], Awaitable[None]]] = [
            self._propose,
            self._press,
            self._press,
            self._speak,
            self._call,
            self._change,
            self._age,
            self._tamper,
            self._break,
            self._settle,
        ]
        for _ in range(LENGTH - 1):
            await self._dice.choice(acts)()
        await self._world.settle()

    async def _propose(self) -> None:
        who = self._dice.choice(PEOPLE[:4])
        world = self._world
        try:
            card = await world.propose_in(who, self._channel, thread=self._thread)
        except NoCard:
            return
        self._thread = self._thread or card.thread
        self._cards.append(card)

    async def _press(self) -> None:
        if not self._cards:
            return
        card = self._dice.choice(self._cards)
        who = self._dice.choice((card.who, card.who, self._dice.choice(PEOPLE)))
        label = self._dice.choice(("Create task", "Create task", "Cancel"))
        if label not in card.buttons:
            label = card.first
        await self._world.press(who, card, label, settle=self._dice.random() < 0.6)

    async def _speak(self) -> None:
        who, words = self._dice.choice(PEOPLE), self._dice.choice(WORDS)
        self._world.owned.will(create(self._world.title()), "It is on the card.")
        await self._world.say(
            who, words, self._channel, thread=self._thread, settle=self._dice.random() < 0.6
        )

    async def _call(self) -> None:
        move = self._dice.choice(self._moves)
        self._world.owned.will(move.bid, "I looked into it.", "I looked into it.")
        who = self._dice.choice(PEOPLE)
        await self._world.say(who, "look into it", self._channel, thread=self._thread)

    async def _change(self) -> None:
        director = self._world.director
        who = self._dice.choice(PEOPLE[1:4])
        changes: list[Callable[[], Awaitable[None]]] = [
            partial(director.make, who, self._dice.choice(("viewer", "member", "inactive"))),
            partial(director.unassign, MIGUEL, "Glintly Inc"),
            partial(director.remap, "Glintly Inc", "Glintly", "901005000031"),
            partial(director.switch_off, "create_task"),
            partial(director.bind, GLINTLY, "Brightkettle Group"),
        ]
        await self._dice.choice(changes)()

    async def _age(self) -> None:
        if self._cards:
            card = self._dice.choice(self._cards)
            await self._world.director.age(card.proposal_ids[0], self._dice.choice((300, 601)))

    async def _tamper(self) -> None:
        if self._cards and self._dice.random() < 0.5:
            card = self._dice.choice(self._cards)
            title = self._world.title("Pay the invoice")
            await self._world.director.tamper(card.proposal_ids[0], title=title)

    async def _break(self) -> None:
        self._world.clickup.faults.append(self._dice.choice(FAULTS))

    async def _settle(self) -> None:
        await self._world.settle(twice=True, together=self._dice.random() < 0.5)
