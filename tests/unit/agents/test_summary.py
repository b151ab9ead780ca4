"""A long thread is condensed once; its newest part stays as it was said."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.history import Exchange, Summary
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.replay import fit_window
from agencyclaw.agents.script import play
from agencyclaw.agents.script_file import Script
from agencyclaw.agents.summary import KEPT_MESSAGES, compact
from agencyclaw.agents.thread import window_of
from agencyclaw.knowledge.tokens import count_tokens
from tests.unit.agents.test_history import START, exchange, replay, texts

BUDGET = 1_000


class Condenser:
    """A model that condenses, and keeps what it was given."""

    def __init__(self, says: str = "They agreed on a coupon for Glintly.") -> None:
        self.says = says
        self.given: list[str] = []

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert info.instructions == load_prompt("summary").text
        self.given += texts(messages)
        return ModelResponse(parts=[TextPart(self.says)])

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(self.answer)


def thread(count: int, *, words: int = 60, result: str = "") -> list[Exchange]:
    return [
        exchange(f"question {n}", f"answer {n} " + "word " * words, minute=n, result=result)
        for n in range(count)
    ]


async def test_a_thread_at_most_of_the_budget_is_condensed_and_its_newest_part_kept() -> None:
    condenser = Condenser()
    exchanges = thread(13, result="three tasks")

    done = await compact(replay(exchanges), None, budget_tokens=BUDGET, model=condenser.model)

    window = window_of(fit_window(done.runs, done.summary, budget_tokens=BUDGET), done.summary, {})
    assert len(condenser.given) == 1
    assert "question 0" in condenser.given[0]
    assert texts(window)[0].endswith("They agreed on a coupon for Glintly.")
    assert isinstance(window[0], ModelRequest)
    assert texts(window)[-1].startswith("answer 12")
    assert len(window) - 1 >= KEPT_MESSAGES
    calls = [p.tool_call_id for m in window for p in m.parts if isinstance(p, ToolCallPart)]
    returns = [p.tool_call_id for m in window for p in m.parts if p.part_kind == "tool-return"]
    assert calls == returns
    assert not any("question 0" in text for text in texts(window))


async def test_a_short_thread_is_left_alone() -> None:
    condenser = Condenser()

    done = await compact(replay(thread(4)), None, budget_tokens=BUDGET, model=condenser.model)

    assert (len(done.runs), done.summary, condenser.given) == (4, None, [])


async def test_a_summary_is_used_again_and_grows_from_itself() -> None:
    first = Condenser("The first part.")
    exchanges = thread(13)
    done = await compact(replay(exchanges), None, budget_tokens=BUDGET, model=first.model)
    again = Condenser("Both parts.")

    same = await compact(replay(exchanges), done.summary, budget_tokens=BUDGET, model=again.model)
    grown = await compact(replay(thread(22)), done.summary, budget_tokens=BUDGET, model=again.model)

    assert same.summary == done.summary
    assert same.cost is None
    assert len(again.given) == 1
    assert again.given[0].startswith("Before that: The first part.")
    assert "question 0" not in again.given[0]
    assert grown.summary is not None
    assert grown.summary.text == "Both parts."
    assert grown.summary.until > done.summary.until if done.summary else False


async def test_a_slow_or_broken_summariser_costs_the_summary_and_not_the_turn() -> None:
    async def slow(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        await asyncio.Event().wait()
        raise AssertionError

    exchanges = thread(13)
    done = await compact(
        replay(exchanges), None, budget_tokens=BUDGET, model=FunctionModel(slow), timeout_s=0.05
    )

    window = window_of(fit_window(done.runs, done.summary, budget_tokens=BUDGET), done.summary, {})
    assert done.summary is None
    assert texts(window)[-1].startswith("answer 12")
    assert sum(count_tokens(text) for text in texts(window)) <= BUDGET


async def test_a_summary_counts_among_what_a_month_costs() -> None:
    model = FunctionModel(Condenser().answer, model_name="gpt-5.2")

    done = await compact(replay(thread(13)), None, budget_tokens=BUDGET, model=model)

    assert done.cost is not None
    assert done.cost.cost_usd


async def test_what_was_said_in_another_thread_is_not_condensed_into_this_one() -> None:
    condenser = Condenser()
    elsewhere = [replace(one, is_same_thread=False) for one in thread(13)]
    here = replace(exchange("here", "yes"), started_at=START + timedelta(hours=1))

    done = await compact(
        replay([*elsewhere, here]), None, budget_tokens=BUDGET, model=condenser.model
    )

    assert done.summary is None
    assert condenser.given == []


async def test_the_newest_exchanges_stay_even_if_they_alone_are_too_much() -> None:
    condenser = Condenser()

    done = await compact(
        replay(thread(8, words=400)), None, budget_tokens=BUDGET, model=condenser.model
    )

    assert sum(len(one.messages) for one in done.runs) >= KEPT_MESSAGES


async def test_the_scripted_model_condenses_without_a_language_model() -> None:
    script = Script(name="s", otherwise="I don't know that.", turns=[])

    done = await compact(replay(thread(13)), None, budget_tokens=BUDGET, model=play(script))

    assert isinstance(done.summary, Summary)
    assert "question" in done.summary.text
    assert "I don't know that." not in done.summary.text


async def test_a_secret_does_not_live_on_in_a_summary() -> None:
    condenser = Condenser("The token is xoxb-123456789012-abcdef.")

    done = await compact(replay(thread(13)), None, budget_tokens=BUDGET, model=condenser.model)

    assert done.summary is not None
    assert "xoxb-" not in done.summary.text


async def test_what_does_not_fit_a_transcript_stays_as_it_was_said() -> None:
    """Nothing may be in neither: of a very long thread the oldest part is condensed first."""
    condenser = Condenser()
    exchanges = thread(60, words=580)

    done = await compact(replay(exchanges), None, budget_tokens=40_000, model=condenser.model)

    said = "\n".join([condenser.given[0], *texts([m for r in done.runs for m in r.messages])])
    assert all(f"question {n}" in said for n in range(60))
    assert "question 0" in condenser.given[0]
    assert done.summary is not None
    assert done.summary.until == START + timedelta(minutes=60 - len(done.runs) - 1)
