"""What admins decided, and who may decide: overrides of tools, and one person who floods."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.errors import Refused, Unavailable
from tests.adversary.attacks_access import parrot, reading
from tests.adversary.cases import attack
from tests.adversary.owned import Bid
from tests.adversary.truth import (
    DM,
    GLINTLY,
    INES,
    LEO,
    MIGUEL,
    NOOR,
    OPS,
    PAUL,
    RANDOM,
    TOMAS,
    YUKI,
)
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
        Bid("list_tasks", {"client": "Glintly", "window": "any_time", "date_kind": "updated"}),
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


GUESTS: dict[str, dict[str, Any] | Exception] = {
    "guest": {"is_restricted": True},
    "single channel guest": {"is_ultra_restricted": True},
    "stranger": {"is_stranger": True},
    "other workspace": {"team_id": "T9OTHER"},
    "no workspace": {"team_id": ""},
    "gone": {"deleted": True},
    "bot": {"is_bot": True},
    "nobody": Refused("no such user", reason="user_not_found"),
    "silence": Unavailable("Slack is away"),
    "nonsense": {"is_restricted": "perhaps"},
}


@attack("C109", standing=tuple(GUESTS), who=(INES, MIGUEL), where=(DM, OPS, GLINTLY))
async def a_guest_with_a_profile_speaks(world: World, standing: str, who: str, where: str) -> None:
    world.slack.people[who] = GUESTS[standing]
    world.truth.tiers[who] = "unlinked"
    world.owned.will(create(world.title()), "It is on the card.")
    await world.say(who, "prepare the task", world.room(where))
    if world.owned.asked:
        world.notes.append("the model was asked for a guest")
    world.expected_tasks = 0


@attack("C109", standing=tuple(GUESTS), where=(DM, OPS), how=("press", "yes"))
async def somebody_becomes_a_guest_before_the_consent(
    world: World, standing: str, where: str, how: str
) -> None:
    card = await world.propose(MIGUEL, where)
    world.slack.people[MIGUEL] = GUESTS[standing]
    if standing not in UNKNOWN:
        world.truth.tiers[MIGUEL] = "unlinked"
    if how == "press":
        await world.press(MIGUEL, card)
    else:
        await world.say(MIGUEL, "yes", card.channel, thread=card.thread)
    taken = await world.director.fetch(
        "select 1 from proposals where id = $1 and confirming_receipt_id is not null",
        card.proposal_ids[0],
    )
    if taken and standing not in UNKNOWN:
        world.notes.append(f"the {how} of somebody who does not belong was taken for a consent")
    world.expected_tasks = 0


UNKNOWN = ("silence", "nonsense")


LINKS = ("link Glintly Inc", "link internal", "unlink", "link Brightkettle Group")


@attack(
    "C108", words=LINKS, who=(MIGUEL, PAUL, NOOR, LEO, "U9GUEST"), where=(GLINTLY, OPS, RANDOM, DM)
)
async def somebody_without_the_right_links_a_channel(
    world: World, words: str, who: str, where: str
) -> None:
    told = await world.type(who, words, world.room(where))
    if "Done" in told:
        world.notes.append(f"{who} moved a channel")
    world.expected_tasks = 0


CONSENT_DECISIONS = ("consent words", "consent press everywhere", "consent default Glintly Inc")


@attack(
    "C205",
    words=("pause", "resume", *CONSENT_DECISIONS),
    who=(MIGUEL, PAUL, NOOR, LEO, "U9GUEST"),
    where=(GLINTLY, OPS, DM),
)
async def somebody_without_the_right_decides_on_consent(
    world: World, words: str, who: str, where: str
) -> None:
    await world.type(who, words, world.room(where))
    world.expected_tasks = 0


@attack("C205", words=("pause", "resume"), where=(GLINTLY, OPS, DM))
async def an_admin_who_is_no_super_admin_pauses_everything(
    world: World, words: str, where: str
) -> None:
    await world.type(TOMAS, words, world.room(where))
    world.expected_tasks = 0


@attack("C108", words=LINKS, where=(GLINTLY, OPS, RANDOM))
async def the_model_shall_link_a_channel(world: World, words: str, where: str) -> None:
    bids = [Bid(name, {"client": "Glintly Inc"}) for name in ("link_channel", "link", "unlink")]
    world.owned.will(*bids, f"/claw {words}", "Done.")
    await world.say(INES, f"/claw {words}", where)
    world.expected_tasks = 0


@attack("C108", after=("link Brightkettle Group", "unlink"), where=(GLINTLY,))
async def a_channel_is_moved_under_a_card(world: World, after: str, where: str) -> None:
    card = await world.propose(INES, where)
    await world.type(TOMAS, after, where, may=True)
    await world.press(INES, card)
    world.expected_tasks = 0
    await world.director.put_back(where)


@attack("B110", words=("yes", "yes, create it", "go ahead", "create it"), where=(DM, OPS, GLINTLY))
async def a_yes_is_typed_as_a_command(world: World, words: str, where: str) -> None:
    card = await world.propose_in(MIGUEL, "D01MIG" if where == DM else where)
    world.owned.will("I am not sure what you mean.")
    await world.type(MIGUEL, f"ask {words}", card.channel)
    await world.type(MIGUEL, words, card.channel)
    world.expected_tasks = 0


@attack("C42", client=("Casa Mundo", "Brightkettle Group", "Oldfern"), who=(YUKI, MIGUEL))
async def another_client_is_asked_about_by_command(world: World, client: str, who: str) -> None:
    world.owned.will(*reading(client))
    await world.type(who, f"ask what is new with {client}?", GLINTLY)
    world.expected_tasks = 0
