"""What is remembered: kept only with a yes, for nobody else, seen and deleted by people."""

from __future__ import annotations

from typing import Any

import pytest
from acting import (
    CLAW,
    INES,
    MIGUEL,
    PAUL,
    SARA_L,
    YUKI,
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
from stage import Stage, buttons, dm, whole_text
from test_commands_flow import GLINTLY, typed
from test_home_flow import home_with

from agencyclaw.domain.messages import message
from agencyclaw.store.demo_agency import client_id
from agencyclaw.store.engine import Database
from agencyclaw.store.memory import MemoryReader
from workbench.fixture import Bench

FACT = "Glintly Inc ships from Rotterdam"
NOTED = turn(
    "remember that Glintly Inc ships from Rotterdam",
    call("remember", fact=FACT, client="Glintly Inc"),
    text("See the card."),
)


async def notes(stage: Stage) -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch(
        "select * from client_memory_notes where archived_at is null and client_id = $1"
        " and confidence >= 0.7 order by created_at",
        client_id("Glintly Inc"),
    )
    return [dict(row) for row in rows]


async def test_what_the_model_wants_kept_is_one_line_with_keep_and_discard(acting: Acting) -> None:
    stage = await acting(NOTED)
    root = await stage.say(INES, NOTED["say"][0])
    card = await offer(stage, INES, root, "Keep")

    assert f"Remember about Glintly Inc: “{FACT}”" in whole_text(card)
    assert buttons(card) == ["Keep", "Discard"]
    assert len(await notes(stage)) == 1

    await stage.press(INES, card, "Keep")
    receipt = await stage.reply_with(INES, root, "I'll remember about Glintly Inc")
    await stage.settled()

    assert "Undo" in buttons(receipt) or "Undo" in buttons(await offer(stage, INES, root, "Undo"))
    kept = (await notes(stage))[-1]
    assert (kept["note"], kept["source"], float(kept["confidence"])) == (FACT, "chat", 0.9)
    [event] = await stage.events("effect_done")
    assert event["payload"]["after"] == {"client": "Glintly Inc", "note": FACT}


async def test_discarded_is_not_kept(acting: Acting) -> None:
    stage = await acting(NOTED)
    root = await stage.say(INES, NOTED["say"][0])

    await stage.press(INES, await offer(stage, INES, root, "Keep"), "Discard")
    await stage.settled()

    assert len(await notes(stage)) == 1


async def test_a_guess_is_not_worth_remembering(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        calls("remember", fact="Maybe they want Walmart", client="Glintly Inc", certainty=0.4),
        "I'd rather ask them first.",
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "glintly may want walmart"))

        assert await stage.proposals() == []
    assert "not certain enough" in mind.heard(1)


async def test_what_nobody_said_is_not_remembered(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        calls("remember", fact="Glintly wants lower prices next year", client="Glintly Inc"),
        calls("remember", fact="they do not ship from Rotterdam", client="Glintly Inc"),
        calls("remember", fact="Glintly Inc ships from Rotterdam", client="Glintly Inc"),
        calls("remember", fact="They ship from Rotterdam", client="Glintly Inc"),
        "See the card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "keep in mind that they ship from Rotterdam")
        await offer(stage, INES, root, "Keep")
        [proposal] = await stage.proposals()
        refused = await stage.events("tool_refused")

    assert "Nobody wrote that here." in mind.heard(1)
    assert "Closest" not in mind.heard(1)
    assert "Closest to it is “keep in mind that they ship from Rotterdam”" in mind.heard(3)
    assert proposal["arguments"]["note"] == "they ship from Rotterdam"
    assert {event["reason"] for event in refused} == {"not_stated"}


async def test_what_is_kept_are_the_persons_words_with_what_turns_them(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("remember", fact="they ship from Rotterdam", client="Glintly Inc"),
        "See the card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "Since May they ship from Rotterdam only if it is urgent.")
        card = await offer(stage, INES, root, "Keep")

    assert "“Since May they ship from Rotterdam only if it is urgent.”" in whole_text(card)


async def test_what_was_said_earlier_in_the_conversation_may_be_remembered(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        "Good to know. They might want Antwerp, too.",
        calls("remember", fact="They might want Antwerp", client="Glintly Inc"),
        calls("remember", fact="shipping from Rotterdam these days", client="Glintly Inc"),
        "See the card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "Glintly Inc is shipping from Rotterdam these days")
        await stage.reply(INES, root)
        await stage.say(INES, "keep that in mind", thread=root)
        await offer(stage, INES, root, "Keep")

    # What the assistant itself said is no evidence.
    assert "Nobody wrote that here." in mind.heard(2)


async def test_a_preference_is_kept_for_who_asks_and_reaches_nobody_else(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("remember", fact="your answers to three lines", preference="answer_style"),
        "See the card.",
        "Hello Sara.",
        "Hello Miguel.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(SARA_L, "keep your answers to three lines from now on")
        await stage.press(SARA_L, await offer(stage, SARA_L, root, "Keep"), "Keep")
        await stage.reply_with(SARA_L, root, "I'll remember for you")
        await stage.settled()
        await stage.reply(SARA_L, await stage.say(SARA_L, "hello once more to you"))
        await stage.reply(MIGUEL, await stage.say(MIGUEL, "hello from Miguel to you"))

    assert "how to answer: “your answers to three lines”" in mind.heard(2)
    assert "three lines" not in mind.heard(3)
    assert "default client" not in mind.heard(3)


async def test_a_preference_of_somebody_else_is_never_written(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("remember", fact="../Ines Varga", preference="other"), "See the card."
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(MIGUEL, "remember ../Ines Varga please")
        await stage.press(MIGUEL, await offer(stage, MIGUEL, root, "Keep"), "Keep")
        await stage.reply_with(MIGUEL, root, "I'll remember for you")
        owners = await agency.pool.fetch(
            "select p.full_name from agencyclaw_user_preferences u join profiles p"
            " on p.id = u.profile_id where u.preferences <> '[]'"
        )

    assert [row["full_name"] for row in owners] == ["Miguel Duarte"]


async def test_a_preference_confirmed_in_a_clients_channel_is_kept(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("remember", fact="keep your answers to three lines", preference="answer_style"),
        "See the card.",
    )
    async with minded(bench, agency, mind) as stage:
        asked = f"<@{CLAW}> keep your answers to three lines"
        root = await bench.post_message(GLINTLY, MIGUEL, asked)
        card = await offer_in(stage, GLINTLY, root, "Keep")
        await bench.interact(GLINTLY, card["ts"], MIGUEL, "Keep")
        await stage.bench.until(lambda: stage.events("effect_done"))
        await stage.settled()
        [row] = await stage.proposals()

    assert (row["state"], row["reason"]) == ("done", None)


async def test_what_is_recalled_says_how_far_it_reaches(acting: Acting) -> None:
    stage = await acting(turn("what do you remember", call("recall"), text("Two things.")))

    root = await stage.say(MIGUEL, "what do you remember")
    said = whole_text(await stage.reply_with(MIGUEL, root, "Two things."))
    everywhere = await stage.say(INES, "what do you remember")
    of_admin = whole_text(await stage.reply_with(INES, everywhere, "Two things."))

    assert message("reach.own_clients") in said
    assert message("reach.own_clients") not in of_admin


async def test_a_typed_command_keeps_and_forgets_at_once(acting: Acting) -> None:
    stage = await acting(NOTED)

    said = await typed(stage, SARA_L, f"remember Glintly Inc: {FACT}", dm(SARA_L))
    assert "I'll remember about Glintly Inc" in said
    again = await typed(stage, SARA_L, f"remember Glintly Inc: {FACT}", dm(SARA_L))
    assert "already" in again
    assert (await notes(stage))[-1]["source"] == "manual"

    assert "Forgotten" in await typed(stage, SARA_L, "forget Rotterdam", dm(SARA_L))
    assert len(await notes(stage)) == 1
    assert "Nothing like that" in await typed(stage, SARA_L, "forget Rotterdam", dm(SARA_L))
    kept, gone = await stage.events("effect_done")
    assert kept["payload"]["after"]["note"] == FACT
    assert gone["payload"]["before"]["note"] == FACT
    assert {one["slack_user_id"] for one in (kept, gone)} == {SARA_L}


async def test_in_a_clients_channel_a_typed_fact_is_about_that_client(acting: Acting) -> None:
    stage = await acting(NOTED)

    assert "about Glintly Inc" in await typed(stage, SARA_L, f"remember {FACT}", GLINTLY)


async def test_in_a_clients_channel_nothing_is_kept_about_another_one(acting: Acting) -> None:
    stage = await acting(NOTED)

    said = await typed(stage, INES, "remember Brightkettle: ships from Rotterdam", GLINTLY)

    assert "Nothing was kept." in said
    assert "Brightkettle" not in said
    assert len(await notes(stage)) == 1


async def test_a_typed_brand_names_its_client_and_only_what_names_none_is_ones_own(
    acting: Acting,
) -> None:
    stage = await acting(NOTED)

    by_brand = await typed(stage, SARA_L, "remember Tessera: no coupons in May", dm(SARA_L))
    elsewhere = await typed(stage, INES, "remember Tessera: no coupons in May", GLINTLY)
    own = await typed(stage, SARA_L, "remember Note: answer me briefly", dm(SARA_L))

    assert "I'll remember about Brightkettle Group: “Tessera: no coupons in May”" in by_brand
    assert "Nothing was kept." in elsewhere
    assert "I'll remember for you" in own


@pytest.mark.parametrize("who", [YUKI, INES])
async def test_in_the_channel_of_a_client_that_one_may_not_see_nothing_becomes_a_preference(
    acting: Acting, who: str
) -> None:
    """Yuki is not assigned to it, and for Ines it is archived."""
    stage = await acting(NOTED)
    if who == INES:
        await stage.db.pool.execute(
            "update agency_clients set status = 'archived' where name = 'Glintly Inc'"
        )
    told = await typed(stage, who, "remember they ship from Rotterdam", GLINTLY)

    assert "not among your active clients" in told
    assert await stage.proposals() == []
    archived = "Glintly Inc is archived, so I show nothing of it"
    assert (archived in await typed(stage, who, "where", GLINTLY)) is (who == INES)


async def test_a_part_of_a_word_forgets_nothing(acting: Acting) -> None:
    stage = await acting(NOTED)
    for fact in ("Glintly Inc: the warehouse is in Rotterdam", "start my week on Sunday"):
        await typed(stage, SARA_L, f"remember {fact}", dm(SARA_L))

    for words in ("art", "rotter", "in Rot", "Glin: Rotterdam"):
        told = await typed(stage, SARA_L, f"forget {words}", dm(SARA_L))
        assert "Nothing like that" in told, (words, told)
    assert "Forgotten" in await typed(stage, SARA_L, "forget in ROTTERDAM", dm(SARA_L))


async def test_a_line_that_is_the_words_comes_before_one_that_holds_them(acting: Acting) -> None:
    stage = await acting(NOTED)
    for fact in ("short answers", "short answers on Fridays please"):
        await typed(stage, SARA_L, f"remember Glintly Inc: {fact}", dm(SARA_L))

    assert "Forgotten" in await typed(stage, SARA_L, "forget Short answers!", dm(SARA_L))
    assert "Forgotten" in await typed(stage, SARA_L, "forget on Fridays please", dm(SARA_L))


async def test_words_with_a_colon_in_them_forget_nothing_else(acting: Acting) -> None:
    stage = await acting(NOTED)
    await typed(stage, SARA_L, "remember Glintly Inc: the budget is 30 thousand", dm(SARA_L))

    said = await typed(stage, SARA_L, "forget the call at 9:30", dm(SARA_L))
    assert "Nothing like that" in said
    said = await typed(stage, SARA_L, "forget Brightkettle: 30 thousand", dm(SARA_L))
    assert "Nothing like that" in said
    assert len(await notes(stage)) == 2

    assert "Forgotten" in await typed(stage, SARA_L, "forget Glintly: 30 thousand", dm(SARA_L))


async def test_of_several_that_fit_a_person_picks_what_is_forgotten(acting: Acting) -> None:
    stage = await acting(NOTED)
    for fact in ("Glintly Inc: ships from Rotterdam", "ships from Rotterdam"):
        await typed(stage, SARA_L, f"remember {fact}", dm(SARA_L))
    before = len(await notes(stage))

    reply = await stage.bench.command(dm(SARA_L), SARA_L, "/claw", "forget ships from Rotterdam")

    assert "Which one should I forget? Nothing was changed yet." in whole_text(reply["response"])
    assert len(await notes(stage)) == before
    picks = [one for one in reply["response"]["blocks"] if one.get("accessory")]
    assert len(picks) == 2
    [glintly] = [one for one in picks if "Glintly Inc" in str(one)]
    shown = (await stage.bench.ephemerals(SARA_L))[-1]
    await stage.bench.interact(dm(SARA_L), shown["ts"], SARA_L, glintly["accessory"])

    async def one_is_gone() -> bool:
        return len(await notes(stage)) == before - 1

    await stage.bench.until(one_is_gone)
    assert (await prefers(stage, SARA_L))[1] == ["ships from Rotterdam"]


async def test_whose_default_a_client_is_stays_their_own(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        calls("remember", fact="Glintly Inc", preference="default_client"), "See the card."
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(MIGUEL, "take Glintly Inc for granted from now on")
        await stage.press(MIGUEL, await offer(stage, MIGUEL, root, "Keep"), "Keep")
        await stage.reply_with(MIGUEL, root, "I'll remember for you")

    assert (await MemoryReader(agency).client_record(client_id("Glintly Inc"))).events == ()


async def prefers(stage: Stage, who: str) -> tuple[str | None, list[str]]:
    """Somebody's default client, and what else they prefer."""
    row = await stage.db.pool.fetchrow(
        "select c.name, u.preferences from agencyclaw_user_preferences u"
        " join profiles p on p.id = u.profile_id"
        " left join agency_clients c on c.id = u.default_client_id where p.slack_user_id = $1",
        who,
    )
    return row["name"], [one["value"] for one in row["preferences"]]


async def test_undo_brings_back_the_preference_that_was_replaced(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("remember", fact="Answer in three lines", preference="answer_style"),
        "See the card.",
        calls("remember", fact="Answer with bullets", preference="answer_style"),
        "See the card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(SARA_L, "answer in three lines")
        await stage.press(SARA_L, await offer(stage, SARA_L, root, "Keep"), "Keep")
        await stage.reply_with(SARA_L, root, "I'll remember for you")
        root = await stage.say(SARA_L, "answer with bullets")
        await stage.press(SARA_L, await offer(stage, SARA_L, root, "Keep"), "Keep")
        await stage.reply_with(SARA_L, root, "I'll remember for you")
        assert (await prefers(stage, SARA_L))[1] == ["answer with bullets"]

        await stage.press(SARA_L, await offer(stage, SARA_L, root, "Undo"), "Undo")

        await stage.reply_with(SARA_L, root, "As before: how to answer: answer in three lines")
        assert (await prefers(stage, SARA_L))[1] == ["answer in three lines"]


async def test_a_default_client_that_was_forgotten_comes_back_whole(
    bench: Bench, agency: Database
) -> None:
    find = calls("search_tools", queries=["forget"])
    mind = ScriptedModel(find, calls("forget", fact="default client Glintly"), "See the card.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(SARA_L, "forget that Glintly is my default client")
        await stage.press(SARA_L, await offer(stage, SARA_L, root, "Forget"), "Forget")
        await stage.reply_with(SARA_L, root, "Forgotten for you")
        assert (await prefers(stage, SARA_L))[0] is None

        await stage.press(SARA_L, await offer(stage, SARA_L, root, "Undo"), "Undo")

        await stage.reply_with(SARA_L, root, "Undone.")
        assert (await prefers(stage, SARA_L))[0] == "Glintly Inc"


async def test_a_viewer_keeps_nothing(acting: Acting) -> None:
    stage = await acting(NOTED)

    said = await typed(stage, PAUL, f"remember Glintly Inc: {FACT}", dm(PAUL))

    assert "Nothing was changed." in said
    assert len(await notes(stage)) == 1


async def test_the_home_tab_shows_what_is_remembered_and_forgets_it(acting: Acting) -> None:
    stage = await acting(NOTED)
    await stage.bench.open_home(MIGUEL)
    view = await home_with(stage, MIGUEL, "Prefers concise task titles")

    assert "Sara Lindqvist, 20" in str(view)
    assert "Maybe interested in Walmart" not in str(view)

    [forget] = [
        {**block["accessory"], "block_id": block["block_id"]}
        for block in view["blocks"]
        if block.get("accessory", {}).get("action_id") == "claw_forget"
    ]
    await stage.bench.interact_in_view(MIGUEL, view["id"], forget)

    async def gone() -> bool:
        return await notes(stage) == []

    await stage.bench.until(gone)


async def test_a_viewer_who_presses_forget_is_told_why_not(acting: Acting) -> None:
    stage = await acting(NOTED)
    await stage.db.pool.execute(
        "update profiles set role = 'viewer' where slack_user_id = $1", MIGUEL
    )
    await stage.bench.open_home(MIGUEL)
    view = await home_with(stage, MIGUEL, "Prefers concise task titles")
    [forget] = [
        {**block["accessory"], "block_id": block["block_id"]}
        for block in view["blocks"]
        if block.get("accessory", {}).get("action_id") == "claw_forget"
    ]

    await stage.bench.interact_in_view(MIGUEL, view["id"], forget)

    async def told() -> bool:
        return any("Nothing was changed." in str(one) for one in await stage.bench.views(MIGUEL))

    await stage.bench.until(told)
    assert len(await notes(stage)) == 1


async def test_a_note_is_forgotten_with_a_yes_and_can_be_taken_back(acting: Acting) -> None:
    say = "forget that Glintly likes short titles"
    stage = await acting(
        turn(
            say,
            call("search_tools", queries=["forget"]),
            call("forget", fact="concise titles", client="Glintly Inc"),
            text("See the card."),
        )
    )
    await stage.db.pool.execute(
        "update client_memory_notes set confidence = 0.75 where confidence > 0.7"
    )
    [kept] = await notes(stage)
    root = await stage.say(SARA_L, say)
    card = await offer(stage, SARA_L, root, "Forget")
    assert "Forget about Glintly Inc: “Prefers concise task titles”" in whole_text(card)

    await stage.press(SARA_L, card, "Forget")
    await stage.reply_with(SARA_L, root, "Forgotten about Glintly Inc")
    await stage.settled()
    assert await notes(stage) == []

    await stage.press(SARA_L, await offer(stage, SARA_L, root, "Undo"), "Undo")
    await stage.reply_with(SARA_L, root, "Undone.")
    assert await notes(stage) == [kept]
