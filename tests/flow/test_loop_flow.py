"""The model's loop: small talk, promises, outages, journals, and one change at a time."""

from __future__ import annotations

from acting import (
    INES,
    MIGUEL,
    SARA_L,
    Acting,
    ScriptedModel,
    call,
    calls,
    count,
    create,
    minded,
    offer,
    receipts_done,
    states,
    text,
    turn,
)
from stage import Stage, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

BROKEN = """
create or replace function broken() returns trigger language plpgsql as
$$ begin raise exception 'the disk is full'; end $$;
"""


async def statuses(stage: Stage) -> list[str]:
    rows = await stage.db.pool.fetch("select status from agent_runs order by started_at")
    return [row["status"] for row in rows]


async def test_small_talk_calls_nothing(acting: Acting) -> None:
    stage = await acting(turn("thanks a lot", text("You're welcome.")))

    root = await stage.say(INES, "thanks a lot")

    await stage.reply_with(INES, root, "welcome")
    await stage.settled()
    assert await count(stage, "agent_skill_events") == 0
    assert await statuses(stage) == ["completed"]


async def test_an_outage_is_an_apology_with_a_reference_and_the_next_one_works(
    acting: Acting,
) -> None:
    stage = await acting(turn("hello", {"fail": 401}), turn("hello again", text("Hello!")))
    root = await stage.say(INES, "hello")

    answer = await stage.reply_with(INES, root, "refuses me")

    run = await stage.db.pool.fetchrow("select id, status from agent_runs")
    assert run["status"] == "failed"
    assert str(run["id"])[:8] in whole_text(answer)
    await stage.say(INES, "hello again", thread=root)
    await stage.reply_with(INES, root, "Hello!")
    assert await receipts_done(stage)


async def test_a_journal_that_cannot_be_written_stops_no_answer(acting: Acting) -> None:
    stage = await acting(
        turn("which clients", call("lookup_client"), text("You have ${lookup_client.total}."))
    )
    for table in ("agent_messages", "agent_skill_events", "ai_token_usage"):
        await stage.db.pool.execute(
            f"{BROKEN} create trigger broken before insert on {table} execute function broken()"
        )

    root = await stage.say(SARA_L, "which clients")

    await stage.reply_with(SARA_L, root, "You have 5.")
    await stage.settled()
    assert await count(stage, "agent_messages") == 0
    assert await statuses(stage) == ["completed"]


async def test_a_tool_that_breaks_is_told_and_others_go_on(acting: Acting) -> None:
    looking = turn("look", call("search_kb", query="coupon"), text("${search_kb.message}"))
    stage = await acting(looking, turn("hello", text("Hello!")))
    await stage.db.pool.execute("alter table playbook_sops rename to lost")

    broken = await stage.say(INES, "look")
    other = await stage.say(MIGUEL, "hello")

    answer = await stage.reply_with(INES, broken, "failed on our side")
    assert "playbook_sops" not in whole_text(answer)
    await stage.reply_with(MIGUEL, other, "Hello!")


async def test_an_answer_with_a_fault_is_sent_back_and_forgotten(
    bench: Bench, agency: Database
) -> None:
    faulty = "I asked lookup_client for you."
    mind = ScriptedModel(faulty, calls("lookup_client"), "There are seven.", "Hello!")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how many clients")
        await stage.reply_with(INES, root, "There are seven.")
        assert len(await stage.replies(INES, root)) == 1

        await stage.say(INES, "hello", thread=root)
        await stage.reply_with(INES, root, "Hello!")

    assert "Do not write lookup_client" in mind.heard(1)
    assert "There are seven." in mind.heard()
    assert faulty not in mind.heard()
    assert "Do not write" not in mind.heard()


async def test_a_script_goes_on_after_a_rejected_answer(acting: Acting) -> None:
    stage = await acting(
        turn(
            "how many clients",
            text("I asked lookup_client for you."),
            call("lookup_client"),
            text("There are ${lookup_client.total}."),
        )
    )

    await stage.reply_with(INES, await stage.say(INES, "how many clients"), "There are 7.")


async def test_every_request_to_the_model_is_on_the_bill(acting: Acting) -> None:
    stage = await acting(
        turn("which clients", call("lookup_client"), text("${lookup_client.total} clients"))
    )

    await stage.reply(INES, await stage.say(INES, "which clients"))

    rows = await stage.db.pool.fetch("select * from ai_token_usage order by id")
    assert [(row["tool"], row["stage"]) for row in rows] == [("agencyclaw", "main")] * 2
    for row in rows:
        assert row["model"]
        assert row["total_tokens"] == row["prompt_tokens"] + row["completion_tokens"] > 0
        assert row["user_id"]
        assert row["run_id"]
        assert row["meta"]["messages"] >= 1


async def test_a_wrong_key_and_a_strange_key_have_sentences_of_their_own(
    acting: Acting,
) -> None:
    nowhere = "ev:00000000-0000-0000-0000-000000000000"
    said = text("${load_prior_skill_result.message}")
    stage = await acting(
        turn("malformed", call("load_prior_skill_result", key="the last one"), said),
        turn("nowhere", call("load_prior_skill_result", key=nowhere), said),
    )

    malformed = await stage.say(INES, "malformed")
    strange = await stage.say(INES, "nowhere")

    await stage.reply_with(INES, malformed, "not a key of an earlier result")
    await stage.reply_with(INES, strange, "no earlier result with that key")


async def test_what_others_looked_up_elsewhere_stays_there(bench: Bench, agency: Database) -> None:
    async def spy(_messages: object, _info: object) -> object:
        run = await agency.pool.fetchval("select id from agent_runs order by started_at")
        return calls("load_prior_skill_result", key=f"ev:{run}")

    mind = ScriptedModel(calls("lookup_client"), "Seven clients.", spy, "I found nothing.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "which clients"))

        await stage.reply(MIGUEL, await stage.say(MIGUEL, "what did Ines look up?"))

    assert "There is no earlier result with that key" in mind.heard()
    assert "Casa Mundo" not in mind.heard()


async def test_what_is_missing_is_on_the_card_and_known_to_the_next_turn(
    bench: Bench, agency: Database
) -> None:
    coupon = {
        "client": "Brightkettle Group",
        "brand": "Copperleaf",
        "title": "Set up a coupon for the garlic press",
        "objective": "coupon for the garlic press",
        "identifiers_pending": True,
    }
    mind = ScriptedModel(
        calls("create_task", **coupon), "It is on the card.", "The discount, for example."
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "coupon for Copperleaf")
        card = whole_text(await offer(stage, INES, root)).lower()

        await stage.say(INES, "what is still missing?", thread=root)
        await stage.reply_with(INES, root, "The discount")

    for point in ("discount terms", "owner", "start date", "product"):
        assert point in card, point
    assert "message stands below it now" in mind.heard()
    assert "Discount terms" in mind.heard()


async def test_whoever_knows_only_the_brand_is_asked_only_for_what_is_unknown(
    acting: Acting,
) -> None:
    stage = await acting(
        turn(
            "I only know it is for Copperleaf",
            call("lookup_brand", brand="Copperleaf"),
            create(
                client="${lookup_brand.brands.0.client}",
                brand="Copperleaf",
                title="Set up the coupon",
                objective="a coupon",
            ),
            text("${create_task.question}"),
        )
    )

    root = await stage.say(INES, "I only know it is for Copperleaf")

    answer = whole_text(await stage.reply_with(INES, root, "Which products is it about?"))
    assert "which brand" not in answer.lower()
    assert "which client" not in answer.lower()


async def test_changes_of_one_lane_come_one_after_the_other(acting: Acting) -> None:
    ask = "make three: refresh banners number 0, 1 and 2"
    several = [create(title=f"Refresh banner number {at}")["calls"][0] for at in range(3)]
    stage = await acting(turn(ask, {"calls": several}, text("Three are on the card.")))

    root = await stage.say(INES, ask)

    await offer(stage, INES, root, "Create selected")
    rows = await stage.proposals()
    assert sorted(row["ordinal"] for row in rows) == [1, 2, 3]
    titles = [row["arguments"]["title"] for row in sorted(rows, key=lambda row: row["ordinal"])]
    assert titles == [f"Refresh banner number {at}" for at in range(3)]
    assert await states(stage) == ["open"] * 3
