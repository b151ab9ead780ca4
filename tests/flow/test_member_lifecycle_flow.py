"""Slack's own life: people leave, channels are shared, everything is paused; seen at once."""

from __future__ import annotations

import pytest
from acting import (
    INES,
    OPS,
    SARA_L,
    Acting,
    ScriptedModel,
    call,
    creating,
    minded,
    offer,
    offer_in,
    text,
    turn,
)
from logfire.testing import CaptureLogfire
from pydantic_ai.messages import ModelResponse, TextPart
from stage import Stage, dm, whole_text

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post
from workbench.fixture import Bench
from workbench.slack.events import event_callback
from workbench.slack.records import TEAM
from workbench.slack.workspace import WORKSPACE

CLOSED = "I can't write in the channel where this belongs"
DUE = "what is due for Brightkettle?"
LISTED = turn(DUE, call("list_tasks", client="Brightkettle"), text("${list_tasks.total} are due."))


async def said(stage: Stage, channel: str, user: str, words: str) -> str:
    root = await stage.bench.post_message(channel, user, f"<@U01CLAW> {words}")
    await stage.reply_in(channel, root)
    await stage.settled()
    [answer] = await stage.replies_in(channel, root)
    return whole_text(answer)


async def test_a_channel_that_turns_shared_shows_nothing_more_at_once(acting: Acting) -> None:
    stage = await acting(LISTED)
    assert "are due" in await said(stage, OPS, SARA_L, DUE)

    await stage.bench.change_channel(OPS, "share")
    await stage.bench.until(lambda: no_belief(stage, "slack_channels"))

    assert "People of another company read along" in await said(stage, OPS, SARA_L, DUE)


async def test_a_channel_that_is_renamed_is_asked_about_anew_and_shows_what_it_did(
    acting: Acting,
) -> None:
    stage = await acting(LISTED)
    await said(stage, OPS, SARA_L, DUE)

    await stage.bench.change_channel(OPS, name="operations")
    await stage.bench.until(lambda: no_belief(stage, "slack_channels"))

    assert "are due" in await said(stage, OPS, SARA_L, DUE)


@pytest.mark.parametrize(
    ("standing", "words"), [("deactivated", "no longer active"), ("guest", "you are a guest")]
)
async def test_who_leaves_or_becomes_a_guest_is_answered_no_more_at_once(
    acting: Acting, standing: str, words: str
) -> None:
    stage = await acting(LISTED)
    await said(stage, OPS, SARA_L, DUE)

    await stage.bench.change_membership(SARA_L, standing, tells=True)
    await stage.bench.until(lambda: no_belief(stage, "slack_members"))

    assert words in await said(stage, OPS, SARA_L, DUE)


async def no_belief(stage: Stage, table: str) -> bool:
    column = "membership" if table == "slack_members" else "asked_at"
    return await stage.db.pool.fetchval(f"select bool_or({column} is null) from {table}")


async def test_home_says_that_everything_is_paused(acting: Acting) -> None:
    stage = await acting(LISTED)
    await stage.bench.command(OPS, INES, "/claw", "pause")
    await stage.bench.open_home(SARA_L)

    async def banner() -> str:
        home = await stage.bench.home(SARA_L)
        shown = whole_text(home) if home else ""
        return shown if "paused me" in shown else ""

    assert "Ines Varga paused me" in await stage.bench.until(banner)


async def test_home_is_drawn_again_when_a_pause_begins_and_when_it_ends(acting: Acting) -> None:
    stage = await acting(LISTED)
    await stage.bench.open_home(SARA_L)
    await stage.bench.until(lambda: stage.bench.home(SARA_L))

    async def is_paused() -> bool:
        return "paused me" in whole_text(await stage.bench.home(SARA_L) or {})

    async def goes_on() -> bool:
        return not await is_paused()

    await stage.bench.command(OPS, INES, "/claw", "pause")
    await stage.bench.until(is_paused)
    await stage.bench.command(OPS, INES, "/claw", "resume")
    await stage.bench.until(goes_on)


async def undelivered(stage: Stage) -> list[str]:
    dead = "select kind::text || ': ' || error from outbox where state = 'dead'"
    return [row[0] for row in await stage.db.pool.fetch(dead)]


async def told_directly(stage: Stage, user: str, words: str) -> bool:
    said = [whole_text(one) for one in await stage.bench.messages(dm(user))]
    return any(words in one for one in said)


async def test_what_waits_in_a_channel_ends_when_it_is_archived_and_its_person_is_told(
    acting: Acting,
) -> None:
    stage = await acting(creating("make the task"))
    root = await stage.bench.post_message(OPS, SARA_L, "<@U01CLAW> make the task")
    await offer_in(stage, OPS, root)
    elsewhere = await stage.say(SARA_L, "make the task")
    await offer(stage, SARA_L, elsewhere)
    await stage.settled()

    await stage.bench.change_channel(OPS, "archive")

    await stage.bench.until(lambda: told_directly(stage, SARA_L, "was archived, so nobody can"))
    await stage.settled()
    assert sorted((one["state"], one["reason"]) for one in await stage.proposals()) == [
        ("cancelled", "channel_archived"),
        ("open", None),
    ]
    assert [one["reason"] for one in await stage.events("proposal_ended")] == ["channel_archived"]
    assert await undelivered(stage) == []


async def test_what_was_carried_out_is_told_directly_where_its_channel_was_archived_meanwhile(
    acting: Acting,
) -> None:
    stage = await acting(creating("make the task"))
    root = await stage.bench.post_message(OPS, SARA_L, "<@U01CLAW> make the task")
    card = await offer_in(stage, OPS, root)
    await stage.bench.change_channel(OPS, "archive", tells=False)

    await stage.bench.interact(OPS, card["ts"], SARA_L, "Create task")

    await stage.bench.until(lambda: told_directly(stage, SARA_L, CLOSED))
    await stage.bench.until(lambda: told_directly(stage, SARA_L, "Created"))


@pytest.mark.parametrize("change", ["archive", "leave"])
async def test_an_answer_for_a_channel_that_closed_meanwhile_goes_to_its_asker(
    bench: Bench, agency: Database, change: str
) -> None:
    async def closes(messages: object, info: object) -> ModelResponse:
        del messages, info
        await bench.change_channel(OPS, change, tells=False)
        return ModelResponse(parts=[TextPart("Seven tasks are due.")])

    async with minded(bench, agency, ScriptedModel(closes)) as stage:
        await bench.post_message(OPS, SARA_L, "<@U01CLAW> how many tasks are due?")

        await bench.until(lambda: told_directly(stage, SARA_L, "Seven tasks are due."))
        assert await told_directly(stage, SARA_L, CLOSED)
        assert not await told_directly(stage, INES, "Seven tasks are due.")


@pytest.mark.parametrize("change", ["archive", "leave"])
async def test_an_answer_that_a_closed_channel_does_not_change_any_more_stays_as_it_is(
    acting: Acting, change: str
) -> None:
    stage = await acting(LISTED)
    root = await stage.bench.post_message(OPS, SARA_L, f"<@U01CLAW> {DUE}")
    answer = await stage.reply_in(OPS, root)
    await stage.bench.change_channel(OPS, change, tells=False)
    place = Place(team_id=TEAM, channel_id=OPS, thread_ts=root, is_direct=False)

    async with stage.db.transaction() as conn:
        await post(
            conn,
            key="answered",
            kind=OutboxKind.ANSWER_UPDATE,
            place=place,
            note=Note(text="Seven were due."),
            changes_ts=answer["ts"],
        )

    await stage.settled()
    kept = [one for one in await stage.bench.messages(OPS) if one["ts"] == answer["ts"]]
    assert whole_text(kept[0]) == whole_text(answer)
    assert await undelivered(stage) == []


@pytest.mark.parametrize(("standing", "is_told"), [("deactivated", False), ("guest", True)])
async def test_what_waits_for_somebody_ends_when_they_leave(
    acting: Acting, standing: str, is_told: bool
) -> None:
    stage = await acting(creating("make the task"))
    root = await stage.say(SARA_L, "make the task")
    await offer(stage, SARA_L, root)
    of_ines = await stage.say(INES, "make the task")
    await offer(stage, INES, of_ines)

    await stage.bench.change_membership(SARA_L, standing, tells=True)

    async def ended() -> bool:
        return bool(await stage.events("proposal_ended"))

    await stage.bench.until(ended)
    await stage.reply_with(SARA_L, root, "is no full member of this Slack any more")
    await stage.settled()
    assert sorted((one["state"], one["reason"]) for one in await stage.proposals()) == [
        ("cancelled", "person_left"),
        ("open", None),
    ]
    assert await told_directly(stage, SARA_L, "does not wait for you any longer") is is_told
    assert await stage.events("consent_confirm") == []


async def test_a_profile_that_changed_but_stays_a_member_loses_nothing(acting: Acting) -> None:
    stage = await acting(creating("make the task"))
    root = await stage.say(SARA_L, "make the task")
    await offer(stage, SARA_L, root)

    await stage.bench.change_membership(SARA_L, "member", tells=True)
    await stage.bench.until(lambda: no_belief(stage, "slack_members"))

    await stage.settled()
    assert [one["state"] for one in await stage.proposals()] == ["open"]


@pytest.mark.parametrize("kind", ["tokens_revoked", "app_uninstalled"])
async def test_that_the_app_was_taken_out_is_said_with_its_remedy(
    acting: Acting, capfire: CaptureLogfire, kind: str
) -> None:
    stage = await acting(LISTED)
    tokens = {"tokens": {"bot": ["U01CLAW"]}} if kind == "tokens_revoked" else {}
    workspace = stage.bench.app[WORKSPACE]
    told = {"type": kind, "event_ts": workspace.records.new_ts(), **tokens}
    workspace.hub.send_event(kind, event_callback(told, TEAM))

    def noted() -> list[str]:
        spans = capfire.exporter.exported_spans_as_dict()
        found = [one for one in spans if one["name"] == "slack.taken_out"]
        return [one["attributes"]["remedy"] for one in found]

    [remedy] = await stage.bench.until(noted)
    assert "SLACK_BOT_TOKEN" in remedy
    # The rest goes on: whatever Slack still takes is answered.
    assert "are due" in await said(stage, OPS, SARA_L, DUE)
