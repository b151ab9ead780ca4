"""What the long conversation sends: short messages stay cheap, and begin like those before."""

from __future__ import annotations

from evals.__main__ import LONG, SHORT_CHARS, sent_lines, tokens_lines
from evals.engine import judge
from evals.plays import GOLD
from evals.subjects import load_subjects, plays_of, scripted
from evals.world import Ground

# Beside the tools and instructions, which have a budget of their own and are always cached.
MOST_TOKENS = 2_300
# With the tools, those a search found too, and the instructions.
SHORT_MESSAGE_AT_MOST = 6_000
LEAST_CACHED = 0.8


async def test_a_thank_you_at_the_end_of_a_long_conversation_is_cheap(ground: Ground) -> None:
    bare = plays_of(load_subjects([]), LONG)
    plays = [play for one in bare for play in scripted(one, 5) if play.variant == GOLD]

    verdicts = await judge(ground, plays)

    [verdict] = verdicts
    assert not verdict.error
    assert verdict.turns[-1].said == "thanks"
    *others, thanks = verdict.turns
    assert thanks.cached >= LEAST_CACHED * thanks.sent, thanks
    assert all(turn.sent - others[0].sent <= MOST_TOKENS for turn in verdict.turns)
    # One turn in eight lets a block of results go, and what comes after it is sent anew.
    few = [turn for turn in others[1:] if turn.cached < LEAST_CACHED * turn.sent]
    assert len(few) <= len(others) // 8
    assert len(list(sent_lines(verdicts))) == len(verdict.turns)
    short = [turn for turn in verdict.turns if len(turn.said) <= SHORT_CHARS]
    assert all(turn.sent <= SHORT_MESSAGE_AT_MOST for turn in short), short
    [line] = tokens_lines(verdicts)
    assert line.startswith(f"tokens: {len(short) - 1} short messages, median ")
