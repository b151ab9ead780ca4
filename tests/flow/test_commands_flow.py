"""What people type after /claw: told privately, refused kindly, linked by an admin's own word."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import (
    CLAW,
    INES,
    LEO,
    MIGUEL,
    NOOR,
    PAUL,
    RANDOM,
    SARA_L,
    TASK,
    TOMAS,
    YUKI,
    Acting,
    ScriptedModel,
    calls,
    count,
    creating,
    minded,
    offer,
    states,
    text,
    turn,
)
from stage import Stage, dm, whole_text
from test_policy_flow import decide

from agencyclaw.domain.people import Tier
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Database
from agencyclaw.tools import TOOLS
from workbench.fixture import Bench

GLINTLY = "C01GLINTLY"
HELLO = turn("hello there", text("Hello!"))


def prepared_by(tier: Tier) -> list[str]:
    """Return what a person of a tier may have prepared, as it is told to them, each once."""
    rules = [spec.rule for spec in TOOLS.values() if spec.rule.changes]
    titles = (one.title.removeprefix("Preparing ") for one in rules if one.tier <= tier)
    return list(dict.fromkeys(titles))


async def typed(stage: Stage, who: str, words: str, channel: str = RANDOM) -> str:
    """Type a command; returns what the person is told."""
    reply = await stage.bench.command(channel, who, "/claw", words)
    return whole_text(reply["response"])


async def binding(stage: Stage, channel: str = RANDOM) -> dict[str, Any] | None:
    row = await stage.db.pool.fetchrow(
        "select scope, client_id, created_by from surface_bindings where channel_id = $1", channel
    )
    return dict(row) if row else None


async def test_help_lists_every_command_and_an_unknown_one_gets_it_too(acting: Acting) -> None:
    stage = await acting(HELLO)

    helped = await typed(stage, NOOR, "help")
    for name in ("help", "where", "ask", "link", "unlink"):
        assert f"/claw {name}" in helped
    unknown = await typed(stage, MIGUEL, "sudo make me a sandwich")
    assert "I don't know that command" in unknown
    assert "/claw where" in unknown
    assert "I look things up" in await typed(stage, MIGUEL, "")


async def test_where_says_what_a_channel_belongs_to_and_what_one_may_do(acting: Acting) -> None:
    stage = await acting(HELLO)

    bound = await typed(stage, SARA_L, "where", GLINTLY)
    assert "This channel belongs to Glintly Inc, as Ines Varga said on" in bound
    assert (
        "Sara Lindqvist, a member of the team. I show you Glintly Inc here, and no other" in bound
    )
    assert "Ask me anything: I look up what you may see here." in bound
    assert "I can prepare, for your yes: " in bound
    assert f": {', '.join(prepared_by(Tier.MEMBER))}." in bound
    unbound = await typed(stage, SARA_L, "where", RANDOM)
    assert "Nobody has said what this channel belongs to" in unbound
    refused = [line.partition(". ")[0].split(", ") for line in unbound.split("Not for: ")[1:]]
    assert any("a task" in whats for whats in refused)
    assert all(len(whats) == len(set(whats)) for whats in refused)
    assert "An admin can say whose this channel is" in unbound
    viewer = await typed(stage, PAUL, "where", dm(PAUL))
    assert "belongs to the people in it" in viewer
    assert "a task" in viewer.partition("Not for: ")[2]
    assert "An admin can change your role from viewer to member" in viewer
    foreign = await typed(stage, YUKI, "where", GLINTLY)
    assert "You are not assigned to Glintly Inc, so I show you nothing of it" in foreign
    assert await count(stage, "agent_runs") == 0


async def test_an_admin_links_a_channel_and_it_holds_at_once(
    bench: Bench, agency: Database
) -> None:
    a_listing = calls("list_tasks", client="Pawtrail", brand="Pawtrail Pro")
    mind = ScriptedModel(a_listing, "I could not find it.", a_listing, "I could not find it.")

    async with minded(bench, agency, mind) as stage:
        told = await typed(stage, TOMAS, "link glintly inc")
        assert "this channel now belongs to Glintly Inc" in told
        asked = await bench.post_message(RANDOM, TOMAS, f"<@{CLAW}> what is due for Pawtrail?")
        await stage.reply_in(RANDOM, asked)
        await stage.settled()

        assert await binding(stage) == {
            "scope": "client_scoped",
            "client_id": client_id("Glintly Inc"),
            "created_by": person_id("Tomas Reed"),
        }
        [event] = await stage.events("surface_linked")
        assert event["actor_profile_id"] == person_id("Tomas Reed")
        channel = event["payload"]["before"]["channel"]
        assert event["payload"] == {
            "before": {"channel": channel, "owner": None},
            "after": {
                "channel": channel,
                "owner": {
                    "client": {"id": str(client_id("Glintly Inc")), "name": "Glintly Inc"},
                    "brand": None,
                },
            },
        }
    assert "create_task" in mind.offered[0]
    assert "This channel belongs to Glintly Inc, and I found no client called" in mind.heard(1)


async def test_linking_again_elsewhere_and_taking_it_back_are_all_recorded(
    acting: Acting,
) -> None:
    stage = await acting(HELLO)

    await typed(stage, TOMAS, "link Glintly Inc")
    again = await typed(stage, TOMAS, "link Glintly Inc")
    moved = await typed(stage, INES, "link internal")
    back = await typed(stage, TOMAS, "unlink")
    nothing = await typed(stage, TOMAS, "unlink")

    assert "belongs to Glintly Inc already. Nothing was changed" in again
    assert "belongs to the agency itself. Before, it belonged to Glintly Inc" in moved
    assert "no longer belongs to the agency itself" in back
    assert "belongs to nobody, so nothing was changed" in nothing
    assert await binding(stage) is None
    assert len(await stage.events("surface_linked")) == 2
    assert len(await stage.events("surface_unlinked")) == 1
    kept = await stage.db.pool.fetch(
        "select event_source, status from slack_event_receipts where event_type = 'command'"
        # That something was typed is noted of every one, since its answer stands in the channel.
        " and event_key not like '%:typed'"
    )
    assert [tuple(row) for row in kept] == [("commands", "done")] * 3


@pytest.mark.parametrize("is_paused", [True, False])
async def test_what_stops_a_card_stops_the_command_that_links_a_channel(
    acting: Acting, is_paused: bool
) -> None:
    stage = await acting(HELLO)
    await typed(stage, TOMAS, "link Glintly Inc")
    before = await binding(stage)
    if is_paused:
        await typed(stage, INES, "pause")
    else:
        off = "update skill_catalog set enabled = false where tool_name = 'link_channel'"
        await stage.db.pool.execute(off)
    why = "Ines Varga paused me" if is_paused else "An admin has switched"

    for words in ("link internal", "unlink"):
        told = await typed(stage, TOMAS, words)
        assert why in told
        assert "Nothing was changed" in told
    assert await binding(stage) == before
    refused = await stage.events("command_refused")
    reason = "paused" if is_paused else "skill_disabled"
    assert [event["reason"] for event in refused] == [reason] * 2


async def test_a_name_that_is_anothers_brand_too_settles_nothing(acting: Acting) -> None:
    stage = await acting(HELLO)

    linking = await typed(stage, TOMAS, "link Glintly")
    assert "“Glintly” could be any of these: Glintly Inc, Casa Mundo." in linking
    keeping = await typed(stage, INES, "remember Glintly: ships from Rotterdam", dm(INES))
    assert "Which client do you mean: Glintly Inc, Casa Mundo?" in keeping
    assert "can't tell which client" in await typed(stage, TOMAS, "consent press Glintly")
    # In the client's own channel, and for who is assigned to one of them, nothing is in doubt.
    own = await typed(stage, INES, "remember Glintly: ships from Rotterdam", GLINTLY)
    assert "I'll remember about Glintly Inc" in own
    assert await binding(stage) is None
    assert await count(stage, "consent_rules") == 0


async def test_only_an_admin_links_and_only_what_is_meant(acting: Acting) -> None:
    stage = await acting(HELLO)

    for who, why in ((MIGUEL, "needs an admin"), (PAUL, "read access")):
        assert why in await typed(stage, who, "link Glintly Inc")
        assert why in await typed(stage, who, "unlink", GLINTLY)
    assert "Do you mean Brightkettle Group?" in await typed(stage, TOMAS, "link Brightkettle")
    assert "couldn't find an active client called “ro”" in await typed(stage, TOMAS, "link ro")
    assert "couldn't find an active client called “Zephyr”" in await typed(
        stage, TOMAS, "link Zephyr"
    )
    assert "couldn't find an active client called “Oldfern”" in await typed(
        stage, TOMAS, "link Oldfern"
    )
    assert "Which client?" in await typed(stage, TOMAS, "link")
    assert "only a channel can be linked" in await typed(stage, TOMAS, "link Glintly", dm(TOMAS))

    assert await binding(stage) is None
    assert (await binding(stage, GLINTLY) or {})["client_id"] == client_id("Glintly Inc")
    assert [event["reason"] for event in await stage.events("command_refused")] == [
        "admin_skill_denied",
        "admin_skill_denied",
        "viewer_mutation_denied",
        "viewer_mutation_denied",
    ]


async def test_strangers_are_told_who_can_help_and_nothing_else(acting: Acting) -> None:
    stage = await acting(HELLO)

    for words in ("where", "ask what is due?", "link Glintly Inc"):
        assert "ask an admin to link your Slack account" in await typed(stage, NOOR, words)
        assert "marked as inactive" in await typed(stage, LEO, words)
    await stage.settled()

    assert await count(stage, "agent_runs") == 0
    assert await count(stage, "slack_event_receipts") == 0
    reasons = [event["reason"] for event in await stage.events("guard_reply")]
    assert reasons == ["unlinked_actor", "inactive_actor"] * 3


async def test_a_question_is_answered_in_the_direct_messages_as_any_other(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("list_tasks", client="Glintly Inc"), "Four are due.")

    async with minded(bench, agency, mind) as stage:
        told = await typed(stage, SARA_L, "ask what is due this week?", GLINTLY)
        assert "I'll answer you in our direct messages" in told

        async def root() -> str | None:
            said = await bench.messages(dm(SARA_L))
            return next((m["ts"] for m in said if "what is due this week?" in m["text"]), None)

        thread = await bench.until(root)
        await stage.reply_with(SARA_L, thread, "Four are due.")
        await stage.settled()
        assert [m for m in await bench.messages(GLINTLY) if m["user"] == CLAW] == []
    assert "asked in the channel of Glintly Inc" in mind.heard(0)
    assert "create_task" in mind.offered[0]


async def test_a_yes_asked_elsewhere_releases_nothing(acting: Acting) -> None:
    """A command is typed in another place than the card's."""
    stage = await acting(
        creating(), turn(["yes", "go ahead"], text("I am not sure what you mean."))
    )
    card_root = await stage.say(SARA_L, "make the task")
    await offer(stage, SARA_L, card_root)

    await typed(stage, SARA_L, "ask yes", GLINTLY)
    await typed(stage, SARA_L, "ask go ahead", dm(SARA_L))

    await stage.settled()
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0


async def test_what_was_asked_by_a_command_was_typed_and_its_card_takes_a_word(
    acting: Acting,
) -> None:
    stage = await acting(creating("make the task\n\n(asked in the channel of Glintly Inc)"))

    await typed(stage, SARA_L, "ask make the task", GLINTLY)

    async def root() -> str | None:
        said = await stage.bench.messages(dm(SARA_L))
        return next((one["ts"] for one in said if "make the task" in one["text"]), None)

    thread = await stage.bench.until(root)
    await offer(stage, SARA_L, thread)
    await stage.settled()
    await stage.say(SARA_L, "yes", thread=thread)
    await stage.created(TASK)


async def test_of_links_at_the_same_moment_the_audit_has_each_one_that_was_replaced(
    acting: Acting,
) -> None:
    stage = await acting(HELLO)
    owners = ("Glintly Inc", "internal", "Brightkettle Group", "Casa Mundo")

    await asyncio.gather(*(typed(stage, INES, f"link {owner}") for owner in owners))

    now = await binding(stage)
    linked = [event["payload"] for event in await stage.events("surface_linked")]
    sides = [(one["before"]["owner"], one["after"]["owner"]) for one in linked]
    left = now["client_id"] and str(now["client_id"])
    replaced = [after for _, after in sides if (after["client"] or {"id": None})["id"] != left]
    assert len(replaced) == len(owners) - 1
    assert sorted(str(before) for before, _ in sides) == sorted(map(str, [None, *replaced]))


async def test_a_command_that_finds_no_records_says_so_kindly(acting: Acting) -> None:
    stage = await acting(HELLO)
    await stage.db.pool.execute("alter table surface_bindings rename to out_of_reach")

    said = await typed(stage, INES, "where")

    assert "couldn't do that just now" in said


@pytest.mark.parametrize("words", ["link Glintly Inc", "unlink"])
@pytest.mark.parametrize("how", ["paused", "switched off"])
async def test_a_typed_link_is_judged_as_one_from_the_chat_is(
    acting: Acting, how: str, words: str
) -> None:
    stage = await acting(HELLO)
    if words == "unlink":
        await typed(stage, TOMAS, "link Glintly Inc")
    before = await binding(stage)
    if how == "paused":
        await typed(stage, INES, "pause")
    else:
        await decide(stage.db, "link_channel", "team", "T0LANTERN", enabled=False)

    told = await typed(stage, TOMAS, words)

    assert "Nothing was changed" in told
    assert await binding(stage) == before
    [refused] = await stage.events("command_refused")
    assert refused["reason"] == ("paused" if how == "paused" else "skill_disabled")
