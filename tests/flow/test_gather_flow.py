"""What a run starts from: what is on record, what the person prefers, what could not be read."""

from __future__ import annotations

from acting import BRIGHT, SARA_L, ScriptedModel, calls, minded

from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

NOTE = "Invoices go to Rotterdam"


async def remember(db: Database, client: str, note: str) -> None:
    await db.pool.execute(
        "insert into client_memory_notes (client_id, author_profile_id, note, confidence)"
        " values ($1, $2, $3, 0.9)",
        client_id(client),
        person_id("Sara Lindqvist"),
        note,
    )


async def test_a_channels_client_is_known_before_the_model_is_asked(
    bench: Bench, agency: Database
) -> None:
    await remember(agency, "Brightkettle Group", NOTE)
    await remember(agency, "Pawtrail", "Never ships on Mondays")
    mind = ScriptedModel("Sara Lindqvist is the lead.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(BRIGHT, SARA_L, "<@U01CLAW> who leads this?")
        await stage.reply_in(BRIGHT, root)

    told = mind.heard(0)
    assert "On record about Brightkettle Group" in told
    assert NOTE in told
    assert "Sara Lindqvist" in told
    assert "Never ships on Mondays" not in told


async def test_a_record_that_cannot_be_read_is_said_and_the_answer_goes_on(
    bench: Bench, agency: Database
) -> None:
    await agency.pool.execute("alter table client_memory_notes rename to elsewhere")
    mind = ScriptedModel("I can still help.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(BRIGHT, SARA_L, "<@U01CLAW> who leads this?")
        said = await stage.reply_in(BRIGHT, root)

    assert "I can still help." in said["text"]
    assert "Some of it could not be read just now." in mind.heard(0)
    assert "Who is assigned:" in mind.heard(0)


async def test_a_durable_default_applies_where_nothing_was_named(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("get_client_context", client=""), "That is Glintly.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(SARA_L, "what is going on?")
        await stage.reply(SARA_L, root)

    assert (
        "Where they name no client, Glintly Inc is meant: it is their default client."
        in mind.heard(0)
    )
    assert '"client":"Glintly Inc"' in mind.heard(1)
    assert "Prefers concise task titles" in mind.heard(1)
