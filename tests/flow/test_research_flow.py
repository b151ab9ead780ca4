"""Children that look several things up: checked, short, apart, and none of them can write."""

from __future__ import annotations

from typing import Any

from acting import INES, Mind, calls, minded
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, UserPromptPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, whole_text

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.store.engine import Database
from agencyclaw.tools import TOOLS
from agencyclaw.workbench.fixture import Bench

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


class Household(Mind):
    """A mind whose children answer by their question; the last answer of each for ever."""

    def __init__(self, *answers: Any, children: dict[str, list[Any]]) -> None:
        super().__init__(*answers)
        self.children = {question: Mind(*answers) for question, answers in children.items()}

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if is_child(info):
            return await self.children[question_of(messages)].answer(messages, info)
        return await super().answer(messages, info)


async def runs(stage: Stage, kind: str = "child") -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch(
        "select * from agent_runs where run_type = $1 order by started_at", kind
    )
    return [dict(row) for row in rows]


async def test_o52_two_of_three_children_answer_and_the_third_is_mentioned(
    bench: Bench, agency: Database
) -> None:
    mind = Household(
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
    assert "Rests on: Coupons Promotion SOP. " in said
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


async def test_o54_of_a_finding_of_twenty_thousand_characters_the_beginning_comes_and_its_key(
    bench: Bench, agency: Database
) -> None:
    finding = ("Glintly sells wipes. " * 950)[:19_990].rsplit(".", 1)[0] + "."
    key = ""

    async def whole(messages: list[ModelMessage], _: object) -> ModelResponse:
        nonlocal key
        key = mind.heard().partition("has the key ")[2].split('"')[0]
        return calls("load_prior_skill_result", key=key)

    mind = Household(
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

    from agencyclaw.knowledge.tokens import count_tokens

    told = mind.heard(2)
    assert count_tokens(told) < 2_000 + 600  # the situation and the search are in it too
    assert "Cut here, as it is too long." in told
    assert key.startswith("ev:")
    assert finding in mind.heard(3)
    assert result is not None


async def test_a_child_has_only_tools_that_read_and_nobody_to_send(
    bench: Bench, agency: Database
) -> None:
    mind = Household(
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
