"""With a key, the same assistant talks to a language model over HTTP, in both of its protocols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from fakes.openai_server import BrokenOff, Fault, OpenAIServer, Reply, Stall
from pydantic_ai import Agent, models
from stage import Stage, on_stage, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

INES = "U01INES"
CHAT, RESPONSES = "openai-chat:gpt-5-mini", "openai-responses:gpt-5-mini"
PROTOCOLS = (CHAT, RESPONSES)
PREPARED: tuple[Reply, ...] = (
    {"search_kb": {"query": "coupon"}},
    {
        "create_task": {
            "client": "Copperleaf",
            "brand": "Copperleaf",
            "title": "Set up a spring coupon",
            "objective": "15% off coupon for B0CF7GARL1",
            "procedure": {"title": "Coupons Promotion SOP"},
            "product_identifiers": ["B0CF7GARL1"],
        }
    },
    "I prepared it on the Coupons Promotion SOP. The dates are still open.",
)
ANSWER = "Five clients, as far as I can see."
REFUSED = "The language model's service refuses me; whoever runs me has to mend that."


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")


@dataclass
class Wire:
    """Puts the assistant on stage with a model's service behind it."""

    bench: Bench
    agency: Database
    patch: pytest.MonkeyPatch

    async def ask(self, model: str, replies: Sequence[Reply], **settings: Any) -> Outcome:
        """Ask one thing and return what came of it."""
        server = OpenAIServer(replies)
        async with server.running() as address:
            self.patch.setenv("OPENAI_BASE_URL", address)
            async with on_stage(
                self.bench, self.agency, agencyclaw_model=model, **settings
            ) as stage:
                return await _outcome(stage, server)


@dataclass(frozen=True)
class Outcome:
    """What a person got to read, and what was kept."""

    said: str
    run: dict[str, Any]
    requests: list[dict[str, Any]]
    writes: int


async def _outcome(stage: Stage, server: OpenAIServer) -> Outcome:
    root = await stage.say(INES, "how many clients do we have?")
    await stage.reply(INES, root)
    await stage.settled()
    # The other one welcomes who writes for the first time.
    [answer] = [
        one for one in await stage.replies(INES, root) if "you decide" not in whole_text(one)
    ]
    run = await stage.db.pool.fetchrow(
        "select status, output_payload from agent_runs order by started_at desc limit 1"
    )
    writes = await stage.creates_sent()
    return Outcome(answer["text"], dict(run), server.requests, writes)


@pytest.fixture
def wire(bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(bench, agency, monkeypatch)


@pytest.mark.parametrize("model", ["", RESPONSES])
async def test_a_message_becomes_a_card_through_a_model_on_the_wire(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    server = OpenAIServer(PREPARED)
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        async with on_stage(bench, agency, agencyclaw_model=model) as stage:
            root = await stage.say(INES, "we want 15% off on B0CF7GARL1 at Copperleaf")
            card = await stage.card(INES, root)
            await stage.reply_with(INES, root, "I prepared it on the Coupons Promotion SOP.")
            await stage.press(INES, card, "Create task")
            await stage.created("Set up a spring coupon")
            await stage.settled()
        spent = await agency.pool.fetch("select * from ai_token_usage order by id")

    assert server.keys == ["Bearer sk-not-a-key"] * 3
    assert {body["model"] for body in server.requests} == {"gpt-5-mini"}
    # Three answers of the model, and one of the judge.
    assert [(row["prompt_tokens"], row["completion_tokens"]) for row in spent] == [(120, 30)] * 4
    first, *_, last = server.requests
    if model == RESPONSES:
        assert {tool["name"] for tool in first["tools"]} >= {"search_kb", "create_task"}
        assert [item["type"] for item in last["input"][-2:]] == [
            "function_call",
            "function_call_output",
        ]
    else:
        named = {tool["function"]["name"] for tool in first["tools"]}
        assert named >= {"search_kb", "create_task"}
        assert first["messages"][-1]["content"][-1]["text"].startswith("we want 15% off")
        assert [message["role"] for message in last["messages"]][-2:] == ["assistant", "tool"]


@pytest.mark.parametrize("model", PROTOCOLS)
async def test_two_calls_at_once_are_both_answered(wire: Wire, model: str) -> None:
    twice = [("lookup_client", {"query": "Pawtrail"}), ("lookup_client", {"query": "Glintly"})]

    told = await wire.ask(model, [twice, ANSWER])

    assert told.said == ANSWER
    results = str(told.requests[-1].get("messages") or told.requests[-1].get("input"))
    assert results.count("call_1_0") >= 2
    assert results.count("call_1_1") >= 2


@pytest.mark.parametrize("model", PROTOCOLS)
async def test_a_limit_that_says_when_is_waited_for(wire: Wire, model: str) -> None:
    limit = Fault(429, "Rate limit reached.", {"retry-after": "1", "retry-after-ms": "50"})

    told = await wire.ask(model, [limit, {"lookup_client": {}}, ANSWER])

    assert told.said == ANSWER
    assert told.run["status"] == "completed"
    assert len(told.requests) == 3


@pytest.mark.parametrize("model", PROTOCOLS)
@pytest.mark.parametrize(
    "fault",
    [
        Fault(500),
        Fault(503, "Overloaded."),
        Fault(429, "Rate limit reached.", {"retry-after-ms": "20"}),
    ],
    ids=["error", "overloaded", "limited"],
)
async def test_a_service_that_is_down_for_a_while_costs_no_message(
    wire: Wire, model: str, fault: Fault
) -> None:
    told = await wire.ask(model, [*[fault] * 6, {"lookup_client": {}}, ANSWER])

    assert told.said == ANSWER
    assert told.run["status"] == "completed"
    assert len(told.requests) == 8


@pytest.mark.parametrize("model", PROTOCOLS)
async def test_a_key_that_is_refused_is_not_tried_again(wire: Wire, model: str) -> None:
    told = await wire.ask(model, [Fault(401, "Incorrect API key provided: sk-not-a-key.")] * 9)

    assert REFUSED in told.said
    assert "sk-not" not in told.said
    assert len(told.requests) == 1


@pytest.mark.parametrize("model", PROTOCOLS)
async def test_a_stall_ends_with_the_time_a_turn_may_take(wire: Wire, model: str) -> None:
    told = await wire.ask(model, [Stall(60)] * 9, agencyclaw_turn_timeout_s=1.5)

    assert "took too long" in told.said
    assert told.run["status"] == "failed"


@pytest.mark.parametrize("model", PROTOCOLS)
async def test_an_answer_that_breaks_off_is_never_shown(wire: Wire, model: str) -> None:
    broken = BrokenOff("Five clients, and the sixth")
    told = await wire.ask(model, [*[broken] * 6, {"lookup_client": {}}, ANSWER])

    assert told.said == ANSWER
    assert told.run["status"] == "completed"


@pytest.mark.parametrize("model", PROTOCOLS)
async def test_the_same_words_come_as_a_stream(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    server = OpenAIServer([{"add": {"a": 1, "b": 2}}, "The point first: three."])
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        agent = Agent(model)
        agent.tool_plain(_add)
        async with agent.run_stream("hello") as result:
            pieces = [piece async for piece in result.stream_text(delta=True, debounce_by=None)]

    assert "".join(pieces) == "The point first: three."
    assert len(pieces) == 4
    assert [body["stream"] for body in server.requests] == [True, True]
    assert "call_1_0" in str(server.requests[1])


@pytest.mark.parametrize("model", PROTOCOLS)
@pytest.mark.parametrize("fault", [BrokenOff(), Stall(60)], ids=["breaks off", "stalls"])
async def test_a_stream_that_does_not_end_is_an_error(
    monkeypatch: pytest.MonkeyPatch, model: str, fault: Reply
) -> None:
    server = OpenAIServer([fault] * 9)
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        with pytest.raises(Exception) as raised:  # noqa: PT011 - the library's many kinds
            async with Agent(model).run_stream("hello", timeout=2) as result:
                await result.get_output()

    assert not isinstance(raised.value, AssertionError)


def _add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b
