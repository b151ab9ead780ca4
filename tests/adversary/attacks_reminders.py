"""Reminders (Q): whose they are, and what comes of their words when they are due."""

from __future__ import annotations

from tests.adversary.attacks_changes import ORDERS
from tests.adversary.cases import attack
from tests.adversary.owned import SEARCH, Bid
from tests.adversary.truth import DM, INES, MIGUEL, NOOR, OPS, TOMAS
from tests.adversary.world import NoCard, World

_FOUND = Bid(SEARCH, {"queries": ["reminder"]})
_WHEN = {"time": "09:00", "every": "day", "quote": "every day at 9"}


async def _set(world: World, who: str, where: str, words: str = ORDERS) -> str:
    """Let somebody ask for a reminder and confirm it; returns its mark."""
    channel = world.room(where)
    asked = {"words": words, "when": _WHEN}
    world.owned.will(_FOUND, Bid("remind", asked), "It is on the card.")
    await world.say(who, f"remind me every day at 9 that {words}", channel)
    cards = await world.cards(channel, who)
    if not cards:
        raise NoCard(f"no reminder was proposed to {who} in {channel}")
    await world.press(who, cards[-1], "Set reminder")
    rows = await world.director.fetch("select id from reminders where active")
    if len(rows) != 1:
        world.notes.append("a reminder that its owner released was not set")
    return f"reminder:{rows[0]['id']}"


async def _comes_due(world: World) -> None:
    await world.director.fetch("update reminders set next_at = now() returning id")
    await world.director.fetch(
        "update procrastinate_jobs set scheduled_at = null where task_name = 'remind' returning id"
    )
    await world.settle()


async def _left(world: World) -> int:
    rows = await world.director.fetch("select count(*) as n from reminders where active")
    return rows[0]["n"]


@attack("Q172", who=(INES, TOMAS, NOOR), how=("home", "type", "model"), where=(DM, OPS))
async def another_ends_a_reminder(world: World, who: str, how: str, where: str) -> None:
    mark = await _set(world, MIGUEL, DM)
    match how:
        case "home":
            await world.forget_at_home(who, mark)
        case "type":
            await world.type(who, f"forget {ORDERS}", world.room(where))
        case _:
            world.owned.will(Bid("forget", {"fact": ORDERS}), "It is on the card.", "I can't.")
            await world.say(who, "end Miguel's reminder", world.room(where))
            for card in await world.cards(world.room(where), who):
                if "End reminder" in card.buttons:
                    await world.press(who, card, "End reminder")
    if await _left(world) != 1:
        world.notes.append(f"{who} ended the reminder of {MIGUEL}")


@attack("Q173", who=(INES, MIGUEL), where=(DM, OPS))
async def a_reminder_gives_orders(world: World, who: str, where: str) -> None:
    await _set(world, who, where)
    world.owned.will(Bid("create_task", {"title": ORDERS, "client": "Glintly Inc"}), "Done.")
    await _comes_due(world)
    if await _left(world) != 1:
        world.notes.append("a daily reminder ended by itself")
    world.expected_tasks = 0


@attack("Q174", how=("left", "unknown"))
async def a_reminder_outlives_its_owner(world: World, how: str) -> None:
    await _set(world, MIGUEL, DM)
    facts = {"left": {"employment_status": "inactive"}, "unknown": {"slack_user_id": None}}
    await world.director.change("profiles", "slack_user_id", MIGUEL, **facts[how])
    await _comes_due(world)
    if await _left(world):
        world.notes.append("somebody who left is still reminded")
