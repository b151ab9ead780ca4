"""A brief on a client in one call, and the risks of all clients, as far as the person may see."""

from __future__ import annotations

from acting import BRIGHT, CLAW, INES, SARA_L, YUKI, ScriptedModel, calls, minded

from agencyclaw.store.engine import Database
from agencyclaw.tools.client_risks import TASKS_UNREAD
from workbench.fixture import Bench

FIND = calls("search_tools", queries=["client brief", "risks of all clients"])
BRIEF = calls("client_brief", client="Brightkettle")
RISKS = calls("client_risks")
ASK = "brief me on Brightkettle before the call"
ASK_RISKS = "what are the top risks of my clients?"
GONE = {"target": "clickup", "method": "list_team_tasks", "kind": "error_before", "times": 20}


async def test_a_brief_has_each_fact_with_its_source_by_two_requests(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, BRIEF, "Here is the brief.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(SARA_L, await stage.say(SARA_L, ASK))

    seen = mind.heard()
    assert '"late":{"total":2' in seen
    assert '"finished":{"total":3' in seen
    assert '"fact":"Customer Success Lead: Sara Lindqvist","source":"role of the client"' in seen
    assert '"fact":"Nordvent CA: no active target"' in seen
    assert '"kind":"unassigned","count":2' in seen
    assert len(await bench.log(target="clickup", operation="list_team_tasks")) == 2


async def test_a_brief_without_clickup_has_the_rest_and_says_what_is_missing(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, BRIEF, "Without the tasks.")
    async with minded(bench, agency, mind) as stage:
        await bench.control("POST", "faults", GONE)
        await stage.reply(SARA_L, await stage.say(SARA_L, ASK))

    seen = mind.heard()
    assert TASKS_UNREAD in seen
    assert '"kind":"missing_target"' in seen
    assert '"late"' not in seen


async def test_nobody_is_briefed_on_a_client_that_is_not_theirs(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, BRIEF, "I can't see it.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(YUKI, await stage.say(YUKI, ASK))

    assert "Tower Fan" not in mind.heard()
    assert await bench.log(target="clickup", operation="list_team_tasks") == []


async def test_a_clients_channel_is_briefed_on_its_own_client_alone(
    bench: Bench, agency: Database
) -> None:
    other = calls("client_brief", client="Glintly Inc")
    mind = ScriptedModel(FIND, other, RISKS, "Only of this client.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(BRIGHT, INES, f"<@{CLAW}> brief us on Glintly Inc")
        await stage.reply_in(BRIGHT, root)

    seen = mind.heard()
    assert "Screen Wipes" not in seen
    assert "Tower Fan" in seen


async def test_risks_of_all_clients_reach_as_far_as_the_person(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, RISKS, "Here they are.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK_RISKS))
        every = mind.heard()
        mind.answers(FIND, RISKS, "Here they are.")
        await stage.reply(YUKI, await stage.say(YUKI, ASK_RISKS))

    own = mind.heard()
    most_late, fewer = '"client":"Brightkettle Group"', '"client":"Glintly Inc"'
    assert every.index(most_late) < every.index(fewer)
    assert most_late not in own
    assert '"clients":[{' in own
    pages = await bench.log(target="clickup", operation="list_team_tasks")
    assert {page["query"]["page"] for page in pages} <= {"0", "1", "2"}
