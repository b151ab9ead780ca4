"""Everything at once about one card: whatever wins, it happens once, and the card says which."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from acting import ASKED, SARA_L, TASK, Acting, call, creating, offer, text, turn
from stage import Stage, buttons, dm, whole_text

ASK = "make the task"
OTHER = "Refresh the Glintly storefront banner for April"
Act = Callable[[], Awaitable[Any]]


def acts_on(stage: Stage, root: str, card: dict[str, Any]) -> dict[str, Act]:
    """What a person can do about a card, by its name."""

    async def edit() -> None:
        await stage.press(SARA_L, card, "Edit")
        [view] = await stage.bench.until(lambda: stage.bench.views(SARA_L))
        await stage.bench.submit_view(SARA_L, view["id"], {"title": OTHER})

    return {
        "create": lambda: stage.press(SARA_L, card, "Create task"),
        "cancel": lambda: stage.press(SARA_L, card, "Cancel"),
        "yes": lambda: stage.say(SARA_L, "yes", thread=root),
        "no": lambda: stage.say(SARA_L, "no", thread=root),
        "stop": lambda: stage.bench.stop(dm(SARA_L), SARA_L, root),
        "switch": lambda: stage.say(SARA_L, "what about Brightkettle", thread=root),
        "edit": edit,
    }


@pytest.mark.parametrize(
    "together",
    [
        ("create", "create", "create", "create"),
        ("create", "yes", "yes"),
        ("create", "edit"),
        ("create", "stop", "no"),
        ("create", "cancel", "yes", "no"),
        ("yes", "edit", "stop", "switch"),
        ("create", "yes", "edit", "stop", "switch"),
    ],
)
async def test_acts_that_race_have_one_outcome(acting: Acting, together: tuple[str, ...]) -> None:
    switching = turn(
        "what about Brightkettle",
        call("list_tasks", client="Brightkettle Group"),
        text("${list_tasks.message}"),
    )
    stage = await acting(creating(ASK, title=TASK, objective=ASKED), switching)
    root = await stage.say(SARA_L, ASK)
    acts = acts_on(stage, root, await offer(stage, SARA_L, root))

    await asyncio.gather(*(acts[name]() for name in together))
    await stage.bench.until(lambda: is_at_rest(stage))

    proposals = await stage.proposals()
    done = [one for one in proposals if one["state"] == "done"]
    tasks = [*await stage.tasks_named(TASK)]
    assert len(tasks) == len(done) == await stage.creates_sent() <= 1
    waiting = [one for one in proposals if one["state"] == "open"]
    replies = await stage.replies(SARA_L, root)
    assert len([one for one in replies if "Create task" in buttons(one)]) == len(waiting)
    assert len([one for one in replies if "Created “" in whole_text(one)]) == len(done)
    statuses = await stage.db.pool.fetch("select distinct status from slack_event_receipts")
    assert "dead" not in {row["status"] for row in statuses}
    if set(together) == {"create"}:
        assert len(done) == 1
        assert len(await stage.whispers(SARA_L)) <= 1


async def is_at_rest(stage: Stage) -> bool:
    """Nothing is under way, neither an effect nor a message nor a delivery."""
    return await stage.db.pool.fetchval(
        "select not exists (select from slack_event_receipts where status = 'received')"
        " and not exists (select from proposals where state in ('draft', 'confirmed', 'executing'))"
        " and not exists (select from outbox where state in ('pending', 'sending'))"
        " and not exists (select from procrastinate_jobs"
        "   where status in ('todo', 'doing') and scheduled_at is null)"
    )
