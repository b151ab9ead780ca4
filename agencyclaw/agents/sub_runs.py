"""Runs of sub-agents: read-only tools, with limits and a journal of their own.

A sub-agent has no history, drafts nothing and runs no other agent. Its words are checked against
its own tools' results before the calling run may rely on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID, uuid4

from pydantic_ai import Agent
from pydantic_ai.agent import AgentRunResult
from pydantic_ai.exceptions import (
    FallbackExceptionGroup,
    ModelAPIError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import RunUsage, UsageLimits

from agencyclaw.agents.main import Models
from agencyclaw.agents.policies.escalation import Escalation, request_timeout
from agencyclaw.agents.policies.journal import Journal, RunLog
from agencyclaw.agents.policies.limits import RunLimits
from agencyclaw.agents.policies.refusals import Refusals
from agencyclaw.agents.policies.run_policies import RunPolicies
from agencyclaw.agents.policies.trail import Trail
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.situation import describe_to_child
from agencyclaw.agents.verification import ANSWER_CHECK, AnswerCheck
from agencyclaw.deps import Deps, Topic
from agencyclaw.deps.ports import Proposals
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.errors import Broken, WrongPlace
from agencyclaw.domain.findings import Finding, NoFinding
from agencyclaw.domain.journal import RefusedCall
from agencyclaw.domain.messages import message
from agencyclaw.domain.planning import PlannerReport
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.runs import RunStatus, RunType
from agencyclaw.spans import traced
from agencyclaw.tools.prior_results import FINDING_AT_MOST
from agencyclaw.tools.tool_search import tool_search

T = TypeVar("T")
R = TypeVar("R")

TOO_MANY = message("child.too_many")
STOPPED = message("child.stopped")
BROKEN = message("child.broken")
# One request to call a tool, one to answer.
_FEWEST = 2


@dataclass(frozen=True)
class ChildLimits:
    """Limits of one sub-agent and of their number; times are in seconds.

    `in_a_turn` are the requests of all sub-agents of a turn; the main agent's own are counted
    apart, so that it can still answer. `share` is the share of the turn's remaining time they may
    take.
    """

    max_requests: int = 8
    timeout_s: float = 60.0
    max_calls: int = 16
    at_once: int = 3
    in_a_turn: int = 24
    share: float = 0.8


@dataclass(frozen=True)
class Ended:
    """How a sub-agent's run ended."""

    status: RunStatus
    output: dict[str, Any]


class ChildLog(RunLog, Protocol):
    """Stores the runs of sub-agents below the run that called them."""

    async def begin_child(
        self, run_id: UUID, parent_id: UUID, kind: RunType, facts: dict[str, Any]
    ) -> bool:
        """Open a run; False if the calling run has ended meanwhile."""
        ...

    async def end_child(
        self,
        run_id: UUID,
        status: RunStatus,
        output: dict[str, Any],
        refusals: tuple[RefusedCall, ...],
    ) -> None:
        """Close a run unless it was closed, and record its refused calls."""
        ...


class NoPorts:
    """The ports of a sub-agent that may neither draft nor run other agents: each call is a bug.

    What its person confirmed and what waits for them it may see.
    """

    def __init__(self, proposals: Proposals) -> None:
        self.confirmed, self.open_cards = proposals.confirmed, proposals.open_cards

    async def draft(self, effect: Effect) -> Proposal:
        """Refuse: sub-agents have no tool that drafts."""
        raise Broken(f"a child wanted to prepare {effect.skill}")

    async def find_out(
        self, deps: Deps, questions: tuple[str, ...]
    ) -> tuple[Finding | NoFinding, ...]:
        """Refuse: sub-agents have no tool that researches."""
        raise Broken(f"the child {deps.run_id} wanted to send {len(questions)} others")

    async def plan(self, deps: Deps, goal: str) -> PlannerReport:
        """Refuse: sub-agents have no tool that plans."""
        raise Broken(f"the child {deps.run_id} wanted a plan of {len(goal)} characters")


@dataclass
class SubRuns:
    """The sub-agents of one turn: their slots, limits and use so far.

    `turn_s` is the time limit of the turn in seconds.
    """

    models: Models
    log: ChildLog
    limits: ChildLimits
    turn_s: float
    sent: int = 0
    requests: int = 0
    reserved: int = 0
    began: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    _slots: asyncio.Semaphore | None = None

    @asynccontextmanager
    async def admit(self, most: int) -> AsyncGenerator[Admission]:
        """Wait for a slot, and reserve up to `most` requests; none if too few are left."""
        self._slots = self._slots or asyncio.Semaphore(self.limits.at_once)
        async with self._slots:
            allowed = min(most, self.limits.in_a_turn - self.requests - self.reserved)
            admission = Admission(self, allowed if allowed >= _FEWEST else 0)
            self.sent += bool(admission.allowed)
            self.reserved += admission.allowed
            try:
                yield admission
            finally:
                self.reserved -= admission.allowed
                self.requests += admission.usage.requests

    def time_limit_s(self) -> float:
        """Return how many seconds a sub-agent that starts now may take."""
        passed_s = asyncio.get_running_loop().time() - self.began
        return max(0.1, min(self.limits.timeout_s, (self.turn_s - passed_s) * self.limits.share))


@dataclass
class Admission:
    """A slot for one sub-agent: the requests it may make, and what it used."""

    children: SubRuns
    allowed: int
    usage: RunUsage = field(default_factory=RunUsage)


def build_child(
    name: str, prompt: str, output_type: type[T], toolset: AbstractToolset[Deps]
) -> Agent[Deps, T]:
    """Build a sub-agent; it is stateless and shared by its runs."""
    return Agent[Deps, T](
        name=name,
        deps_type=Deps,
        output_type=output_type,
        instructions=load_prompt(prompt).text,
        toolsets=[toolset],
        capabilities=[tool_search()],
        retries={"tools": 3, "output": 2},
        tool_timeout=30,
        defer_model_check=True,
        model_settings=ModelSettings(cache=True),
    )


class Child(Generic[T]):
    """The run of one sub-agent, with its row, span and journal."""

    def __init__(
        self,
        admission: Admission,
        parent: Deps,
        kind: RunType,
        agent: Agent[Deps, T],
        prompt: str,
        question: str,
    ) -> None:
        self.run_id = uuid4()
        self.question = question
        self.kind = kind
        self.admission = admission
        self.log = admission.children.log
        self.journal = Journal(self.log, self.run_id, stage=kind.value)
        user_text = "\n".join([*parent.user_texts, parent.request])
        self.check = AnswerCheck(asked=user_text, limit=FINDING_AT_MOST)
        self._agent = agent
        self._prompt = prompt
        self._parent = parent
        self._refusals = Refusals()
        ports = NoPorts(parent.proposals)
        self.deps = replace(
            parent,
            run_id=self.run_id,
            request=question,
            proposals=ports,
            researchers=ports,
            planners=ports,
            calling="",
            rows=(),
            known_links=frozenset(),
            user_texts=(),
            thread_texts=(),
            guides=(),
            # The figures in its question are a model's, not the person's.
            calculator=None,
            topic=Topic(),
        )

    async def run_recorded(self, work: Callable[[], Awaitable[tuple[R, Ended]]], stopped: R) -> R:
        """Run the work under a span and a row of its own; both always get the outcome."""
        outcome, ended = stopped, Ended(RunStatus.FAILED, {"reason": "broken"})
        with traced("agent.child", run=str(self.run_id), kind=self.kind.value) as span:
            try:
                if await self._begin():
                    outcome, ended = await work()
                else:
                    ended = Ended(RunStatus.CANCELLED, {"reason": "stopped"})
                return outcome
            except (asyncio.CancelledError, WrongPlace):
                ended = Ended(RunStatus.CANCELLED, {"reason": "cancelled"})
                raise
            finally:
                span.set_attributes(
                    {"outcome": type(outcome).__name__, "status": ended.status.value}
                )
                self._parent.topic.add(self.deps.topic)
                refusals = self._refusals.recorded(self.deps)
                await self.log.end_child(self.run_id, ended.status, ended.output, refusals)

    async def _begin(self) -> bool:
        """Open the row; the span names the calling run from the start."""
        parent, child = str(self._parent.run_id), str(self.run_id)
        facts = {"prompt_hash": load_prompt(self._prompt).hash, "question": self.question}
        with traced("agent.child.begin", run=child, parent_run=parent):
            return await self.log.begin_child(self.run_id, self._parent.run_id, self.kind, facts)

    async def run(self, *more: str) -> AgentRunResult[T]:
        """Run the agent; raises what a run raises. `more` is put before the question."""
        children, allowed = self.admission.children, self.admission.allowed
        ladder, limit_s = children.models.ladder(), children.time_limit_s()
        counts = RunLimits(allowed, children.limits.max_calls)
        policies = RunPolicies(Escalation(ladder, Trail()), self.journal, counts, self._refusals)
        try:
            return await self._agent.run(
                [describe_to_child(self.deps), *more, self.question],
                deps=self.deps,
                usage=self.admission.usage,
                usage_limits=UsageLimits(request_limit=allowed),
                timeout=limit_s,
                model_settings=request_timeout(ladder, limit_s),
                capabilities=[policies],
                metadata={"run": str(self.run_id), ANSWER_CHECK: self.check},
            )
        finally:
            await self.journal.finish()


def failure_reason(error: Exception) -> str:
    """Return why a sub-agent has no result, worded to follow a colon."""
    match error:
        case UsageLimitExceeded():
            return message("child.steps")
        case UnexpectedModelBehavior():
            return message("child.checks")
        case ModelAPIError() | FallbackExceptionGroup():
            return message("child.model_away")
        case _:
            return message("child.time_out")
