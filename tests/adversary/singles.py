"""Level 0: every bad call there is, once, by changing people in changing places."""

from __future__ import annotations

import itertools
from dataclasses import replace
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
# Of the kinds of which there are hundreds: one in so many, for a tool at hand and one to be found.
_CROWDS = {"text": (5, 11), "confused": (3, 7), "extra": (2, 5), "raw": (2, 3)}


def single_calls(tools: tuple[Any, ...], *, full: bool) -> list[Case]:
    """Return one run per move, or per move, person and place.

    A tool that is found by searching is attacked twice: unsought, and after the search.
    """
    moves = every_move(tools)
    found = moves if full else _thinned(moves)
    unsought = [replace(one, is_sought=False) for one in moves if one.is_found_by_search]
    chosen = [*found, *(unsought if full else _sampled(unsought))]
    pairs = list(itertools.product(PEOPLE, PLACES))
    if full:
        return [_case(move, *pair) for move in chosen for pair in pairs]
    # Neighbours of one kind get different pairs, so that kinds and tools meet everybody everywhere.
    return [_case(move, *pairs[(at * 7) % len(pairs)]) for at, move in enumerate(chosen)]


def _thinned(moves: list[Move]) -> list[Move]:
    """Leave out most of what comes in crowds: other arguments of other tools take the same."""
    return [move for at, move in enumerate(moves) if at % _one_in(move) == 0]


def _one_in(move: Move) -> int:
    """A prime, so that no list of words or shapes is met at the same place again and again."""
    at_hand, found = _CROWDS.get(move.kind, (1, 1))
    return found if move.is_found_by_search else at_hand


def _sampled(moves: list[Move]) -> list[Move]:
    """What no search has found is turned away by its name, whatever the arguments."""
    return [move for at, move in enumerate(moves) if move.kind == "good" or at % 29 == 0]


def _case(move: Move, who: str, where: str) -> Case:
    how = "" if move.is_sought else "unsought "
    label = f"{how}{move.tool} {move.kind} [{move.label}] by {who} in {where}"
    return Case(move.cls, label, partial(one_bad_call, move=move, who=who, where=where))


async def one_bad_call(world: World, *, move: Move, who: str, where: str) -> None:
    """Make the call, say the hostile words aloud, and release whatever came of it."""
    channel = world.room(where)
    words = f"About that: {_hostile(move.bid)}"
    bid = Bid(move.bid.tool, _unlike_others(move.bid.args, world))
    is_searched = move.is_found_by_search and move.is_sought
    search = [Bid(SEARCH, {"queries": [bid.tool]})] if is_searched else []
    world.owned.will(*search, bid, words, words, "There is nothing to say about it.")
    thread = await world.say(who, "please look into it", channel)
    if not move.is_sought and any(move.tool in asked.offered for asked in world.owned.asked):
        world.notes.append(f"{move.tool} was on offer without a search")
    cards = await world.cards(channel, who)
    if cards:
        await world.read_whole(who, cards[-1])
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
