"""Level 0: every bad call there is, once, by changing people in changing places."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any

from tests.adversary.cases import Case
from tests.adversary.moves import Move, every_move
from tests.adversary.owned import SEARCH, Bid
from tests.adversary.truth import DM, GLINTLY, INES, MIGUEL, OPS, PAUL, RANDOM, TOMAS, YUKI
from tests.adversary.world import World

PEOPLE = (MIGUEL, PAUL, INES, YUKI, TOMAS)
PLACES = (DM, OPS, GLINTLY, RANDOM)
_SPOKEN_LIMIT = 3_000


def single_calls(tools: tuple[Any, ...], *, full: bool) -> list[Case]:
    """Return one run per move, or per move, person and place."""
    moves = every_move(tools) if full else _thinned(every_move(tools))
    pairs = list(itertools.product(PEOPLE, PLACES))
    if full:
        return [_case(move, *pair) for move in moves for pair in pairs]
    # Neighbours of one kind get different pairs, so that kinds and tools meet everybody everywhere.
    return [_case(move, *pairs[(at * 7) % len(pairs)]) for at, move in enumerate(moves)]


def _thinned(moves: list[Move]) -> list[Move]:
    """Leave out every second of the words and confusions: other arguments take the same ones."""
    crowds = {"text", "confused"}
    return [move for at, move in enumerate(moves) if move.kind not in crowds or at % 2]


def _case(move: Move, who: str, where: str) -> Case:
    label = f"{move.tool} {move.kind} [{move.label}] by {who} in {where}"
    return Case(move.cls, label, partial(one_bad_call, move=move, who=who, where=where))


async def one_bad_call(world: World, *, move: Move, who: str, where: str) -> None:
    """Make the call, say the hostile words aloud, and release whatever came of it."""
    channel = world.room(where)
    words = f"About that: {_hostile(move.bid)}"
    bid = Bid(move.bid.tool, _unlike_others(move.bid.args, world))
    search = [Bid(SEARCH, {"queries": [bid.tool]})] if move.is_found_by_search else []
    world.owned.will(*search, bid, words, words, "There is nothing to say about it.")
    thread = await world.say(who, "please look into it", channel)
    cards = await world.cards(channel, who)
    if cards:
        await world.press(who, cards[-1], cards[-1].first)
    elif len(words) % 4 == 0:
        await world.say(who, "yes", channel, thread=thread)


def _hostile(bid: Bid) -> str:
    if isinstance(bid.args, str):
        return bid.args[:_SPOKEN_LIMIT]
    return " ".join(str(value)[:_SPOKEN_LIMIT] for value in bid.args.values())


def _unlike_others(args: dict[str, Any] | str, world: World) -> dict[str, Any] | str:
    """Two runs with one title would be duplicates of each other."""
    if isinstance(args, str) or args.get("title") != "Refresh the storefront banner":
        return args
    return {**args, "title": world.title()}
