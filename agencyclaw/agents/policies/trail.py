"""Describes in words for people what a run did: what it looked up, found, or failed at."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from pydantic_ai.exceptions import ToolRetryError
from pydantic_ai.messages import ToolCallPart

from agencyclaw.domain.errors import Postponed, WrongPlace
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import first_few, one_line
from agencyclaw.tools.results import AWAY, Ask, Refusal
from agencyclaw.tools.sops import KnowledgeAnswer
from agencyclaw.tools.unsupported_figures import SentBack

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
class Trail:
    """The steps of one run, in the order they ended; `under_way` are the titles of open calls.

    One instance per run.
    """

    steps: list[TrailStep] = field(default_factory=list[TrailStep])
    under_way: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def errors_in_a_row(self) -> list[TrailStep]:
        """The calls that failed since the last success."""
        failed = list(takewhile(lambda step: step.outcome.fault, reversed(self.steps)))
        return failed[::-1]

    @property
    def clickup_is_away(self) -> bool:
        """Whether every recent failure was ClickUp's."""
        failed = self.errors_in_a_row
        return bool(failed) and all(step.outcome.is_away for step in failed)

    @property
    def doing(self) -> str:
        """What the run was doing last."""
        if self.under_way:
            return next(iter(self.under_way.values()))
        return self.steps[-1].title if self.steps else ""

    def begin_call(self, call: ToolCallPart, title: str) -> None:
        """Note that a call is under way."""
        self.under_way[call.tool_call_id] = title

    def record_result(self, call: ToolCallPart, title: str, result: Any) -> None:
        """Note what a call found, or why it was refused."""
        is_refused = isinstance(result, Refusal)
        self._end(
            call, title, _refused(result) if is_refused else CallOutcome(found=found_in(result))
        )

    def record_failure(self, call: ToolCallPart, title: str, error: BaseException) -> None:
        """Note why a call failed; one that was cut off stays under way."""
        match error:
            case asyncio.CancelledError() | WrongPlace():
                pass
            case Postponed():
                self._end(call, title, CallOutcome(fault=str(error), is_away=True))
            case ToolRetryError(__cause__=SentBack()):
                self._end(call, title, CallOutcome(fault=_SENT_BACK))
            case _:
                self._end(call, title, CallOutcome(fault=_BROKE))

    def record_misuse(self, call: ToolCallPart, title: str) -> None:
        """Note a call whose arguments no tool accepts."""
        self._end(call, title, CallOutcome(fault=_MISCALLED))

    def _end(self, call: ToolCallPart, title: str, outcome: CallOutcome) -> None:
        self.under_way.pop(call.tool_call_id, None)
        if title:
            self.steps.append(TrailStep(call.tool_name, title, outcome))


def _refused(refusal: Refusal) -> CallOutcome:
    fault = _MISCALLED if refusal.is_for_model else refusal.message
    return CallOutcome(fault=fault, is_away=refusal.reason == AWAY)


def found_in(result: Any) -> str:
    """Describe a result in a few words; "" if it is empty."""
    match result:
        case Ask():
            return message("trail.question")
        case KnowledgeAnswer():
            hits = (*result.procedures, *result.documents)
            earlier = message("trail.earlier_tasks") if result.found else ""
            return _named([hit.title for hit in hits]) or earlier
        case _:
            total = getattr(result, "total", None)
            if not isinstance(total, int):
                return message("trail.done")
            return message("trail.found", total=total) if total else ""


def _named(titles: Sequence[str]) -> str:
    return first_few([f"“{one_line(title, _NAME_LIMIT)}”" for title in titles], _NAMED_AT_MOST)
