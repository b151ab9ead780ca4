"""What the long conversations send: short messages stay cheap, and begin like those before."""

from __future__ import annotations

from evals.__main__ import (
    LEAST_CACHED,
    LONG_TALKS,
    SHORT_MESSAGE_TOKENS,
    is_short_cheap,
    sent_lines,
    short_turns,
    tokens_lines,
)
from evals.engine import SentTurn, Verdict, judge
from evals.plays import GOLD
from evals.subjects import load_subjects, plays_of, scripted
from evals.world import Ground

# Beside the tools and instructions, which have a budget of their own and are always cached.
MOST_TOKENS = 2_300
MORNING, AFTERNOON = LONG_TALKS


async def played(ground: Ground, case: str) -> Verdict:
    bare = plays_of(load_subjects([]), case)
    [verdict] = await judge(
        ground, [play for one in bare for play in scripted(one, 5) if play.variant == GOLD]
    )
    assert not verdict.error
    assert verdict.turns[-1].said == "thanks"
    return verdict


def is_mostly_cached(turn: SentTurn) -> bool:
    return turn.cached >= LEAST_CACHED * turn.sent


async def test_a_thank_you_at_the_end_of_a_long_conversation_is_cheap(ground: Ground) -> None:
    verdict = await played(ground, MORNING)

    *others, thanks = verdict.turns
    assert is_mostly_cached(thanks), thanks
    assert all(turn.sent - others[0].sent <= MOST_TOKENS for turn in verdict.turns)
    # One turn in eight lets a block of results go, and what comes after it is sent anew.
    few = [turn for turn in others[1:] if not is_mostly_cached(turn)]
    assert len(few) <= len(others) // 8
    assert len(list(sent_lines([verdict]))) == len(verdict.turns)
    assert is_short_cheap([verdict]), verdict.turns
    [line] = tokens_lines([verdict])
    assert line.startswith(f"tokens: {len(short_turns([verdict]))} short messages, median ")


async def test_tools_that_were_found_by_searching_stay_within_the_limit(ground: Ground) -> None:
    verdict = await played(ground, AFTERNOON)

    # Also those after a search found more than there is room for.
    assert is_short_cheap([verdict]), verdict.turns


def test_a_short_message_that_sends_too_much_or_too_much_anew_is_noticed() -> None:
    first = SentTurn(said="hi", sent=9_000, cached=0)
    cheap = SentTurn(said="and then?", sent=SHORT_MESSAGE_TOKENS, cached=4_800)
    heavy = SentTurn(said="thanks", sent=SHORT_MESSAGE_TOKENS + 1, cached=SHORT_MESSAGE_TOKENS)
    new = SentTurn(said="thanks", sent=SHORT_MESSAGE_TOKENS, cached=4_799)
    verdict = Verdict(case=AFTERNOON, variant=GOLD, turns=(first, cheap))

    assert is_short_cheap([verdict])
    for last in (heavy, new):
        assert not is_short_cheap([verdict.model_copy(update={"turns": (first, cheap, last)})])
