"""Describes in words for people what a run did: what it looked up, found, or failed at."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from agencyclaw.agents.policies.progress import step_of
from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Postponed, WrongPlace
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import one_line
from agencyclaw.tools.results import AWAY, Ask, Refusal
from agencyclaw.tools.sops import KnowledgeAnswer

_NAMED_AT_MOST = 3
_NAME_LIMIT = 60
_BROKE = message("trail.broke")
_SENT_BACK = message("trail.sent_back")
_MISCALLED = message("trail.miscalled")


@dataclass(frozen=True)
class CallOutcome:
    """The outcome of a call: what it found, or why it failed."""

    found: str = ""
    fault: str = ""
    is_away: bool = False


@dataclass(frozen=True)
class TrailStep:
    """One call as people read it, with its outcome."""

    tool: str
    title: str
    outcome: CallOutcome


@dataclass
class Trail(AbstractCapability[Deps]):
    """The steps of one run, in the order they ended; `under_way` are the others.

    One instance per run.
    """

    steps: list[TrailStep] = field(default_factory=list[TrailStep])
    under_way: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def errors_in_a_row(self) -> list[TrailStep]:
        """The calls that failed since the last success."""
        last = next(
            (at for at, one in enumerate(reversed(self.steps)) if not one.outcome.fault), None
        )
        return self.steps[-last:] if last else ([] if last == 0 else list(self.steps))

    @property
    def clickup_is_away(self) -> bool:
        """Whether every recent failure was ClickUp's."""
        failed = self.errors_in_a_row
        return bool(failed) and all(one.outcome.is_away for one in failed)

    @property
    def doing(self) -> str:
        """What the run was doing last."""
        titles = [*self.under_way.values(), *(one.title for one in reversed(self.steps))]
        return next(iter(titles), "")

    async def on_tool_validate_error(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: Any,
        error: ValidationError | ModelRetry,
    ) -> dict[str, Any]:
        """Record a call whose arguments no tool accepts."""
        self._note(ctx, call, {}, CallOutcome(fault=_MISCALLED))
        raise error

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        """Record the outcome of a call."""
        self.under_way[call.tool_call_id] = step_of(ctx.deps, call.tool_name, args)
        came: CallOutcome | None = CallOutcome(fault=_BROKE)
        try:
            result = await handler(args)
            is_refused = isinstance(result, Refusal)
            came = _refused(result) if is_refused else CallOutcome(found=_found(result))
            return result
        except Postponed as away:
            came = CallOutcome(fault=str(away), is_away=True)
            raise
        except ModelRetry:
            came = CallOutcome(fault=_SENT_BACK)
            raise
        except (asyncio.CancelledError, WrongPlace):
            came = None
            raise
        finally:
            if came:
                self.under_way.pop(call.tool_call_id, None)
                self._note(ctx, call, args, came)

    def _note(
        self, ctx: RunContext[Deps], call: ToolCallPart, args: dict[str, Any], came: CallOutcome
    ) -> None:
        if title := step_of(ctx.deps, call.tool_name, args):
            self.steps.append(TrailStep(call.tool_name, title, came))


def _refused(refusal: Refusal) -> CallOutcome:
    fault = _MISCALLED if refusal.is_for_model else refusal.message
    return CallOutcome(fault=fault, is_away=refusal.reason == AWAY)


def _found(result: Any) -> str:
    """Describe a result in a few words; "" if it is empty."""
    match result:
        case Ask():
            return message("trail.question")
        case KnowledgeAnswer():
            hits = (*result.procedures, *result.documents)
            earlier = message("trail.earlier_tasks") if result.found else ""
            return _named([one.title for one in hits]) or earlier
        case _:
            total = getattr(result, "total", None)
            if not isinstance(total, int):
                return message("trail.done")
            return message("trail.found", total=total) if total else ""


def _named(titles: Sequence[str]) -> str:
    named = ", ".join(f"“{one_line(one, _NAME_LIMIT)}”" for one in titles[:_NAMED_AT_MOST])
    more = len(titles) - _NAMED_AT_MOST
    return message("trail.and_more", named=named, more=more) if more > 0 else named
