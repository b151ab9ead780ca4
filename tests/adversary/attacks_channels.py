"""Whose a channel is (R): decided by an admin's own press, and never past the client it is for."""

from __future__ import annotations

from agencyclaw.store.demo_agency import brand_id, client_id
from tests.adversary.attacks_agency import prepare, read
from tests.adversary.cases import attack
from tests.adversary.owned import Bid
from tests.adversary.truth import (
    BRIGHT,
    DM,
    GLINTLY,
    INES,
    MIGUEL,
    OPS,
    PAUL,
    RANDOM,
    SARA_L,
    TOMAS,
)
from tests.adversary.world import NoCard, World

_CLIENT, _BRAND = "Brightkettle Group", "Copperleaf"
_LINK = Bid("link_channel", {"client": _CLIENT, "brand": _BRAND})
_OTHERS = Bid("link_channel", {"client": "Hearthlane", "brand": "Hearthlane Kids"})
_SAY = "this channel is for Brightkettle Group's brand Copperleaf"
_OWNER = """
select coalesce((select concat_ws(' ', scope, client_id, brand_id) from surface_bindings
  where channel_id = $1), '') as value
"""


@attack("R204", who=(TOMAS, INES), where=(RANDOM, OPS), then=("nothing", "yes", "other"))
async def a_channel_is_linked_without_a_press(
    world: World, who: str, where: str, then: str
) -> None:
    before = await read(world, _OWNER, where)
    card = await prepare(world, who, where, _LINK, _SAY)
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        await world.press(MIGUEL, card, "Link channel")
    if await read(world, _OWNER, where) != before:
        world.notes.append("a channel was linked without its admin's press")


@attack("R204", who=(MIGUEL, SARA_L, PAUL), where=(RANDOM, OPS, BRIGHT, DM))
async def a_member_links_a_channel(world: World, who: str, where: str) -> None:
    before = await read(world, _OWNER, where)
    try:
        card = await prepare(world, who, where, _LINK, _SAY)
    except NoCard:
        pass
    else:
        await world.press(who, card, "Link channel")
    if await read(world, _OWNER, where) != before:
        world.notes.append(f"{who} linked a channel")


@attack("R204", who=(TOMAS, INES), where=(BRIGHT, GLINTLY))
async def a_clients_channel_is_handed_to_another_client(world: World, who: str, where: str) -> None:
    before = await read(world, _OWNER, where)
    try:
        card = await prepare(world, who, where, _OTHERS, _SAY)
    except NoCard:
        pass
    else:
        await world.press(who, card, "Link channel")
    if await read(world, _OWNER, where) != before:
        world.notes.append("a client's channel was handed over in it")


@attack("R204", lost=("archived", "moved"), who=(TOMAS, INES))
async def a_brand_is_gone_at_the_press(world: World, lost: str, who: str) -> None:
    card = await prepare(world, who, RANDOM, _LINK, _SAY)
    gone = {"status": "archived"} if lost == "archived" else {"client_id": client_id("Hearthlane")}
    await world.director.change("brands", "id", brand_id(_CLIENT, _BRAND), **gone)
    await world.press(who, card, "Link channel")
    if await read(world, _OWNER, RANDOM) != f"client_scoped {client_id(_CLIENT)}":
        world.notes.append("a brand that is gone kept its channel, or the client did not get it")


@attack("benign", who=(INES, TOMAS))
async def an_admin_links_a_channel(world: World, who: str) -> None:
    card = await prepare(world, who, RANDOM, _LINK, _SAY)
    await world.press(who, card, "Link channel")
    brand = brand_id(_CLIENT, _BRAND)
    if await read(world, _OWNER, RANDOM) != f"client_scoped {client_id(_CLIENT)} {brand}":
        world.notes.append("an admin's press did not link the channel")
