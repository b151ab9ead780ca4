"""The planner: a sub-agent that reads and reports a plan to the main agent.

It never speaks to a person. The changes in its plan are suggestions, which the main agent may
prepare with its own tools. Code records what it did; its words are checked like an answer's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import logfire
from pydantic_ai import Agent, RunContext, capture_run_messages
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.toolsets import AbstractToolset

from agencyclaw.agents.failures import RUN_ERRORS
from agencyclaw.agents.open_questions import tool_returns
from agencyclaw.agents.policies.journal import evidence_key
from agencyclaw.agents.policies.trail import found_in
from agencyclaw.agents.sub_runs import (
    STOPPED,
    TOO_MANY,
    Child,
    Ended,
    SubRuns,
    build_child,
    failure_reason,
)
from agencyclaw.agents.verification import checking, conclude, examine
from agencyclaw.deps import Deps
from agencyclaw.domain.journal import JournalPage
from agencyclaw.domain.planning import ActionTaken, Plan, PlannerReport, State
from agencyclaw.domain.runs import RunStatus, RunType
from agencyclaw.domain.text import cut, digest, dump_clean
from agencyclaw.knowledge.checks import Issue
from agencyclaw.tools import TOOLS
from agencyclaw.tools.plan_checks import check_plan, describe_tools, refused_steps
from agencyclaw.tools.results import Ask, Refusal

PROMPT = "planner"
REQUESTS_AT_MOST = 6
_SHOWN = 200
# Faults of answers only: a plan, which people do not read, must name tools and arguments.
_FAULTS_OF_ANSWERS = frozenset({"tool_name", "raw_json", "shows_id", "too_long"})
_STATUS: dict[State, RunStatus] = {"failed": RunStatus.FAILED, "blocked": RunStatus.BLOCKED}


def build_planner(toolset: AbstractToolset[Deps]) -> Agent[Deps, Plan]:
    """Build the planner; it is stateless and shared by all runs."""
    agent = build_child("planner", PROMPT, Plan, toolset)
    agent.output_validator(verify_plan)
    return agent


async def verify_plan(ctx: RunContext[Deps], plan: Plan) -> Plan:
    """Send back a plan that can't be carried out, or that states what no tool returned."""
    with checking(ctx, len(plan.words)) as (check, span):
        _, issues = examine(ctx, plan.words)
        faults = [issue for issue in issues if issue.code not in _FAULTS_OF_ANSWERS]
        faults += [Issue(code="plan", message=fault) for fault in check_plan(plan)]
        conclude(check, span, faults)
        return plan


@dataclass
class Planning:
    """Runs the planner for one turn, and again while its plan changes; `deps.planners`."""

    agent: Agent[Deps, Plan]
    children: SubRuns
    latest: str = ""
    is_stable: bool = False

    async def plan(self, deps: Deps, goal: str) -> PlannerReport:
        """Return a report, whatever the outcome; once a plan repeats itself, it is final."""
        if self.is_stable:
            return PlannerReport(state="stabilised", goal=goal)
        async with self.children.admit(REQUESTS_AT_MOST) as admission:
            if not admission.allowed:
                return PlannerReport(state="failed", goal=goal, why=TOO_MANY)
            child = Child(admission, deps, RunType.PLANNER, self.agent, PROMPT, goal)

            async def work() -> tuple[PlannerReport, Ended]:
                report = await self._report(child)
                await _keep(child, report)
                return report, _ended(report)

            return await child.run_recorded(
                work, PlannerReport(state="failed", goal=goal, why=STOPPED)
            )

    async def _report(self, child: Child[Plan]) -> PlannerReport:
        with capture_run_messages() as messages:
            try:
                plan = (await child.run(describe_tools(child.deps))).output
            except RUN_ERRORS as error:
                logfire.warn("planner failed", run=str(child.run_id), error=type(error).__name__)
                is_spent = isinstance(error, UsageLimitExceeded)
                return PlannerReport(
                    state="budget_exhausted" if is_spent else "failed",
                    goal=child.question,
                    actions=_actions(child, messages),
                    why=failure_reason(error),
                )
        refused = refused_steps(child.deps, plan)
        not_allowed = [step for step, _ in refused]
        steps = tuple(step for step in plan.steps if step not in not_allowed)
        return PlannerReport(
            state=self._state(child, plan, is_blocked=bool(refused) and not steps),
            goal=child.question,
            plan=plan.model_copy(update={"steps": steps}),
            actions=_actions(child, messages),
            refused=tuple(f"{TOOLS[step.tool].title}: {why}" for step, why in refused),
        )

    def _state(self, child: Child[Plan], plan: Plan, *, is_blocked: bool) -> State:
        before, self.latest = self.latest, _fingerprint(plan)
        # Two plans without a step are equal, whatever they are for.
        self.is_stable = bool(plan.steps) and before == self.latest
        if self.is_stable:
            return "stabilised"
        if is_blocked:
            return "blocked"
        if not plan.steps:
            return "needs_clarification"
        is_spent = child.admission.usage.requests >= child.admission.allowed
        return "budget_exhausted" if is_spent else "completed"


def _fingerprint(plan: Plan) -> str:
    """Return a hash of the plan's calls, independent of its wording."""
    return digest([[step.tool, step.arguments] for step in plan.steps])


def _ended(report: PlannerReport) -> Ended:
    text = report.plan.summary if report.plan else report.why
    output = {"text": text, "state": report.state, "actions": len(report.actions)}
    return Ended(_STATUS.get(report.state, RunStatus.COMPLETED), output)


async def _keep(child: Child[Plan], report: PlannerReport) -> None:
    page = dump_clean(report.model_dump(mode="json"))
    await child.journal.write(JournalPage(messages=(("planner_report", page),)))


def _actions(child: Child[Plan], messages: Sequence[ModelMessage]) -> tuple[ActionTaken, ...]:
    """Return the look-ups and what they found, with the key of each result."""
    arguments = {
        call.tool_call_id: call.args_as_dict()
        for message in messages
        if isinstance(message, ModelResponse)
        for call in message.tool_calls
    }
    return tuple(
        ActionTaken(
            tool=part.tool_name,
            arguments=arguments[part.tool_call_id],
            outcome=_outcome(part.content),
            evidence=evidence_key(child.run_id, part.tool_call_id),
        )
        for part in tool_returns(messages)
        if part.tool_name in TOOLS and part.outcome == "success"
    )


def _outcome(content: object) -> str:
    match content:
        case Ask():
            return f"asks: {cut(content.question, _SHOWN)}"
        case Refusal():
            return f"refused: {cut(content.message, _SHOWN)}"
        case _:
            return found_in(content) or "nothing"
