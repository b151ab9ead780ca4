"""A channel of one brand: an admin's press links it, and there that brand is meant unnamed."""

from __future__ import annotations

from typing import Any

import pytest
from acting import (
    BRIGHT,
    CLAW,
    INES,
    MIGUEL,
    OPS,
    RANDOM,
    SARA_L,
    Acting,
    ScriptedModel,
    call,
    calls,
    minded,
    offer,
    offer_in,
    text,
    turn,
)
from stage import Stage, buttons, whole_text
from test_watch_flow import look, reports, watches

from agencyclaw.store.demo_agency import brand_id, client_id
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

CLIENT, BRAND = "Brightkettle Group", "Copperleaf"
LINK = "this channel is for Brightkettle's brand Copperleaf"
MAKE = "have the hero images of the kettle page retaken before the autumn sale"
TASK = {"client": CLIENT, "title": "Retake the hero images", "objective": MAKE}


def linking(say: str = LINK, **arguments: Any) -> dict[str, Any]:
    """A turn that prepares linking a channel."""
    asked = {"client": CLIENT, "brand": BRAND, **arguments}
    find = call("search_tools", queries=["link this channel to a client or brand"])
    return turn(say, find, call("link_channel", **asked), text("It is on the card."))


async def bound(stage: Stage, channel: str) -> tuple[object, ...] | None:
    row = await stage.db.pool.fetchrow(
        "select scope, client_id, brand_id from surface_bindings where channel_id = $1", channel
    )
    return tuple(row) if row else None


async def of_brand(db: Database, brand: str | None = BRAND, channel: str = BRIGHT) -> None:
    """Have a channel be for a brand already."""
    await db.pool.execute(
        "update surface_bindings set brand_id = $1 where channel_id = $2",
        brand and brand_id(CLIENT, brand),
        channel,
    )


async def archive(db: Database, brand: str = BRAND) -> None:
    await db.pool.execute("update brands set status = 'archived' where id = $1", of(brand))


def of(brand: str = BRAND) -> object:
    return brand_id(CLIENT, brand)


async def say_in(stage: Stage, channel: str, user: str, words: str) -> str:
    return await stage.bench.post_message(channel, user, f"<@{CLAW}> {words}")


async def linked(stage: Stage, channel: str = RANDOM, user: str = INES) -> str:
    """Have an admin link a channel in it; returns the thread."""
    root = await say_in(stage, channel, user, LINK)
    card = await offer_in(stage, channel, root, "Link channel")
    await stage.bench.interact(channel, card["ts"], user, "Link channel")
    await stage.settled()
    return root


async def where(stage: Stage, channel: str = RANDOM, user: str = SARA_L) -> str:
    reply = await stage.bench.command(channel, user, "/claw", "where")
    return whole_text(reply["response"])


async def told(stage: Stage, channel: str, root: str) -> str:
    return "\n".join(whole_text(one) for one in await stage.replies_in(channel, root))


async def test_an_admin_links_a_channel_that_is_nobodys_to_a_brand_by_chat_and_takes_it_back(
    acting: Acting,
) -> None:
    stage = await acting(linking(client="Brightkettle"))
    root = await say_in(stage, RANDOM, INES, LINK)
    card = await offer_in(stage, RANDOM, root, "Link channel")
    assert CLIENT in whole_text(card)
    assert BRAND in whole_text(card)
    assert await bound(stage, RANDOM) is None

    await stage.bench.interact(RANDOM, card["ts"], INES, "Link channel")
    await stage.settled()
    assert await bound(stage, RANDOM) == ("client_scoped", client_id(CLIENT), of())
    assert f"This channel belongs to {BRAND}, a brand of {CLIENT}." in await told(
        stage, RANDOM, root
    )
    assert f"belongs to {BRAND}, a brand of {CLIENT}, as Ines Varga said" in await where(stage)
    [event] = await stage.events("effect_done")
    assert event["payload"]["after"]["owner"]["brand"]["id"] == str(of())
    assert event["payload"]["before"]["owner"] is None

    posts = await stage.replies_in(RANDOM, root)
    undo = next(one for one in posts if "Undo" in buttons(one))
    await stage.bench.interact(RANDOM, undo["ts"], INES, "Undo")
    await stage.settled()
    assert await bound(stage, RANDOM) is None
    assert "This channel belongs to nobody" in await told(stage, RANDOM, root)


@pytest.mark.parametrize(
    ("client", "brand"), [("Bright", None), ("Bright", BRAND), ("Copper", None), (CLIENT, "Copper")]
)
async def test_where_nobody_knows_who_reads_along_only_names_that_decide_link(
    acting: Acting, client: str, brand: str | None
) -> None:
    stage = await acting(linking(client=client, brand=brand))
    await stage.reply_in(RANDOM, await say_in(stage, RANDOM, INES, LINK))

    assert await stage.proposals() == []
    assert CLIENT not in str(await stage.result("link_channel"))


async def test_an_admin_links_another_channel_by_its_name_and_one_back_to_its_client(
    acting: Acting,
) -> None:
    name = "client-brightkettle"
    stage = await acting(
        linking("link #brightkettle to Copperleaf", where=name),
        linking("make it the client's again", where=name, brand=None),
    )
    root = await stage.say(INES, "link #brightkettle to Copperleaf")
    card = await offer(stage, INES, root, "Link channel")
    assert "Link #client-brightkettle to Copperleaf" in whole_text(card)
    await stage.press(INES, card, "Link channel")
    await stage.settled()
    assert await bound(stage, BRIGHT) == ("client_scoped", client_id(CLIENT), of())

    root = await stage.say(INES, "make it the client's again")
    await stage.press(INES, await offer(stage, INES, root, "Link channel"), "Link channel")
    await stage.reply_with(INES, root, f"Before, it belonged to {BRAND}, a brand of {CLIENT}.")
    assert await bound(stage, BRIGHT) == ("client_scoped", client_id(CLIENT), None)


async def test_a_command_links_to_a_brand_by_its_name(acting: Acting) -> None:
    stage = await acting(linking())
    reply = await stage.bench.command(RANDOM, INES, "/claw", "link Copperleaf")
    assert f"now belongs to {BRAND}, a brand of {CLIENT}" in whole_text(reply["response"])
    assert await bound(stage, RANDOM) == ("client_scoped", client_id(CLIENT), of())
    [event] = await stage.events("surface_linked")
    assert event["payload"]["after"]["owner"]["brand"]["id"] == str(of())


@pytest.mark.parametrize("is_moved", [False, True])
async def test_a_brand_that_is_gone_at_the_press_leaves_the_channel_to_its_client(
    acting: Acting, is_moved: bool
) -> None:
    stage = await acting(linking())
    root = await say_in(stage, RANDOM, INES, LINK)
    card = await offer_in(stage, RANDOM, root, "Link channel")
    if is_moved:
        await stage.db.pool.execute(
            "update brands set client_id = $1 where id = $2", client_id("Glintly Inc"), of()
        )
    else:
        await archive(stage.db)
    await stage.bench.interact(RANDOM, card["ts"], INES, "Link channel")
    await stage.settled()

    assert await bound(stage, RANDOM) == ("client_scoped", client_id(CLIENT), None)
    posts = await told(stage, RANDOM, root)
    assert f"This channel belongs to {CLIENT}. {BRAND} is archived by now" in posts
    assert "Glintly" not in posts


async def test_what_another_admin_linked_meanwhile_is_not_overwritten(acting: Acting) -> None:
    stage = await acting(linking())
    root = await say_in(stage, RANDOM, INES, LINK)
    card = await offer_in(stage, RANDOM, root, "Link channel")
    await stage.bench.command(RANDOM, INES, "/claw", "link internal")
    await stage.bench.interact(RANDOM, card["ts"], INES, "Link channel")
    await stage.settled()
    assert await bound(stage, RANDOM) == ("internal", None, None)
    assert "now belongs to the agency itself" in await told(stage, RANDOM, root)


async def test_a_channel_of_an_archived_brand_is_its_clients_and_says_so(acting: Acting) -> None:
    stage = await acting(turn("make the task", call("create_task", **TASK), text("It is there.")))
    await of_brand(stage.db)
    assert f"Where you name no brand, {BRAND} is meant." in await where(stage, BRIGHT)
    await archive(stage.db)
    told_where = await where(stage, BRIGHT)
    assert "is archived, or no longer one of Brightkettle Group's" in told_where
    assert BRAND not in told_where

    root = await say_in(stage, BRIGHT, SARA_L, "make the task")
    card = await offer_in(stage, BRIGHT, root)
    assert "of this channel" not in whole_text(card)


async def test_a_task_that_names_no_brand_is_for_the_brand_of_its_channel(
    acting: Acting,
) -> None:
    stage = await acting(
        turn("make the task", call("create_task", **TASK), text("It is on the card.")),
        turn(
            "for Nordvent",
            call("create_task", **{**TASK, "title": "Order new samples"}, brand="Nordvent"),
            text("It is on the card."),
        ),
    )
    await of_brand(stage.db)
    card = await offer_in(stage, BRIGHT, await say_in(stage, BRIGHT, SARA_L, "make the task"))
    assert "of this channel; nobody named it" in whole_text(card)
    card = await offer_in(stage, BRIGHT, await say_in(stage, BRIGHT, SARA_L, "for Nordvent"))
    assert "of this channel" not in whole_text(card)
    effects = [one["arguments"] for one in await stage.proposals()]
    assert [one["brand"]["name"] for one in effects] == [BRAND, "Nordvent"]


async def test_outside_the_brands_channel_no_brand_is_meant(acting: Acting) -> None:
    stage = await acting(turn("make the task", call("create_task", **TASK), text("There.")))
    await of_brand(stage.db)
    await offer(stage, SARA_L, await stage.say(SARA_L, "make the task"))
    [proposal] = await stage.proposals()
    assert proposal["arguments"]["brand"] is None


async def test_a_lookup_that_names_no_brand_is_of_the_channels_brand_and_says_so(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("list_tasks"),
        "There they are.",
        calls("list_tasks", client=CLIENT, brand=CLIENT),
        "There they all are.",
    )
    async with minded(bench, agency, mind) as stage:
        await of_brand(agency)
        await stage.reply_in(BRIGHT, await say_in(stage, BRIGHT, SARA_L, "what is due?"))
        assert f"Where they name no brand of {CLIENT}, {BRAND} is meant" in mind.heard(0)
        assert f"{BRAND} is meant, the brand of this channel" in mind.heard(1)
        assert '"brands":["Copperleaf"]' in mind.heard(1)

        await stage.reply_in(BRIGHT, await say_in(stage, BRIGHT, SARA_L, "and of all brands?"))
        assert '"brands":["Copperleaf","Nordvent","Tessera"]' in mind.heard(3)


async def test_a_target_that_names_no_brand_is_for_the_brand_of_the_channel(
    acting: Acting,
) -> None:
    goal = {"client": CLIENT, "tacos": 15, "period": "annual", "marketplace": "CA"}
    find = call("search_tools", queries=["set a target"])
    stage = await acting(
        turn("set TACOS to 15%", find, call("kpi_target_upsert", **goal), text("There."))
    )
    await of_brand(stage.db)
    root = await say_in(stage, BRIGHT, INES, "set TACOS to 15%")
    card = await offer_in(stage, BRIGHT, root, "Set targets")
    assert BRAND in whole_text(card)
    assert "of this channel; nobody named it" in whole_text(card)


async def test_a_client_channel_links_to_no_brand_of_another_client(acting: Acting) -> None:
    other = {"client": "Glintly Inc", "brand": "Glintly"}
    stage = await acting(linking(**other))
    root = await say_in(stage, BRIGHT, INES, LINK)
    await stage.reply_in(BRIGHT, root)
    await stage.settled()
    assert await stage.proposals() == []
    assert await bound(stage, BRIGHT) == ("client_scoped", client_id(CLIENT), None)


async def test_where_nobody_said_who_reads_along_no_client_is_offered_for_half_a_name(
    acting: Acting,
) -> None:
    stage = await acting(linking(client="Brightkett", brand=None))
    await stage.reply_in(RANDOM, await say_in(stage, RANDOM, INES, LINK))
    refused = await stage.result("link_channel")
    assert refused["reason"] == "client_not_found"
    assert CLIENT not in str(refused)
    assert await stage.proposals() == []


async def test_members_and_direct_messages_link_no_channel(acting: Acting) -> None:
    stage = await acting(linking())
    await stage.reply_in(OPS, await say_in(stage, OPS, MIGUEL, LINK))
    assert await stage.proposals() == []
    await stage.reply(INES, await stage.say(INES, LINK))
    assert (await stage.result("link_channel"))["reason"] == "not_a_channel"
    assert await stage.proposals() == []


async def test_a_watch_that_names_no_brand_is_of_the_channels_brand_and_pauses_with_it(
    bench: Bench, agency: Database
) -> None:
    find = calls("search_tools", queries=["watch alert"])
    begin = calls("watch_client", check="missing_target", client=CLIENT)
    mind = ScriptedModel(find, begin, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        await of_brand(agency)
        root = await say_in(stage, BRIGHT, SARA_L, "tell me when a target is missing")
        card = await offer_in(stage, BRIGHT, root, "Start")
        assert f"{BRAND} ({CLIENT})" in whole_text(card)
        assert "of this channel; nobody named it" in whole_text(card)
        await bench.interact(BRIGHT, card["ts"], SARA_L, "Start")
        await stage.settled()

        await look(stage)
        [report] = await reports(stage, SARA_L)
        assert f"• {BRAND}" in whole_text(report)
        assert "Nordvent" not in whole_text(report)

        await archive(agency)
        await look(stage)
        [kept] = await watches(stage)
        assert kept["paused_because"] == f"{BRAND} is archived or no longer there"


async def test_what_one_may_do_here_and_the_brand_of_a_task_are_told_with_the_channels_brand(
    bench: Bench, agency: Database
) -> None:
    find = calls("search_tools", queries=["what may I do here", "which brand is it for"])
    rights, brand = calls("cc_policy_explain"), calls("resolve_brand", client=CLIENT)
    mind = ScriptedModel(find, rights, brand, "There.")
    async with minded(bench, agency, mind) as stage:
        await of_brand(agency)
        await stage.reply_in(BRIGHT, await say_in(stage, BRIGHT, SARA_L, "where am I?"))
        assert f'"brand":"{BRAND}"' in mind.heard(2)
        assert "This brand was not named: the channel is for it." in mind.heard(3)


async def test_a_corrected_card_keeps_the_channels_brand_and_says_so_again(
    acting: Acting,
) -> None:
    again = {**TASK, "replaces": TASK["title"], "details": "three photos"}
    stage = await acting(
        turn("make the task", call("create_task", **TASK), text("It is on the card.")),
        turn("with three photos", call("create_task", **again), text("It is on the card.")),
    )
    await of_brand(stage.db)
    root = await say_in(stage, BRIGHT, SARA_L, "make the task")
    await offer_in(stage, BRIGHT, root)
    await stage.settled()
    await stage.bench.post_message(BRIGHT, SARA_L, f"<@{CLAW}> with three photos", root)

    async def both() -> bool:
        return len(await stage.proposals()) == 2

    await stage.bench.until(both)
    await stage.settled()
    first, second = (one["arguments"] for one in await stage.proposals())
    assert first["brand"] == second["brand"]
    assert [one["origin"] for one in second["bases"] if one["field"] == "Brand"] == ["place"]
