"""With a key, the same assistant talks to a language model over HTTP."""

from __future__ import annotations

import pytest
from fakes.openai_server import OpenAIServer
from pydantic_ai import Agent, models
from stage import on_stage

from agencyclaw.store.engine import Database
from agencyclaw.workbench.fixture import Bench

INES = "U01INES"
REPLIES = (
    {"search_kb": {"query": "coupon"}},
    {
        "create_task": {
            "client": "Copperleaf",
            "brand": "Copperleaf",
            "title": "Set up a spring coupon",
            "request": "15% off coupon for B0CF7GARL1",
        }
    },
    "I prepared it on the Coupons Promotion SOP. The dates are still open.",
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")


async def test_a_message_becomes_a_card_through_a_model_on_the_wire(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = OpenAIServer(REPLIES)
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        async with on_stage(bench, agency, agencyclaw_model="") as stage:
            root = await stage.say(INES, "we want 15% off on B0CF7GARL1 at Copperleaf")
            card = await stage.card(INES, root)
            await stage.reply_with(INES, root, "I prepared it on the Coupons Promotion SOP.")
            await stage.press(INES, card, "Create task")
            await stage.created("Set up a spring coupon")
            await stage.settled()

    first, *_, last = server.requests
    assert server.keys == ["Bearer sk-not-a-key"] * 3
    assert first["model"] == "gpt-5-mini"
    assert {tool["function"]["name"] for tool in first["tools"]} >= {"search_kb", "create_task"}
    assert first["messages"][-1]["content"][-1]["text"].startswith("we want 15% off")
    assert [message["role"] for message in last["messages"]][-2:] == ["assistant", "tool"]


async def test_the_same_words_come_as_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    server = OpenAIServer(["The point first."])
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        async with Agent("openai-chat:gpt-5-mini").run_stream("hello") as result:
            said = await result.get_output()

    assert said.strip() == "The point first."
    assert server.requests[0]["stream"] is True
