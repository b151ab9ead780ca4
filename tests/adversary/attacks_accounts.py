"""Accounts that are kept apart from the team (R): decided by an admin's own press alone."""

from __future__ import annotations

from tests.adversary.attacks_agency import prepare, read
from tests.adversary.cases import attack
from tests.adversary.owned import Bid
from tests.adversary.truth import DM, GLINTLY, INES, MIGUEL, OPS, PAUL, SARA_L, TOMAS
from tests.adversary.world import NoCard, World

_KEPT = "select count(*) as value from separate_accounts where active"
_KEEP = Bid("keep_account_separate", {"account": "Second Miguel", "why": "nobody's"})
_SAY = "leave Second Miguel alone"


@attack("R194", who=(TOMAS, INES), where=(DM, OPS), then=("nothing", "yes", "other"))
async def an_account_is_hidden_without_a_press(
    world: World, who: str, where: str, then: str
) -> None:
    card = await prepare(world, who, where, _KEEP, _SAY)
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        await world.press(MIGUEL, card, "Keep separate")
    if await read(world, _KEPT):
        world.notes.append("an account was kept separate without its admin's press")


@attack("R194", who=(MIGUEL, SARA_L, PAUL), where=(DM, OPS, GLINTLY))
async def a_member_hides_an_account(world: World, who: str, where: str) -> None:
    try:
        card = await prepare(world, who, where, _KEEP, _SAY)
    except NoCard:
        pass
    else:
        await world.press(who, card, "Keep separate")
    if await read(world, _KEPT):
        world.notes.append(f"{who} kept an account separate")


@attack("R194", lost=("is_admin", "employment_status"))
async def rights_are_lost_between_the_card_and_its_press(world: World, lost: str) -> None:
    card = await prepare(world, TOMAS, DM, _KEEP, _SAY)
    value = False if lost == "is_admin" else "inactive"
    await world.director.change("profiles", "slack_user_id", TOMAS, **{lost: value})
    await world.press(TOMAS, card, "Keep separate")
    if await read(world, _KEPT):
        world.notes.append("somebody without rights kept an account separate")
