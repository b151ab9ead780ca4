"""Counts what is sent to a model, and how much of it is the same from turn to turn."""

from __future__ import annotations

import json
from itertools import pairwise, takewhile
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel
from rs_bpe.bpe import openai

from agencyclaw.agents.main import Models
from benchmarks.conversation import CONVERSATION
from benchmarks.instant import respond
from benchmarks.server import BenchmarkServer
from benchmarks.systems.own import AgencyClaw


async def measure(server: BenchmarkServer) -> dict[str, float]:
    """Hold one conversation and count what the model was sent."""
    sent: list[tuple[str, str, str]] = []

    async def listen(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append((str(info.instructions or ""), _tools(info), _plain(messages)))
        return await respond(messages, info)

    system = await AgencyClaw.open(await server.database(), Models(FunctionModel(listen)))
    await system.start()
    for exchange in CONVERSATION:
        await system.turn("TOKENS", exchange.said)
        await system.rest()
    await system.stop()
    await system.close()
    return _figures(sent)


def _figures(sent: list[tuple[str, str, str]]) -> dict[str, float]:
    first = sent[::2]
    texts = ["".join(parts) for parts in first]
    shares = [_shared(one, other) / len(one) for one, other in pairwise(texts)]
    within = [
        _shared("".join(one), "".join(other)) / len("".join(one))
        for one, other in zip(sent[::2], sent[1::2], strict=True)
    ]
    return {
        "instructions": _count(first[-1][0]),
        "tool_definitions": _count(first[-1][1]),
        "tools": len(json.loads(first[-1][1])),
        "messages_first_turn": _count(first[0][2]),
        "messages_tenth_turn": _count(first[-1][2]),
        "prefix_share_between_turns": round(sum(shares) / len(shares), 3),
        "prefix_share_within_a_turn": round(sum(within) / len(within), 3),
    }


def _count(text: str) -> int:
    """Count as OpenAI's newer models do (o200k)."""
    return openai.o200k_base().count(text)


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _tools(info: AgentInfo) -> str:
    definitions: list[dict[str, Any]] = [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters_json_schema,
        }
        for tool in info.function_tools
    ]
    return json.dumps(definitions, ensure_ascii=False)


def _plain(messages: list[ModelMessage]) -> str:
    """Serialise the messages as sent: parts and contents, without ids and times."""
    plain = ModelMessagesTypeAdapter.dump_python(messages, mode="json")
    kept = [
        [
            (p.get("part_kind"), p.get("tool_name"), p.get("args"), p.get("content"))
            for p in m["parts"]
        ]
        for m in plain
    ]
    return json.dumps(kept, ensure_ascii=False)
