"""The main agent: one question in, one checked answer out; its outcomes are values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import logfire
from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability, SelectModel
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import Model, ModelSelectionContext
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from agencyclaw.agents.model_call import fault_of
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.limits import Budget, LoopGuard
from agencyclaw.agents.policies.requests import RequestSpans
from agencyclaw.agents.policies.together import together
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.verification import VERDICT, Verdict, returned_by, verify
from agencyclaw.deps import Deps
from agencyclaw.domain.choices import Choice
from agencyclaw.domain.errors import Misconfigured, NotHere
from agencyclaw.domain.pleasantries import is_pleasantry
from agencyclaw.domain.policy import Answering
from agencyclaw.domain.text import cut, folded
from agencyclaw.tools.guides import announced
from agencyclaw.tools.planning import PlanReport
from agencyclaw.tools.research import Findings
from agencyclaw.tools.results import Ask, Listing

MODEL_PROMPT = "main"
_AWAY = "The language model can't be reached right now."
_REFUSED = "The language model's service refuses me; whoever runs me has to mend that."
_PASSING = (
    ModelConnectionError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelUnavailableError,
)
_PASSING_STATUS = frozenset({408, 425, 429})
_PARTIAL = "I ran out of steps while I planned this, so it may be incomplete."


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
    """A checked answer; `choices` are the options of a question a tool asked last.

    `missing` are sentences on what could not be found out.
    """

    text: str
    choices: tuple[Choice, ...]
    requests: int
    tool_calls: int
    attempts: int = 1
    sources: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failed:
    """No answer; `reason` is for the log, `message` for the person, `cause` for the operator.

    `waits_s` when it passes by itself: then it is tried again, not before so many seconds.
    """

    reason: str
    message: str
    waits_s: float | None = None
    cause: str = ""


@dataclass(frozen=True)
class AnsweredElsewhere:
    """The answer is for no channel: it is given in the asker's direct messages, or not at all."""

    where: Answering


Outcome = Answered | AnsweredElsewhere | Failed


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
    agent.output_validator(verify)
    return agent


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
    trace: dict[str, str] | None = None,
) -> Outcome:
    """Run the agent on the person's words and return what came of it.

    `trace` is the context for the spans of the checks, which stand beside the acting.
    """
    start = models.starting_with(deps.request)
    verdict = Verdict(trace=trace)

    def select(ctx: ModelSelectionContext[Deps]) -> Model | str:
        return models.after(ctx.retry, start)

    try:
        result = await agent.run(
            [situation, deps.request],
            deps=deps,
            instructions=announced(deps) or None,
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
            metadata={"run": str(deps.run_id), VERDICT: verdict},
        )
    except NotHere as elsewhere:
        return AnsweredElsewhere(Answering(str(elsewhere)))
    except (AgentRunError, ModelAPIError, TimeoutError) as error:
        model = models.after(verdict.attempts, start)
        return _failure(error, verdict, model, str(deps.run_id))
    finally:
        await journal.finish()
    return Answered(
        text=result.output,
        choices=_choices(result.new_messages()),
        requests=result.usage.requests,
        tool_calls=journal.calls,
        attempts=verdict.attempts,
        sources=verdict.sources,
        reach=reach_of(result.new_messages()),
        missing=_missing(result.new_messages()),
    )


def _missing(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """Say what could not be found out, unless a later attempt did."""
    returned = returned_by(messages)
    findings = [content for content in returned if isinstance(content, Findings)]
    found = {folded(one.question) for each in findings for one in each.found}
    left = {
        folded(one.question): f"I couldn't find out about “{cut(one.question, 120)}”: {one.why}."
        for each in findings
        for one in each.missing
    }
    plans = [content for content in returned if isinstance(content, PlanReport)]
    is_partial = any(plan.state == "budget_exhausted" for plan in plans)
    missing = [said for question, said in left.items() if question not in found]
    return (*missing, *([_PARTIAL] if is_partial else []))


def reach_of(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """Return how far the lists reached that the answer rests on, where that is not everywhere."""
    lists = (content for content in returned_by(messages) if isinstance(content, Listing))
    return tuple(dict.fromkeys(one.reach for one in lists if one.reach))


def _choices(messages: Sequence[ModelMessage]) -> tuple[Choice, ...]:
    """Return the options of the question among what tools returned last, if there was one."""
    batches = [content for message in messages if (content := returned_by([message]))]
    asked = [content for content in (batches[-1] if batches else ()) if isinstance(content, Ask)]
    return asked[-1].options[:5] if asked else ()


def _failure(error: Exception, verdict: Verdict, model: Model | str, run: str) -> Failed:
    reason = type(error).__name__
    fault = fault_of(error, model) if isinstance(error, ModelAPIError) else None
    cause = str(fault or "")
    logfire.warn("model failed", run=run, error=reason, why=cause or reason)
    if verdict.issues and isinstance(error, UnexpectedModelBehavior):
        return Failed(f"checks:{','.join(verdict.issues)}", _unverified(verdict))
    match error:
        case UsageLimitExceeded():
            message = "I needed more steps than I'm allowed for one question."
        case ContentFilterError():
            message = "The language model refused to answer this."
        case UnexpectedModelBehavior():
            message = "I couldn't put together an answer that passes my own checks."
        case ModelAPIError():
            message = _REFUSED if isinstance(fault, Misconfigured) else _AWAY
            return Failed(reason, message, _passes_after(error), cause)
        case _:
            message = "The answer took too long, so I stopped."
    return Failed(reason, message)


def _passes_after(error: ModelAPIError) -> float | None:
    """Return how long the provider wants to be left alone; None when that would not help."""
    status = error.status_code if isinstance(error, ModelHTTPError) else 0
    is_passing = isinstance(error, _PASSING) or status in _PASSING_STATUS or status >= 500
    if not is_passing or isinstance(error, ModelQuotaExceededError):
        return None
    return error.retry_after or 0.0


def _unverified(verdict: Verdict) -> str:
    """Say what was tried, what was wrong with it, and what would help."""
    why = f": {verdict.in_words}" if verdict.in_words else ""
    return (
        "I couldn't put together an answer that passes my own checks. I wrote"
        f" {verdict.attempts}{why}. Asking for one part of it, with client and dates, often helps."
    )
