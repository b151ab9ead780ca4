"""The owned model: it says and calls whatever the attacker wants, and notes what it was shown."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import ToolDefinition

# The library offers its search beside the functions, and does not count it among them.
SEARCH = "search_tools"
_INSISTS_ON = "model_retry"
CLOSING = "That is all there is to say about it."


@dataclass(frozen=True)
class Bid:
    """A tool call the model makes; `args` may be text that is no JSON at all."""

    tool: str
    args: dict[str, Any] | str = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Stall:
    """The model says nothing for so many seconds."""

    seconds: float


Step = str | Stall | Bid | Sequence[Bid] | Exception | Callable[[list[ModelMessage]], "Step"]


@dataclass(frozen=True)
class Asked:
    """One request to the model: what was offered, and what it called in answer."""

    offered: frozenset[str]
    called: tuple[str, ...]
    messages: int


class StepsLeft(AssertionError):
    """A run ended before the attacker had done what they meant to do."""


class Owned:
    """Plays the steps of one run after the other, then a closing sentence."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque()
        self.asked: list[Asked] = []
        self.seen: list[ModelMessage] = []
        self.tools: tuple[ToolDefinition, ...] = ()
        self._calls = 0
        self.model = FunctionModel(self._answer, model_name="owned")

    def will(self, *steps: Step) -> None:
        """Set the steps of the next run; what is left of the run before is dropped."""
        self._steps = deque(steps)

    def forget(self) -> None:
        """Start anew."""
        self._steps.clear()
        self.asked.clear()
        self.seen.clear()

    def must_be_done(self) -> None:
        """Raise unless every step was taken."""
        if self._steps:
            raise StepsLeft(f"{len(self._steps)} steps were never asked for")

    async def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        step: Step | None = self._sent_back(messages)
        if step is None:
            step = self._steps.popleft() if self._steps else CLOSING
        while callable(step):
            step = step(messages)
        self.seen = list(messages)
        self.tools = tuple({one.name: one for one in [*self.tools, *info.function_tools]}.values())
        if isinstance(step, Bid):
            step = [step]
        bids = list(step) if isinstance(step, list | tuple) else []
        self.asked.append(
            Asked(
                frozenset(tool.name for tool in (*info.function_tools, *info.output_tools))
                | {SEARCH},
                tuple(bid.tool for bid in bids),
                len(messages),
            )
        )
        if isinstance(step, Stall):
            await asyncio.sleep(step.seconds)
            step = CLOSING
        if isinstance(step, Exception):
            raise step
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[self._part(bid) for bid in bids])

    def _sent_back(self, messages: list[ModelMessage]) -> list[Bid] | None:
        """It insists: a call that came back because nobody stated what it says is made again."""
        again = {
            part.tool_call_id
            for part in messages[-1].parts
            if isinstance(part, ToolReturnPart) and part.retry and part.retry.cause == _INSISTS_ON
        }
        calls = [part for one in messages[-2:] for part in one.parts]
        made = [part for part in calls if isinstance(part, ToolCallPart)]
        return [
            Bid(one.tool_name, one.args or {}) for one in made if one.tool_call_id in again
        ] or None

    def _part(self, bid: Bid) -> ToolCallPart:
        self._calls += 1
        return ToolCallPart(bid.tool, _sendable(bid.args), tool_call_id=f"call_{self._calls}")


def _sendable(args: dict[str, Any] | str) -> dict[str, Any] | str:
    """Lone surrogates can only travel escaped, as a provider would send them."""
    text = json.dumps(args)
    return text if isinstance(args, dict) and "\\ud8" in text.lower() else args


def outage(status: int = 401) -> Exception:
    """A model that is down, with a secret in its words."""
    from tests.adversary.ledgers import SECRET

    return ModelHTTPError(status_code=status, model_name="owned", body={"error": SECRET})
