"""Plans for larger pieces of work: what a planner proposes, and what it reports with it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from agencyclaw.domain.people import Certainty, Value

STEPS_AT_MOST = 3
UNKNOWN = "unknown"
_NAMED_AT_MOST = 6

Words = Annotated[str, Field(max_length=400)]
Complexity = Literal["simple", "moderate", "complex"]
State = Literal[
    "completed", "stabilised", "needs_clarification", "budget_exhausted", "blocked", "failed"
]


class PlanStep(Value):
    """One call the colleague should make next; `success` says how it is known to have worked."""

    tool: Annotated[str, Field(max_length=100)]
    arguments: dict[str, Any] = Field(default_factory=dict[str, Any])
    reason: Words = ""
    success: Words = ""
    otherwise: Words = ""


class Plan(Value):
    """What is known, and what to do next: at most three steps, in their order.

    `intent` says in a few words what is wanted; "unknown" when nothing can be planned.
    """

    intent: Annotated[str, Field(max_length=200)]
    summary: Annotated[str, Field(max_length=3_000)]
    steps: tuple[PlanStep, ...] = ()
    open_questions: Annotated[tuple[Words, ...], Field(max_length=_NAMED_AT_MOST)] = ()
    success_criteria: Annotated[tuple[Words, ...], Field(max_length=_NAMED_AT_MOST)] = ()
    complexity: Complexity = "moderate"
    confidence: Certainty = 0.5

    @property
    def words(self) -> str:
        """Everything it says, arguments too: all of it is checked."""
        parts = [self.intent, self.summary, *self.open_questions, *self.success_criteria]
        for step in self.steps:
            parts += [step.reason, step.success, step.otherwise, *map(str, step.arguments.values())]
        return "\n".join(part for part in parts if part)


class ActionTaken(Value):
    """A look-up the planner made; `evidence` is the key that brings its result back."""

    tool: str
    arguments: dict[str, Any]
    outcome: str
    evidence: str


class PlannerReport(Value):
    """What a planner reports: the actions as code recorded them, and the plan it made."""

    state: State
    goal: str
    plan: Plan | None = None
    actions: tuple[ActionTaken, ...] = ()
    refused: tuple[str, ...] = ()
    why: str = ""
