"""Plans a larger piece of work with a planner that only reads."""

from __future__ import annotations

from typing import Any

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Certainty, Tier
from agencyclaw.domain.planning import ActionTaken, PlannerReport, PlanStep, State
from agencyclaw.domain.text import cut
from agencyclaw.knowledge.excerpts import shortened
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.arguments import Request
from agencyclaw.tools.catalogue import TOOLS, reads
from agencyclaw.tools.results import Result

TOKENS_AT_MOST = 2_000
_ACTIONS_AT_MOST = 8
# What a long report goes without, the least useful first.
_LEFT_OUT = {
    "actions_taken": "its look-ups",
    "success_criteria": "its criteria of success",
    "refused": "what the person may not take of it",
    "open_questions": "its open questions",
}
_NOTES: dict[State, str] = {
    "completed": "Suggestions only: nothing was prepared. Take the steps that are wanted with your"
    " own tools.",
    "stabilised": "The plan does not change any more: go on with it, and plan no further.",
    "needs_clarification": "Nothing can be planned yet: ask the person.",
    "budget_exhausted": "The planner ran out of steps: what it found is here, and may be"
    " incomplete. The person is told so by the system.",
    "blocked": "The person may take none of these steps here: say so, with the reason.",
    "failed": "There is no plan. Help the person without one.",
}


class NextStep(Result):
    """A tool call to make next."""

    tool: str
    arguments: dict[str, Any]
    waits_for_the_person: bool = False
    reason: str = ""
    success: str = ""
    otherwise: str = ""


class PlannedLookup(Result):
    """A look-up the planner made; `evidence` is the key of its result."""

    tool: str
    arguments: str
    outcome: str
    evidence: str


class PlanReport(Result):
    """The planner's report."""

    state: State
    goal: str
    intent: str = ""
    summary: str = ""
    steps: tuple[NextStep, ...] = ()
    refused: tuple[str, ...] = ()
    actions_taken: tuple[PlannedLookup, ...] = ()
    open_questions: tuple[str, ...] = ()
    success_criteria: tuple[str, ...] = ()
    complexity: str = ""
    confidence: Certainty | None = None
    why: str = ""
    note: str = ""


@reads(tier=Tier.MEMBER, on_demand=True, delegates=True)
async def delegate_planner(ctx: RunContext[Deps], goal: Request) -> PlanReport:
    """Plan a larger piece of work that takes several steps: a launch, a clean-up, an onboarding.

    A planner looks around and reports the next steps. It changes nothing; you take the steps.

    Args:
        goal: What the person wants, whole, with client, brand and dates as they were named.
    """
    return _fitted(await ctx.deps.planners.plan(ctx.deps, goal))


def _fitted(report: PlannerReport) -> PlanReport:
    """Return the report shortened to a sub-agent's limit; the steps are kept in full."""
    whole = _plan_report(report)

    def fits(summary: str) -> bool:
        tried = whole.model_copy(update={"summary": summary})
        return count_tokens(tried.model_dump_json()) <= TOKENS_AT_MOST

    for field, words in _LEFT_OUT.items():
        if getattr(whole, field) and not fits(""):
            note = f"{whole.note} Too long to show: {words}."
            whole = whole.model_copy(update={field: (), "note": note})
    return whole.model_copy(update={"summary": shortened(whole.summary, fits)})


def _plan_report(report: PlannerReport) -> PlanReport:
    plan = report.plan
    shown = PlanReport(
        state=report.state,
        goal=cut(report.goal, 120),
        refused=tuple(cut(one, 200) for one in report.refused),
        actions_taken=tuple(_action(one) for one in report.actions[:_ACTIONS_AT_MOST]),
        why=report.why,
        note=_NOTES[report.state],
    )
    if plan is None:
        return shown
    return shown.model_copy(
        update={
            "intent": cut(plan.intent, 80),
            "summary": plan.summary,
            "steps": tuple(_step(one) for one in plan.steps),
            "open_questions": plan.open_questions,
            "success_criteria": tuple(cut(one, 200) for one in plan.success_criteria),
            "complexity": plan.complexity,
            "confidence": plan.confidence,
        }
    )


def _step(step: PlanStep) -> NextStep:
    return NextStep(
        tool=step.tool,
        arguments=step.arguments,
        waits_for_the_person=TOOLS[step.tool].rule.changes,
        reason=cut(step.reason, 200),
        success=cut(step.success, 200),
        otherwise=cut(step.otherwise, 200),
    )


def _action(action: ActionTaken) -> PlannedLookup:
    return PlannedLookup(
        tool=action.tool,
        arguments=cut(", ".join(f"{k}: {v}" for k, v in action.arguments.items()), 120),
        outcome=cut(action.outcome, 120),
        evidence=action.evidence,
    )
