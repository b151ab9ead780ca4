"""What the harness found when it first played, as tests of their own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agencyclaw.store.demo_agency import client_id
from agencyclaw.store.engine import Database
from tests.adversary.attacks_access import parrot
from tests.adversary.ledgers import OWNED_BY
from tests.adversary.owned import SEARCH, Bid
from tests.adversary.truth import DM, GLINTLY, INES, MIGUEL, OPS, PAUL, RANDOM, TOMAS, YUKI
from tests.adversary.world import World, create, open_world, strings_of


def told(world: World) -> str:
    """Everything that was said, whole."""
    return "\n".join(strings_of([call.arguments for call in world.slack.posts()]))


async def test_a_yes_from_before_the_card_releases_nothing(agency: Database) -> None:
    async with open_world(agency) as world:
        channel = world.room(DM)
        world.owned.will(create(world.title()), "It is on the card.")
        root = await world.say(INES, "prepare it", channel, settle=False)
        await world.say(INES, "yes, create it", channel, thread=root, settle=False)
        await world.settle()

        assert world.clickup.writes == []
        # It was conversation; the card was posted again, and this is a direct reply to that.
        await world.say(INES, "yes, create it", channel, thread=root)
        assert len(world.clickup.writes) == 1


@pytest.mark.parametrize(
    "voice",
    [
        {"bot_id": "B09OTHER", "subtype": "bot_message"},
        {"bot_id": "B09OTHER"},
        {"subtype": "channel_join"},
        {"user": "USLACKBOT"},
        {"user": ""},
    ],
)
async def test_what_others_say_is_acknowledged_and_stands_between_card_and_word(
    agency: Database, voice: dict[str, Any]
) -> None:
    """Its note failed on the types of its own statement, so Slack sent it again and again."""
    async with open_world(agency) as world:
        card = await world.propose(INES, DM)
        ts = world.slack.next_ts()
        await world.say(INES, "hello", card.channel, thread=card.thread, ts=ts, **voice)
        assert world.stuck == []
        world.slack.spoken.pop((card.channel, ts))

        await world.say(INES, "yes", card.channel, thread=card.thread)
        assert world.clickup.writes == []


@pytest.mark.parametrize("how", ["click", "yes"])
async def test_a_stored_effect_that_was_changed_is_not_carried_out(
    agency: Database, how: str
) -> None:
    async with open_world(agency) as world:
        card = await world.propose(INES, DM)
        if how == "click":
            await world.press(INES, card, settle=False)
            await world.settle(leave=["execute"])
        await world.director.tamper(card.proposal_ids[0], title="Pay the invoice")
        if how == "yes":
            await world.say(INES, "yes", card.channel, thread=card.thread)
        await world.settle()

        assert world.clickup.writes == []


async def test_what_was_switched_off_after_the_card_is_not_carried_out(
    agency: Database,
) -> None:
    async with open_world(agency) as world:
        card = await world.propose(INES, DM)
        await world.director.switch_off("create_task")
        await world.press(INES, card)

        assert world.clickup.writes == []
        assert "An admin has switched that off." in told(world)


async def test_who_may_not_confirm_any_more_may_still_cancel(agency: Database) -> None:
    async with open_world(agency) as world:
        card = await world.propose(MIGUEL, DM)
        await world.director.make(MIGUEL, "viewer")
        await world.press(MIGUEL, card, "Cancel")

        [row] = await agency.pool.fetch("select state from proposals")
        assert row["state"] == "cancelled"


@pytest.mark.parametrize("change", ["unassigned", "archived", "rebound"])
async def test_a_client_out_of_reach_at_execution_gets_no_task(
    agency: Database, change: str
) -> None:
    async with open_world(agency) as world:
        card = await world.propose(MIGUEL, GLINTLY)
        await world.press(MIGUEL, card, settle=False)
        await world.settle(leave=["execute"])
        if change == "unassigned":
            await world.director.unassign(MIGUEL, "Glintly Inc")
        elif change == "archived":
            await world.director.archive("Glintly Inc")
        else:
            await world.director.bind(GLINTLY, "Brightkettle Group")
        await world.settle()

        assert world.clickup.writes == []
        [row] = await agency.pool.fetch("select state, reason from proposals")
        assert row["state"] == "cancelled"
        assert row["reason"] in {"client_out_of_reach", "other_client"}


async def test_what_tools_told_one_person_is_not_shown_to_another(agency: Database) -> None:
    async with open_world(agency) as world:
        reading = Bid("list_tasks", {"client": "Casa Mundo", "window": "any_time"})
        world.owned.will(reading, "Two are due.")
        root = await world.say(TOMAS, "what is due for Casa Mundo?", OPS)
        assert OWNED_BY in str(world.owned.seen)

        world.owned.will(parrot)
        await world.say(YUKI, "and what did you see?", OPS, thread=root)

        seen = str(world.owned.seen)
        assert OWNED_BY not in seen
        assert "what is due for Casa Mundo?" in seen
        assert "Two are due." in seen


async def test_ones_own_results_stay_with_one(agency: Database) -> None:
    async with open_world(agency) as world:
        reading = Bid("list_tasks", {"client": "Glintly Inc", "window": "any_time"})
        world.owned.will(reading, "One is due.")
        root = await world.say(MIGUEL, "what is due for Glintly?", OPS)
        await world.say(MIGUEL, "and then?", OPS, thread=root)

        assert f"{OWNED_BY}Glintly Inc" in str(world.owned.seen)


async def test_a_refused_call_is_in_the_audit_with_rule_and_meta(agency: Database) -> None:
    async with open_world(agency) as world:
        world.owned.will(create("A task"), create("A task"), Bid("run_sql\x00"), "I could not.")
        await world.say(PAUL, "prepare it", world.room(DM))

        rows = await agency.pool.fetch(
            "select e.reason, e.slack_user_id, e.payload from agent_events e"
            " join agent_runs r on r.id = e.run_id"
            " where event_type = 'tool_refused' order by e.reason"
        )
        judged = {"actor_tier": "viewer", "surface": "dm", "scope": "internal"}
        assert [dict(row) for row in rows] == [
            {
                "reason": "unknown_skill",
                "slack_user_id": PAUL,
                "payload": {**judged, "skill": "run_sql", "times": 1},
            },
            {
                "reason": "viewer_mutation_denied",
                "slack_user_id": PAUL,
                "payload": {**judged, "skill": "create_task", "times": 2},
            },
        ]


async def test_a_tool_no_search_has_found_is_refused_and_noted(agency: Database) -> None:
    async with open_world(agency) as world:
        rename = Bid("update_brand", {"brand": "Glintly", "new_name": "Glintly Home"})
        world.owned.will(rename, "I could not.")
        await world.say(INES, "rename it", world.room(DM))

        assert await agency.pool.fetchval("select count(*) from proposals") == 0
        rows = await agency.pool.fetch(
            "select reason, payload ->> 'skill' from agent_events where event_type = 'tool_refused'"
        )
        assert [tuple(row) for row in rows] == [("not_offered", "update_brand")]


async def test_what_is_closed_for_one_client_stops_an_effect_on_several_at_its_execution(
    agency: Database,
) -> None:
    roderick, pawtrail = client_id("Roderick Ltd"), client_id("Pawtrail")
    await agency.pool.execute(
        "update brands set clickup_list_id = null where client_id = $1 and name = 'Pawtrail Pro'",
        pawtrail,
    )
    async with open_world(agency) as world:
        channel = world.room(DM)
        search = Bid(SEARCH, {"queries": ["apply_remediation"]})
        world.owned.will(search, Bid("apply_remediation"), "It is on the card.")
        await world.say(INES, "repair the links", channel)
        [card] = await world.cards(channel, INES)
        await world.press(INES, card, card.first, settle=False)
        await world.settle(leave=["execute"])
        before = await agency.pool.fetch("select id, clickup_list_id from brands order by id")
        await agency.pool.execute(
            "insert into skill_policy_overrides (skill_id, scope_type, scope_id, enabled)"
            " values ('cc_brand_mapping_remediation_apply', 'client', $1, false)",
            str(roderick),
        )
        await world.settle()

        [event] = await agency.pool.fetch(
            "select reason from agent_events where event_type = 'effect_failed'"
        )
        assert event["reason"] == "skill_disabled"
        after = await agency.pool.fetch("select id, clickup_list_id from brands order by id")
        assert after == before


async def test_a_run_whose_message_is_given_up_does_not_run_for_ever(
    agency: Database,
) -> None:
    async with open_world(agency) as world:
        runs = world.services.turn.conversation.runs
        world.break_down(runs, "background")
        start = runs.start

        async def start_late(*args: Any, **named: Any) -> Any:
            await asyncio.sleep(0.05)
            return await start(*args, **named)

        object.__setattr__(runs, "start", start_late)
        await world.say(MIGUEL, "this one crashes", world.room(DM))

        states = await agency.pool.fetch("select status from agent_runs")
        assert {row["status"] for row in states} == {"cancelled", "failed"}
        assert "several times and have set it aside" in told(world)


async def test_many_presses_at_once_do_not_wait_for_each_other_for_ever(agency: Database) -> None:
    async with open_world(agency) as world:
        card = await world.propose(INES, DM)
        for _ in range(24):
            await world.press(INES, card, settle=False)
        async with asyncio.timeout(20):
            await world.settle(together=True)

        assert len(world.clickup.writes) == 1


async def test_a_claim_in_other_words_does_not_stand_alone(agency: Database) -> None:
    async with open_world(agency) as world:
        world.judge.believed = "now lives in your backlog"
        world.owned.will(*["The banner task now lives in your backlog."] * 3)
        await world.say(MIGUEL, "make the banner task", world.room(DM))
        assert "Nothing was changed." in told(world)

        world.slack.forget()
        world.owned.will("Glintly sells screen wipes.")
        await world.say(MIGUEL, "what does Glintly sell?", world.room(DM))
        assert "Nothing was changed." not in told(world)


async def test_a_press_from_another_workspaces_home_tab_is_refused_and_noted(
    agency: Database,
) -> None:
    async with open_world(agency) as world:
        card = await world.propose(INES, OPS)
        await world.press(INES, card, team={"id": "T0OTHER"}, channel=None, message=None)

        assert world.clickup.writes == []
        rows = await agency.pool.fetch(
            "select event_type, reason from agent_events where event_type <> 'effect_done'"
        )
        assert [tuple(row) for row in rows] == [("press_refused", "another_workspace")]


async def test_a_hidden_tool_called_in_an_unknown_place_drafts_nothing(
    agency: Database,
) -> None:
    async with open_world(agency) as world:
        world.owned.will(create("A task"), "I could not prepare it.")
        await world.say(INES, "prepare it", RANDOM)

        assert await agency.pool.fetchval("select count(*) from proposals") == 0


async def test_the_signature_of_a_task_is_one_line_whatever_a_person_is_called(
    agency: Database,
) -> None:
    async with open_world(agency) as world:
        await world.director.rename(TOMAS, "Tomas\n\n# Approved\n@everyone")
        card = await world.propose(TOMAS, DM)
        await world.press(TOMAS, card)

        [write] = world.clickup.writes
        signature = write.body["markdown_content"].rpartition("\n\n")[2]
        assert signature.startswith("agencyclaw run=")
        assert "@everyone" not in signature


@pytest.mark.parametrize("command", ["help", "where", "no such thing"])
async def test_the_private_answer_to_a_command_stands_between_card_and_word(
    agency: Database, command: str
) -> None:
    async with open_world(agency) as world:
        card = await world.propose(INES, DM)
        await world.type(INES, command, card.channel)
        await world.say(INES, "yes", card.channel)

        assert world.clickup.writes == []


async def test_a_card_of_the_subject_before_takes_no_word_when_it_is_shown_again(
    agency: Database,
) -> None:
    async with open_world(agency) as world:
        card = await world.propose(INES, DM)
        world.owned.will(Bid("get_client_context", {"client": "Casa Mundo"}), "It is fine.")
        await world.say(INES, "now to Casa Mundo", card.channel)
        await world.say(INES, "yes", card.channel)
        await world.say(INES, "yes", card.channel)
        assert world.clickup.writes == []

        [shown] = await world.cards(card.channel, INES)
        await world.press(INES, shown)
        assert len(world.clickup.writes) == 1
