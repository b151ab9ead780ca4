"""What admins decided, and who may decide: overrides of tools, and one person who floods."""

from __future__ import annotations

from typing import Any

from tests.adversary.attacks_access import parrot
from tests.adversary.cases import attack
from tests.adversary.owned import Bid
from tests.adversary.truth import DM, GLINTLY, INES, MIGUEL, OPS, TOMAS
from tests.adversary.world import NoCard, World, create

# The catalogue's ids of the tools that are closed here.
CREATE, LISTING = "clickup_task_create", "clickup_task_list_weekly"
DECISIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "off": ("global", {"enabled": False}),
    "off here": ("team", {"enabled": False}),
    "off for the client": ("client", {"enabled": False}),
    "super admins only": ("global", {"min_role_tier": "super_admin"}),
    "somewhere else": ("team", {"allowed_channels": ["C01ELSEWHERE"]}),
    "somewhere else for the client": ("client", {"allowed_channels": ["C01ELSEWHERE"]}),
}


@attack(
    "C107", decision=tuple(DECISIONS), when=("before", "after the card"), where=(DM, OPS, GLINTLY)
)
async def a_closed_tool_prepares_a_change(
    world: World, decision: str, when: str, where: str
) -> None:
    scope, decided = DECISIONS[decision]
    if when == "before":
        await world.director.override(CREATE, scope, **decided)
    try:
        card = await world.propose(TOMAS, where)
    except NoCard:
        pass
    else:
        if when == "before":
            world.notes.append("a closed tool led to a card")
        await world.director.override(CREATE, scope, **decided)
        await world.press(TOMAS, card)
    world.expected_tasks = 0


@attack("C107", decision=tuple(DECISIONS), where=(DM, OPS, GLINTLY), who=(TOMAS, MIGUEL))
async def a_closed_tool_reads(world: World, decision: str, where: str, who: str) -> None:
    scope, decided = DECISIONS[decision]
    await world.director.override(LISTING, scope, **decided)
    world.owned.will(
        Bid("list_tasks", {"client": "Glintly Inc", "window": "any_time"}),
        Bid("list_tasks", {"client": "Glintly", "window": "any_time", "basis": "updated"}),
        parrot,
        "There was nothing to tell.",
    )
    await world.say(who, "what is due for Glintly?", world.room(where))
    if world.clickup.reads:
        world.notes.append(f"a closed tool read {len(world.clickup.reads)} lists")


@attack("H98", limit=(0, 1, 3), who=(INES, MIGUEL), scope=("global", "team", "client"))
async def a_tool_is_called_again_and_again(world: World, limit: int, who: str, scope: str) -> None:
    await world.director.override(LISTING, scope, max_calls_per_hour=limit)
    for at in range(3):
        bids = [
            Bid(
                "list_tasks",
                {"client": "Glintly Inc", "window": "next_n_days", "days": at * 2 + one},
            )
            for one in (1, 2)
        ]
        world.owned.will(*bids, "That is all of it.")
        await world.say(who, f"what is due? ({at})", world.room(DM))
    if len(world.clickup.reads) > limit:
        world.notes.append(f"{len(world.clickup.reads)} reads where {limit} are allowed")


@attack("H98", who=(INES, MIGUEL), where=(DM, OPS))
async def one_person_writes_without_a_pause(world: World, who: str, where: str) -> None:
    await world.slow_down(3)
    for at in range(6):
        world.owned.will("Here I am.")
        await world.say(who, f"are you there? ({at})", world.room(where))
    asked = len(world.owned.asked)
    if asked > 3:
        world.notes.append(f"{asked} answers within a minute where 3 are allowed")
    world.owned.will(create(world.title()), "It is on the card.")
    await world.say(TOMAS, "prepare the task", world.room(DM))
    if len(world.owned.asked) == asked:
        world.notes.append("another person had to wait for the one who floods")
    world.expected_tasks = 0
