"""The main agent: one question in, one checked answer out; its outcomes are values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import logfire
from pydantic_ai import Agent, ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability, SelectModel
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart
from pydantic_ai.models import Model, ModelSelectionContext
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.limits import Budget, LoopGuard
from agencyclaw.agents.policies.requests import RequestSpans
from agencyclaw.agents.policies.together import together
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.deps import Deps
from agencyclaw.domain.pleasantries import is_pleasantry
from agencyclaw.knowledge.checks import AnswerFacts, check_answer, repair
from agencyclaw.knowledge.links import urls_of
from agencyclaw.tools.results import Ask, Proposed

MODEL_PROMPT = "main"


@dataclass(frozen=True)
class Models:
    """The models of a deployment: a cheap one, the usual one, and the strongest."""

    default: Model | str
    fast: Model | str | None = None
    frontier: Model | str | None = None

    def starting_with(self, request: str) -> Model | str:
        """Return the model for a message: mere manners need no more than the fast one."""
        return (self.fast if is_pleasantry(request) else None) or self.default

    def after(self, rejected: int, start: Model | str) -> Model | str:
        """Return the model after so many rejected answers: a tier up from the first on."""
        return self.frontier if rejected and self.frontier else start


@dataclass(frozen=True)
class Limits:
    """What one run may use; seconds for time."""

    max_requests: int = 10
    timeout_s: float = 120.0
    history_tokens: int = 8_000
    context_tokens: int = 4_000


@dataclass(frozen=True)
class Answered:
    """A checked answer; `choices` are the options of a question a tool asked last."""

    text: str
    choices: tuple[str, ...]
    requests: int
    tool_calls: int


@dataclass(frozen=True)
class Failed:
    """No answer; `reason` is for the log, `message` for the person."""

    reason: str
    message: str


def build_main(toolset: AbstractToolset[Deps]) -> Agent[Deps, str]:
    """Build the agent once; it is stateless and shared by all runs."""
    agent = Agent[Deps, str](
        name="agencyclaw",
        deps_type=Deps,
        output_type=str,
        instructions=load_prompt(MODEL_PROMPT).text,
        toolsets=[toolset],
        retries={"tools": 3, "output": 2},
        tool_timeout=30,
        defer_model_check=True,
        model_settings=ModelSettings(cache=True),
    )
    agent.output_validator(_verify)
    return agent


async def _verify(ctx: RunContext[Deps], text: str) -> str:
    """Check an answer; errors send it back, all of them at once, at most twice."""
    with logfire.span("agent.verify", attempt=ctx.retry) as span:
        returned = _returned(ctx.messages)
        links = ctx.deps.known_links.union(*(urls_of(content) for content in returned))
        text = repair(text, allowed=links)
        facts = AnswerFacts(
            request=ctx.deps.request,
            allowed_links=links,
            drafts=sum(isinstance(content, Proposed) for content in returned),
            has_changed_before=ctx.deps.has_changed_before,
            has_proposed_before=ctx.deps.has_proposed_before,
        )
        issues = check_answer(text, facts)
        span.set_attribute("issues", [issue.code for issue in issues])
        errors = [issue for issue in issues if issue.severity == "error"]
        if errors:
            raise ModelRetry("\n".join(issue.message for issue in errors))
        return text


def _returned(messages: Sequence[ModelMessage]) -> list[Any]:
    """Return what tools returned, oldest first."""
    return [
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]


async def answer(
    agent: Agent[Deps, str],
    models: Models,
    deps: Deps,
    *,
    situation: str,
    history: Sequence[ModelMessage],
    journal: Journal,
    limits: Limits,
    watchers: Sequence[AbstractCapability[Deps]] = (),
) -> Answered | Failed:
    """Run the agent on the person's words and return what came of it."""
    start = models.starting_with(deps.request)

    def select(ctx: ModelSelectionContext[Deps]) -> Model | str:
        return models.after(ctx.retry, start)

    try:
        result = await agent.run(
            [situation, deps.request],
            deps=deps,
            message_history=list(history),
            usage_limits=UsageLimits(request_limit=limits.max_requests),
            timeout=limits.timeout_s,
            capabilities=together(
                SelectModel(select),
                RequestSpans(),
                journal,
                *watchers,
                LoopGuard(),
                Budget(limits.max_requests),
            ),
            metadata={"run": str(deps.run_id)},
        )
    except (AgentRunError, ModelAPIError, TimeoutError) as error:
        return _failure(error)
    finally:
        await journal.finish()
    return Answered(
        text=result.output,
        choices=_choices(result.new_messages()),
        requests=result.usage.requests,
        tool_calls=journal.calls,
    )


def _choices(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """Return the options of the question among what tools returned last, if there was one."""
    batches = [content for message in messages if (content := _returned([message]))]
    asked = [content for content in (batches[-1] if batches else ()) if isinstance(content, Ask)]
    return asked[-1].options[:5] if asked else ()


def _failure(error: Exception) -> Failed:
    reason = type(error).__name__
    logfire.warn("model failed", error=reason)
    match error:
        case UsageLimitExceeded():
            message = "I needed more steps than I'm allowed for one question."
        case ContentFilterError():
            message = "The language model refused to answer this."
        case UnexpectedModelBehavior():
            message = "I couldn't put together an answer that passes my own checks."
        case ModelAPIError():
            message = "The language model can't be reached right now."
        case _:
            message = "The answer took too long, so I stopped."
    return Failed(reason, message)
