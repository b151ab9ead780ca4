"""The journal: what was handed over is stored, clean, although the run is stopped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from agencyclaw.agents.policies.escalation import Escalation
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.limits import RunLimits
from agencyclaw.agents.policies.run_policies import RunPolicies
from agencyclaw.agents.policies.trail import Trail
from agencyclaw.deps import Deps
from agencyclaw.domain.journal import JournalPage
from agencyclaw.tools.results import Result
from tests.fakes.ports import demo_agency

ASKED = [ModelRequest.user_text_prompt("What is due today?")]
LOOKED = ModelResponse(parts=[ToolCallPart("list_tasks", {}, tool_call_id="1")])
ANSWERED = ModelResponse(parts=[TextPart("Nothing.")])


class Names(Result):
    """What a tool found."""

    names: tuple[str, ...]
    by: Decimal


class SlowLog:
    """Stores a page once it may."""

    def __init__(self) -> None:
        self.begun, self.may_store = asyncio.Event(), asyncio.Event()
        self.pages: list[JournalPage] = []

    async def append(self, run_id: UUID, page: JournalPage) -> None:
        """Store the page as soon as that is allowed."""
        self.begun.set()
        await self.may_store.wait()
        self.pages.append(page)


@pytest.fixture
def log() -> SlowLog:
    return SlowLog()


async def stop_during(step: Coroutine[Any, Any, None], log: SlowLog) -> None:
    """Cancel a step of the run while a page is being stored, then let it be stored."""
    running = asyncio.create_task(step)
    await log.begun.wait()
    running.cancel()
    await asyncio.wait({running})
    assert running.cancelled()
    log.may_store.set()


async def test_a_page_is_stored_although_the_run_is_stopped_while_a_call_waits_for_it(
    log: SlowLog,
) -> None:
    journal = Journal(log, uuid4())
    journal.record_response(ASKED, LOOKED)

    await stop_during(journal.written(), log)
    await journal.finish()

    assert [len(page.messages) for page in log.pages] == [2]


async def test_a_change_waits_until_the_response_that_asks_for_it_is_stored_a_look_up_does_not(
    log: SlowLog,
) -> None:
    stored_before: dict[str, int] = {}
    storing: list[asyncio.Task[None]] = []

    async def store_later() -> None:
        for _ in range(100):
            await asyncio.sleep(0)
        log.may_store.set()

    async def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("look_up", {})])
        if len(messages) > 3:
            return ANSWERED
        storing.append(asyncio.create_task(store_later()))
        return ModelResponse(parts=[ToolCallPart("change", {})])

    agent = Agent(FunctionModel(answer), deps_type=Deps)

    @agent.tool_plain
    async def look_up() -> str:
        stored_before["look_up"] = len(log.pages)
        return "nothing"

    @agent.tool_plain(sequential=True)
    async def change() -> str:
        stored_before["change"] = len(log.pages)
        return "prepared"

    policies = RunPolicies(
        Escalation((FunctionModel(answer),), Trail()), Journal(log, uuid4()), RunLimits(10)
    )
    await agent.run("hello", deps=demo_agency().run(), capabilities=[policies])

    assert stored_before == {"look_up": 0, "change": 2}


async def test_results_and_the_next_response_are_stored_although_the_run_is_stopped(
    log: SlowLog,
) -> None:
    journal = Journal(log, uuid4())

    async def next_step() -> None:
        journal.record_response(ASKED, LOOKED)
        journal.record_result(ToolCallPart("list_tasks", {}, tool_call_id="1"), "none")
        journal.record_response(ASKED, ANSWERED)
        await journal.finish()

    await stop_during(next_step(), log)
    await journal.finish()

    kinds = [[event.event_type for event in page.events] for page in log.pages]
    assert kinds == [["skill_call"], ["skill_result"]]


async def test_a_cost_that_the_provider_reports_is_stored(log: SlowLog) -> None:
    usage = RequestUsage(input_tokens=10, output_tokens=5, cost=Decimal("0.002"))

    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart("Hi.")], usage=usage)

    model, journal = FunctionModel(answer, model_name="vendor:unlisted"), Journal(log, uuid4())
    policies = RunPolicies(Escalation((model,), Trail()), journal, RunLimits(10))
    log.may_store.set()

    await Agent(model, deps_type=Deps).run(
        "hello", deps=demo_agency().run(), capabilities=[policies]
    )
    await journal.finish()

    assert [cost.cost_usd for page in log.pages for cost in page.costs] == [0.002]


async def test_a_cost_is_stored_although_the_run_is_stopped_meanwhile(log: SlowLog) -> None:
    journal = Journal(log, uuid4())
    await stop_during(journal.write(JournalPage()), log)
    await journal.finish()
    assert log.pages == [JournalPage()]


@pytest.mark.parametrize("hidden", ["\x00", "\ud800", "\u202e", "\u200b", ""])
async def test_what_is_stored_of_a_message_and_a_result_is_clean(log: SlowLog, hidden: str) -> None:
    log.may_store.set()
    journal = Journal(log, uuid4())
    said = f"Müller“s pa{hidden}y"
    journal.record_response([ModelRequest.user_text_prompt(said)], LOOKED)
    journal.record_result(LOOKED.tool_calls[0], Names(names=(said,), by=Decimal("1.5")))
    await journal.finish()

    (_, asked), _ = log.pages[0].messages
    assert json.loads(asked)["parts"][0]["content"] == "Müller“s pay"
    [result] = log.pages[1].events
    assert json.loads(result.payload) == {"result": {"names": ["Müller“s pay"], "by": "1.5"}}
