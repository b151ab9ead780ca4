"""Policies bundled: asked where they have an answer, in the library's order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic_ai import Agent, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.policies.together import Together, hooks_of, together

STEPS = (
    "prepare_tools",
    "wrap_model_request",
    "after_model_request",
    "wrap_tool_validate",
    "after_tool_validate",
    "before_tool_execute",
    "wrap_tool_execute",
    "after_tool_execute",
)


@dataclass
class Witness(AbstractCapability[Any]):
    """Writes down every hook that is called, and in what order wraps begin and end."""

    name: str
    heard: list[str]

    def _hear(self, hook: str) -> None:
        self.heard.append(f"{self.name} {hook}")

    async def prepare_tools(self, ctx: RunContext[Any], tool_defs: list[Any]) -> list[Any]:
        self._hear("prepare_tools")
        return tool_defs

    async def wrap_model_request(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, handler: Any
    ) -> ModelResponse:
        self._hear("wrap_model_request")
        try:
            return await handler(request_context)
        finally:
            self._hear("wrap_model_request ends")

    async def after_model_request(
        self,
        ctx: RunContext[Any],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        self._hear("after_model_request")
        return response

    async def wrap_tool_validate(self, ctx: RunContext[Any], *, handler: Any, **rest: Any) -> Any:
        self._hear("wrap_tool_validate")
        return await handler(rest["args"])

    async def on_tool_validate_error(self, ctx: RunContext[Any], **rest: Any) -> Any:
        self._hear("on_tool_validate_error")
        raise rest["error"]

    async def after_tool_validate(self, ctx: RunContext[Any], **rest: Any) -> Any:
        self._hear("after_tool_validate")
        return rest["args"]

    async def before_tool_execute(self, ctx: RunContext[Any], **rest: Any) -> Any:
        self._hear("before_tool_execute")
        return rest["args"]

    async def wrap_tool_execute(self, ctx: RunContext[Any], *, handler: Any, **rest: Any) -> Any:
        self._hear("wrap_tool_execute")
        try:
            return await handler(rest["args"])
        finally:
            self._hear("wrap_tool_execute ends")

    async def after_tool_execute(self, ctx: RunContext[Any], **rest: Any) -> Any:
        self._hear("after_tool_execute")
        return rest["result"]


@dataclass
class Starter(AbstractCapability[Any]):
    """Uses a hook that the bundle does not pass on."""

    heard: list[str]

    async def before_run(self, ctx: RunContext[Any]) -> None:
        self.heard.append("before_run")


async def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """Call once with bad arguments and once with good ones, then answer."""
    asked = sum(isinstance(message, ModelResponse) for message in messages)
    if asked == 2:
        return ModelResponse(parts=[TextPart("done")])
    return ModelResponse(parts=[ToolCallPart("double", {"number": 4 if asked else "many"})])


async def run(bundle: Callable[..., list[AbstractCapability[Any]]]) -> list[str]:
    heard: list[str] = []
    agent = Agent(FunctionModel(answer), retries=3)

    @agent.tool_plain
    async def double(number: int) -> int:
        return number * 2

    policies = (Witness("first", heard), Witness("second", heard))
    result = await agent.run("go", capabilities=bundle(*policies))

    assert result.output == "done"
    return heard


async def test_bundled_policies_hear_what_single_ones_hear_in_the_same_order() -> None:
    single = await run(lambda *policies: list(policies))
    bundled = await run(together)

    assert bundled == single
    assert {line.split()[1] for line in bundled} == {*STEPS, "on_tool_validate_error"}


async def test_a_policy_with_another_hook_is_not_silenced() -> None:
    heard: list[str] = []
    bundle = together(Witness("first", heard), Starter(heard))

    await Agent(FunctionModel(answer), retries=3, tools=[double]).run("go", capabilities=bundle)

    assert [type(one) for one in bundle] == [Together, Starter]
    assert "before_run" in heard


def double(number: int) -> int:
    """Double a number."""
    return number * 2


def test_only_what_a_policy_implements_counts_as_its_hooks() -> None:
    assert hooks_of(Starter) == {"before_run"}
