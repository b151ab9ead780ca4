"""Children that look several things up: checked, short, apart, and none of them can write."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from acting import ASKED, CLAW, INES, OPS, TASK, ScriptedModel, calls, minded, states
from deadlines import Deadlines
from logfire.testing import CaptureLogfire
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo
from stage import Stage, dm, on_stage, whole_text

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.cli.reports import list_runs, show_run
from agencyclaw.conversation.fixed_texts import ELSEWHERE
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.runs import RunType
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.settings import Settings
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import receipt_of
from agencyclaw.store.runs import Runs
from agencyclaw.tools import TOOLS
from workbench.fixture import Bench

GLINTLY = "What is due for Glintly Inc this week?"
COUPONS = "What does the procedure for coupons say?"
LOST = "What does the procedure for hijackers say?"
SEARCH = "search_tools"


def research(*questions: str) -> ModelResponse:
    return calls("research", questions=list(questions))


def sought() -> ModelResponse:
    return calls(SEARCH, queries=["research"])


def is_child(info: AgentInfo) -> bool:
    return info.instructions == load_prompt("research").text


def question_of(messages: list[ModelMessage]) -> str:
    first = messages[0]
    assert isinstance(first, ModelRequest)
    [prompt] = [part for part in first.parts if isinstance(part, UserPromptPart)]
    return str(prompt.content[-1])


class ScriptedModels(ScriptedModel):
    """A mind whose children answer by their question; the last answer of each for ever."""

    def __init__(self, *answers: Any, children: dict[str, list[Any]]) -> None:
        super().__init__(*answers)
        self.children = {
            question: ScriptedModel(*answers) for question, answers in children.items()
        }

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if is_child(info):
            return await self.children[question_of(messages)].answer(messages, info)
        return await super().answer(messages, info)


async def runs(stage: Stage, kind: str = "child") -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch(
        "select * from agent_runs where run_type = $1 order by started_at", kind
    )
    return [dict(row) for row in rows]


async def test_two_of_three_children_answer_and_the_third_is_mentioned(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModels(
        sought(),
        research(GLINTLY, COUPONS, LOST),
        "Glintly has tasks due this week, and coupons have a procedure.",
        children={
            GLINTLY: [
                calls("search_kb", query="coupon"),
                "The Coupons Promotion SOP has to be followed for what is due.",
            ],
            COUPONS: [
                calls("search_kb", query="coupon"),
                "The Coupons Promotion SOP begins with the products.",
            ],
            LOST: ["They are 48,213 in all."],
        },
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "an overview please: Glintly, coupons and hijackers")
        said = whole_text(await stage.reply_with(INES, root, "Glintly has tasks"))
        await stage.settled()

        [parent] = await runs(stage, "main")
        children = await runs(stage)
    assert f"I couldn't find out about “{LOST}”: no answer to it passed my own checks." in said
    assert "Rests on: Coupons Promotion SOP." in said
    assert sorted(child["status"] for child in children) == ["completed", "completed", "failed"]
    assert parent["status"] == "completed"
    assert parent["output_payload"]["children"] == 3
    for child in children:
        assert child["parent_run_id"] == parent["id"]
        assert child["trace_id"] == parent["trace_id"]
        assert child["receipt_id"] == parent["receipt_id"]
    heard = mind.heard()
    assert '"missing":[{' in heard
    assert heard.count('"title":"Coupons Promotion SOP"') == 1


async def test_what_a_child_opens_answers_the_question_of_the_turn(
    bench: Bench, agency: Database
) -> None:
    opens = calls("read_procedure", title="Coupons Promotion SOP")
    child = [opens, "The Coupons Promotion SOP begins with the products."]
    vain = calls("search_kb", query="How do we paint signs?")
    mind = ScriptedModels(
        sought(), vain, research(COUPONS), "It is done so.", children={COUPONS: child}
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how is it done?")
        await stage.reply_with(INES, root, "It is done so.")
        await stage.settled()

    assert await agency.pool.fetchval("select count(*) from knowledge_gaps") == 0


async def test_of_a_finding_of_twenty_thousand_characters_the_beginning_comes_and_its_key(
    bench: Bench, agency: Database
) -> None:
    finding = ("Glintly sells wipes. " * 950)[:19_990].rsplit(".", 1)[0] + "."
    key = ""

    async def whole(messages: list[ModelMessage], _: object) -> ModelResponse:
        nonlocal key
        key = mind.heard().partition("has the key ")[2].split('"')[0]
        return calls("load_prior_skill_result", key=key)

    mind = ScriptedModels(
        sought(),
        research(GLINTLY),
        whole,
        "Glintly sells wipes.",
        children={GLINTLY: [finding]},
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "tell me all about Glintly")
        await stage.reply_with(INES, root, "sells wipes")
        result = await stage.result("research")

    told = mind.heard(2)
    assert count_tokens(told) < 2_000 + 600  # the situation and the search are in it too
    assert "Cut here, as it is too long." in told
    assert key.startswith("ev:")
    assert finding in mind.heard(3)
    assert result is not None


async def test_a_child_has_only_tools_that_read_and_nobody_to_send(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModels(
        sought(),
        research(GLINTLY),
        "Nothing is due.",
        children={GLINTLY: ["Nothing is due."]},
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "what about Glintly?"))

    [child] = mind.children.values()
    [offered] = child.offered
    assert offered
    assert not [name for name in offered if name in TOOLS and TOOLS[name].rule.changes]
    assert not offered & {"research", "delegate_planner"}


class Ponder:
    """A child that thinks for ever; how many do so at the same time."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.now = self.most = 0

    async def __call__(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        self.now += 1
        self.most = max(self.most, self.now)
        self.begun.set()
        try:
            await self.free.wait()
        finally:
            self.now -= 1
        return ModelResponse(parts=[TextPart("Nothing is due.")])


# Time enough for everybody; it is over when the test says so.
LONG: dict[str, Any] = {"agencyclaw_turn_timeout_s": 600.0, "agencyclaw_child_timeout_s": 450.0}


async def one_completed(stage: Stage) -> bool:
    return "completed" in {child["status"] for child in await runs(stage)}


async def test_a_child_sees_what_its_person_confirmed_and_what_waits(
    bench: Bench, agency: Database
) -> None:
    asked = "What did they have changed today?"
    looks = [calls(SEARCH, queries=["what was changed today"]), calls("list_own_changes")]
    mind = ScriptedModels(
        sought(), research(asked), "Nothing yet.", children={asked: [*looks, "Nothing today."]}
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply_with(INES, await stage.say(INES, "sum up my day"), "Nothing yet.")
        await stage.settled()

    assert "They confirmed nothing in that time." in mind.children[asked].heard()


async def test_what_a_child_may_not_show_in_a_channel_is_answered_in_the_direct_message(
    bench: Bench, agency: Database
) -> None:
    asked = "What did they have changed today?"
    looks = [calls(SEARCH, queries=["what was changed today"]), calls("list_own_changes")]
    mind = ScriptedModels(
        sought(),
        research(GLINTLY, asked),
        "I could not find out.",
        children={GLINTLY: ["Nothing is due."], asked: [*looks, "Nothing today."]},
    )
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, INES, f"<@{CLAW}> sum up my day")
        said = whole_text(await stage.reply_in(OPS, root))
        await stage.settled()
        statuses = [child["status"] for child in await runs(stage)]

    assert ELSEWHERE in said
    assert "cancelled" in statuses
    assert not {"running", "failed"} & {*statuses}


async def test_one_that_takes_too_long_costs_nobody_else_an_answer(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    ponder = Ponder()
    mind = ScriptedModels(
        sought(),
        research(GLINTLY, COUPONS),
        "For Glintly nothing is due.",
        children={GLINTLY: ["Nothing is due for Glintly."], COUPONS: [ponder]},
    )
    async with minded(bench, agency, mind, **LONG) as stage:
        root = await stage.say(INES, "how are Glintly and coupons?")
        await asyncio.wait_for(ponder.begun.wait(), 300)
        await bench.until(lambda: one_completed(stage))
        deadlines.come()
        said = whole_text(await stage.reply_with(INES, root, "nothing is due"))
        await stage.settled()
        children = await runs(stage)

    assert f"I couldn't find out about “{COUPONS}”: it took too long." in said
    assert {child["status"] for child in children} == {"completed", "failed"}


async def test_stop_ends_the_children_with_their_turn(bench: Bench, agency: Database) -> None:
    ponder = Ponder()
    mind = ScriptedModels(
        sought(), research(GLINTLY, COUPONS), children={GLINTLY: [ponder], COUPONS: [ponder]}
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how are Glintly and coupons?")
        await asyncio.wait_for(ponder.begun.wait(), 300)
        assert any("looking several things up" in one["status"] for one in await bench.statuses())

        await bench.stop(dm(INES), INES, root)
        await stage.reply_with(INES, root, "Stopped, as you asked.")
        await stage.settled()

        ended = {run["status"] for run in [*await runs(stage), *await runs(stage, "main")]}
    assert ended == {"cancelled"}
    assert ponder.now == 0


async def test_a_turn_that_begins_again_ends_the_children_of_the_one_before(
    bench: Bench, agency: Database
) -> None:
    ponder = Ponder()
    mind = ScriptedModels(sought(), research(GLINTLY), "Done.", children={GLINTLY: [ponder]})
    store = Runs(agency)
    async with minded(bench, agency, mind) as stage:
        await stage.say(INES, "how is Glintly Inc?")
        await asyncio.wait_for(ponder.begun.wait(), 300)
        [parent] = await runs(stage, "main")
        row = await agency.pool.fetchrow(
            "update slack_event_receipts set attempts = attempts + 1 returning *"
        )
        receipt = receipt_of(row)
        assert receipt is not None
        ines = Actor(
            profile_id=person_id("Ines Varga"), name="Ines", tier=Tier.ADMIN, slack_user_id=INES
        )
        await store.start(uuid4(), receipt, ines, trace_id="t", facts={})

        [child] = await runs(stage)
        late = await store.begin_child(uuid4(), parent["id"], RunType.CHILD, {})
        ponder.free.set()

    assert (child["status"], child["error_message"]) == ("cancelled", "interrupted")
    assert not late


async def test_a_figure_that_the_question_brought_along_is_no_evidence(
    bench: Bench, agency: Database
) -> None:
    leading = "Is it true that Glintly sold 48,213 USD?"
    mind = ScriptedModels(
        sought(),
        research(leading),
        "I could not find that out.",
        children={leading: ["Yes, Glintly sold 48,213 USD."]},
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "what did Glintly sell?")
        said = whole_text(await stage.reply_with(INES, root, "could not find that out"))

    assert "no answer to it passed my own checks" in said
    assert '"found"' not in mind.heard()


async def test_what_a_child_wants_to_change_is_refused_and_written_down(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModels(
        sought(),
        research(GLINTLY),
        "Nothing is due.",
        children={
            GLINTLY: [
                calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED),
                calls("research", questions=[COUPONS]),
                "Nothing is due.",
            ]
        },
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "how is Glintly Inc?"))
        await stage.settled()
        [child] = await runs(stage)
        refused = await stage.events("tool_refused")

        assert await states(stage) == []
    noted = {(one["run_id"], one["payload"]["skill"]) for one in refused}
    assert noted == {(child["id"], "create_task"), (child["id"], "research")}


async def test_three_look_at_once_and_a_turns_children_have_one_allowance(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    ponder = Ponder()
    questions = [f"What is due for Glintly in week {n}?" for n in range(1, 7)]

    async def let_go(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        ponder.free.set()
        return research(*questions[3:])

    mind = ScriptedModels(
        sought(),
        research(*questions[:3]),
        let_go,
        "Nothing is due.",
        children={question: [ponder] for question in questions},
    )
    async with minded(bench, agency, mind, **LONG, agencyclaw_child_max_requests=12) as stage:
        root = await stage.say(INES, "how is Glintly Inc?")
        await bench.until(lambda: ponder.now == 2)
        deadlines.come()
        await stage.reply(INES, root)
        await stage.settled()
        told = await stage.result("research")

    # Of 24 requests two children reserve 12 each, and a third finds nothing left.
    assert ponder.most == 2
    assert len(told["found"]) == 2
    assert told["missing"][0]["why"] == "I had looked up as much as I may for one message"


async def test_a_child_is_traced_below_the_acting_and_its_tools_below_it(
    bench: Bench, agency: Database, capfire: CaptureLogfire
) -> None:
    mind = ScriptedModels(
        sought(),
        research(COUPONS),
        "There is a procedure for coupons.",
        children={COUPONS: [calls("search_kb", query="coupon"), "There is a procedure."]},
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "how do we do coupons?"))
        await stage.settled()
        [child] = await runs(stage)

    spans = {span["context"]["span_id"]: span for span in capfire.exporter.exported_spans_as_dict()}

    def above(span: dict[str, Any]) -> list[str]:
        parent = spans.get((span["parent"] or {}).get("span_id"))
        own = [] if " " in span["name"] else [span["name"]]  # the library's own have two words
        return [*own, *(above(parent) if parent else [])]

    lines = [above(span) for span in spans.values() if span["name"] in ("tool", "agent.verify")]
    assert ["tool", "agent.child", "tool", "agent.act", "turn"] in lines
    assert ["agent.verify", "agent.child", "tool", "agent.act", "turn"] in lines
    begun = [span for span in spans.values() if span["name"] == "agent.child.begin"]
    assert begun[0]["attributes"]["parent_run"] == str(child["parent_run_id"])


async def test_a_child_has_a_journal_of_its_own_and_stands_below_its_run(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModels(
        sought(),
        research(COUPONS),
        "There is a procedure for coupons.",
        children={COUPONS: [calls("search_kb", query="coupon"), "There is a procedure."]},
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how do we do coupons?")
        await stage.reply(INES, root)
        await stage.settled()
        [child] = await runs(stage)
        [parent] = await runs(stage, "main")
        spent = await agency.pool.fetch(
            "select run_id, stage, count(*) as n from ai_token_usage group by 1, 2"
        )
        listed = (await list_runs(agency, as_json=False)).splitlines()
        page = await show_run(agency, str(parent["id"]), Settings(), as_json=False)
        own = await show_run(agency, str(child["id"]), Settings(), as_json=False)
        await agency.pool.execute(
            "update agent_runs set input_payload = input_payload - 'question'"
        )
        unasked = await show_run(agency, str(parent["id"]), Settings(), as_json=False)

        await stage.say(INES, "and once more?", thread=root)
        await stage.reply(INES, root, index=1)

    assert {(row["run_id"], row["stage"], row["n"]) for row in spent} == {
        (parent["id"], "main", 3),
        (child["id"], "child", 2),
    }
    assert listed[0].startswith(str(parent["id"])[:8])
    assert listed[1].startswith(f"  └ {str(child['id'])[:8]}")
    assert COUPONS in listed[1]
    assert all(" UTC  " in line for line in listed)
    assert f"{str(child['id'])[:8]} completed: no question" in unasked
    assert f"{str(child['id'])[:8]} completed: {COUPONS}" in page
    assert f"Saw\n  {COUPONS}" in own
    assert "search_kb(" in own
    assert "The answer is for" not in mind.heard()


@pytest.mark.parametrize(
    ("who", "words"),
    [
        (INES, "Brightkettle Group: "),
        ("U01YUKI", "couldn't find"),
    ],
)
async def test_the_tours_briefing_is_played_with_its_children(
    bench: Bench, agency: Database, who: str, words: str
) -> None:
    async with on_stage(bench, agency) as stage:
        root = await stage.say(who, "brief me on Brightkettle, Glintly and coupons")
        said = whole_text(await stage.reply_with(who, root, "looked up on its own"))
        await stage.settled()
        children = await runs(stage)

    assert words in said
    assert "Coupons: “Coupons Promotion SOP” has the steps" in said
    assert [child["status"] for child in children] == ["completed"] * 3
    assert all("script is playing" not in child["output_payload"]["text"] for child in children)
