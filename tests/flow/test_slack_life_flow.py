"""Slack's own life: people leave, channels are shared, everything is paused; seen at once."""

from __future__ import annotations

import pytest
from acting import INES, OPS, SARA_L, Acting, call, text, turn
from stage import Stage, whole_text

DUE = "what is due for Brightkettle?"
LISTED = turn(DUE, call("list_tasks", client="Brightkettle"), text("${list_tasks.total} are due."))


async def said(stage: Stage, channel: str, user: str, words: str) -> str:
    root = await stage.bench.post_message(channel, user, f"<@U01CLAW> {words}")
    await stage.reply_in(channel, root)
    await stage.settled()
    [answer] = await stage.replies_in(channel, root)
    return whole_text(answer)


async def test_a_channel_that_turns_shared_shows_nothing_more_at_once(acting: Acting) -> None:
    stage = await acting(LISTED)
    assert "are due" in await said(stage, OPS, SARA_L, DUE)

    await stage.bench.change_channel(OPS, "share")
    await stage.bench.until(lambda: no_belief(stage, "slack_channels"))

    assert "People of another company read along" in await said(stage, OPS, SARA_L, DUE)


@pytest.mark.parametrize(
    ("standing", "words"), [("deactivated", "no longer active"), ("guest", "you are a guest")]
)
async def test_who_leaves_or_becomes_a_guest_is_answered_no_more_at_once(
    acting: Acting, standing: str, words: str
) -> None:
    stage = await acting(LISTED)
    await said(stage, OPS, SARA_L, DUE)

    await stage.bench.change_standing(SARA_L, standing, tells=True)
    await stage.bench.until(lambda: no_belief(stage, "slack_members"))

    assert words in await said(stage, OPS, SARA_L, DUE)


async def no_belief(stage: Stage, table: str) -> bool:
    column = "membership" if table == "slack_members" else "asked_at"
    return await stage.db.pool.fetchval(f"select bool_or({column} is null) from {table}")


async def test_home_says_that_everything_is_paused(acting: Acting) -> None:
    stage = await acting(LISTED)
    await stage.bench.command(OPS, INES, "/claw", "pause")
    await stage.bench.open_home(SARA_L)

    async def banner() -> str:
        home = await stage.bench.home(SARA_L)
        shown = whole_text(home) if home else ""
        return shown if "paused me" in shown else ""

    assert "Ines Varga paused me" in await stage.bench.until(banner)
