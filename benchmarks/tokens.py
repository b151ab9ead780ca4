"""Counts what is sent to a model, and how much of it is the same from turn to turn."""

from __future__ import annotations

import json
from itertools import pairwise, takewhile

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.main import Models
from agencyclaw.knowledge.tokens import count_tokens
from benchmarks.conversation import CONVERSATION
from benchmarks.instant import respond
from benchmarks.sent import messages_text, tools_text
from benchmarks.server import BenchmarkServer
from benchmarks.systems.own import AgencyClaw


async def measure(server: BenchmarkServer) -> dict[str, float]:
    """Hold one conversation and count what the model was sent."""
    sent: list[tuple[str, str, str]] = []

    async def listen(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append((str(info.instructions or ""), tools_text(info), messages_text(messages)))
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
        "instructions": count_tokens(first[-1][0]),
        "tool_definitions": count_tokens(first[-1][1]),
        "tools": len(json.loads(first[-1][1])),
        "messages_first_turn": count_tokens(first[0][2]),
        "messages_tenth_turn": count_tokens(first[-1][2]),
        "prefix_share_between_turns": round(sum(shares) / len(shares), 3),
        "prefix_share_within_a_turn": round(sum(within) / len(within), 3),
    }


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
