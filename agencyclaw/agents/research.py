"""Children: each looks one question up on its own, with tools that only read, and reports back.

A child has a history, limits and a journal of its own. It can draft nothing and send nobody on.
What it says is checked against what its own tools returned; only then may the run that sent it rest
on it. That a child fails is a value.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from uuid import UUID, uuid4

import logfire
from pydantic_ai import Agent
from pydantic_ai.agent import AgentRunResult
from pydantic_ai.capabilities import SelectModel
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.models import Model, ModelSelectionContext
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import RunUsage, UsageLimits

from agencyclaw.agents.main import Models, reach_of
from agencyclaw.agents.policies.journal import Journal, RunLog, event_id
from agencyclaw.agents.policies.limits import Budget, LoopGuard
from agencyclaw.agents.policies.refusals import Refusals
from agencyclaw.agents.policies.requests import RequestSpans
from agencyclaw.agents.policies.together import together
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.situation import describe_to_child
from agencyclaw.agents.verification import VERDICT, Verdict, returned_by, sources_of, verify
from agencyclaw.deps import Deps, Topic
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.errors import Broken
from agencyclaw.domain.findings import Finding, Unfound
from agencyclaw.domain.journal import JournalEvent, JournalPage, RefusedCall
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.runs import RunStatus, RunType
from agencyclaw.domain.text import dump_clean
from agencyclaw.knowledge.links import links_in, urls_of
from agencyclaw.tools.runs import FINDING_AT_MOST

PROMPT = "research"
_FINDING = "finding"
_TOO_MANY = "I had looked up as much as I may for one message"
# One to ask a tool, one to answer.
_FEWEST = 2
_STOPPED = "that was stopped"
_BROKEN = "that failed on our side"


@dataclass(frozen=True)
class ChildLimits:
    """What one child may use, and how many there may be; seconds for time.

    `in_a_turn` are the requests of all children of a turn; the main agent's own are apart, or three
    children would leave it none to answer with. `share` is how much of what is left of the turn's
    time they may take.
    """

    max_requests: int = 8
    timeout_s: float = 60.0
    max_calls: int = 16
    at_once: int = 3
    in_a_turn: int = 24
    share: float = 0.8


@dataclass(frozen=True)
class Ended:
    """How a child's run ended."""

    status: RunStatus
    output: dict[str, Any]
    refusals: tuple[RefusedCall, ...] = ()


class ChildLog(RunLog, Protocol):
    """Where children's runs are kept, each below the run that sent it."""

    async def begin_child(
        self, run_id: UUID, parent_id: UUID, kind: RunType, facts: dict[str, Any]
    ) -> bool:
        """Open a child's run; False when the run that sends it has ended meanwhile."""
        ...

    async def end_child(
        self,
        run_id: UUID,
        status: RunStatus,
        output: dict[str, Any],
        refusals: tuple[RefusedCall, ...],
    ) -> None:
        """End a child's run, unless it was ended already, with the calls that were turned away."""
        ...


class Nothing:
    """What a child has instead of the ports that lead on: no drafts, and nobody to send."""

    async def draft(self, effect: Effect) -> Proposal:
        """Refuse: a child has no tool that could ask."""
        raise Broken(f"a child wanted to prepare {effect.skill}")

    async def find_out(
        self, deps: Deps, questions: tuple[str, ...]
    ) -> tuple[Finding | Unfound, ...]:
        """Refuse: a child has no tool that could ask."""
        raise Broken(f"the child {deps.run_id} wanted to send {len(questions)} others")


def build_researcher(toolset: AbstractToolset[Deps]) -> Agent[Deps, str]:
    """Build the agent of all children once; it is stateless and shared by their runs."""
    agent = Agent[Deps, str](
        name="researcher",
        deps_type=Deps,
        output_type=str,
        instructions=load_prompt(PROMPT).text,
        toolsets=[toolset],
        retries={"tools": 3, "output": 2},
        tool_timeout=30,
        defer_model_check=True,
        model_settings=ModelSettings(cache=True),
    )
    agent.output_validator(verify)
    return agent


@dataclass
class Researching:
    """Sends the children of one turn; implements `deps.researchers`.

    `turn_s` is how long the turn may take. What the children used is added up for its report.
    """

    agent: Agent[Deps, str]
    models: Models
    log: ChildLog
    limits: ChildLimits
    turn_s: float
    sent: int = 0
    requests: int = 0
    reserved: int = 0
    began: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    _room: asyncio.Semaphore | None = None

    async def find_out(
        self, deps: Deps, questions: tuple[str, ...]
    ) -> tuple[Finding | Unfound, ...]:
        """Look all questions up, some at a time; one that fails leaves the others alone."""
        self._room = self._room or asyncio.Semaphore(self.limits.at_once)
        outcomes = await asyncio.gather(
            *(self._one(deps, question, self._room) for question in questions),
            return_exceptions=True,
        )
        return tuple(
            _or_failed(question, outcome)
            for question, outcome in zip(questions, outcomes, strict=True)
        )

    async def _one(self, deps: Deps, question: str, room: asyncio.Semaphore) -> Finding | Unfound:
        async with room:
            allowed = min(self.limits.max_requests, self._left())
            if allowed < _FEWEST:
                return Unfound(question=question, why=_TOO_MANY)
            child = _Child(self, deps, question, allowed)
            self.sent += 1
            self.reserved += allowed
            try:
                return await child.look_up()
            finally:
                self.reserved -= allowed
                self.requests += child.usage.requests

    def _left(self) -> int:
        """Return how many requests of the turn's children nobody has used or may still use."""
        return self.limits.in_a_turn - self.requests - self.reserved

    def patience(self) -> float:
        """Return how many seconds a child that begins now may take."""
        left = self.turn_s - (asyncio.get_running_loop().time() - self.began)
        return max(0.1, min(self.limits.timeout_s, left * self.limits.share))


class _Child:
    """One question on its way."""

    def __init__(self, turn: Researching, parent: Deps, question: str, allowed: int) -> None:
        self.run_id = uuid4()
        self.usage = RunUsage()
        self._allowed = allowed
        self._turn = turn
        self._parent = parent
        self._question = question
        self._refusals = Refusals()
        self._verdict = Verdict(asked=parent.request, limit=FINDING_AT_MOST)
        self._deps = replace(
            parent,
            run_id=self.run_id,
            request=question,
            proposals=Nothing(),
            researchers=Nothing(),
            calling="",
            has_changed_before=False,
            has_proposed_before=False,
            known_links=frozenset(),
            said=(),
            guides=(),
            calculator=None,  # its question is a model's, and no figure of it was seen
            topic=Topic(),
        )

    async def look_up(self) -> Finding | Unfound:
        """Run the child to its end, under a span of its own."""
        with logfire.span("agent.child", run=str(self.run_id)) as span:
            outcome = await self._look_up()
            span.set_attribute("outcome", type(outcome).__name__)
            return outcome

    async def _look_up(self) -> Finding | Unfound:
        """Whatever happens, the child's row says how it ended."""
        ended = Ended(RunStatus.FAILED, {"reason": "broken"})
        try:
            if not await self._begin():
                return Unfound(question=self._question, why=_STOPPED)
            outcome, ended = await self._finding()
            return outcome
        except asyncio.CancelledError:
            ended = Ended(RunStatus.CANCELLED, {"reason": "cancelled"})
            raise
        finally:
            self._parent.topic.add(self._deps.topic)
            refusals = self._refusals.noted(self._deps)
            await self._turn.log.end_child(self.run_id, ended.status, ended.output, refusals)

    async def _begin(self) -> bool:
        """Open the row; the span says at once below which run it stands."""
        parent, child = str(self._parent.run_id), str(self.run_id)
        with logfire.span("agent.child.begin", run=child, parent_run=parent):
            return await self._turn.log.begin_child(
                self.run_id,
                self._parent.run_id,
                RunType.CHILD,
                {"prompt_hash": load_prompt(PROMPT).hash, "question": self._question},
            )

    async def _finding(self) -> tuple[Finding | Unfound, Ended]:
        journal = Journal(self._turn.log, self.run_id, stage=RunType.CHILD.value)
        try:
            result = await self._run(journal)
        except (AgentRunError, ModelAPIError, TimeoutError) as error:
            reason = type(error).__name__
            logfire.warn("child failed", run=str(self.run_id), error=reason)
            why = _why(error)
            told = {"reason": reason, "text": f"Not found out: {why}."}
            return Unfound(question=self._question, why=why), Ended(RunStatus.FAILED, told)
        finally:
            await journal.finish()
        finding = self._read(result)
        await self._keep(finding, journal)
        output = {"text": finding.text, "attempts": self._verdict.attempts, "verified": True}
        return finding, Ended(RunStatus.COMPLETED, output)

    async def _run(self, journal: Journal) -> AgentRunResult[str]:
        turn, limits = self._turn, self._turn.limits

        def select(ctx: ModelSelectionContext[Deps]) -> Model | str:
            return turn.models.after(ctx.retry, turn.models.default)

        return await turn.agent.run(
            [describe_to_child(self._deps), self._question],
            deps=self._deps,
            usage=self.usage,
            usage_limits=UsageLimits(request_limit=self._allowed),
            timeout=turn.patience(),
            capabilities=together(
                SelectModel(select),
                RequestSpans(),
                journal,
                self._refusals,
                LoopGuard(),
                Budget(self._allowed, limits.max_calls),
            ),
            metadata={"run": str(self.run_id), VERDICT: self._verdict},
        )

    def _read(self, result: AgentRunResult[str]) -> Finding:
        """Return what came of it; its sources are what tools returned and the text names."""
        text, messages = result.output, result.new_messages()
        returned = returned_by(messages)
        links = frozenset[str]().union(*(urls_of(content) for content in returned))
        return Finding(
            question=self._question,
            text=text,
            sources=sources_of(text, returned),
            urls=tuple(link for link in dict.fromkeys(links_in(text)) if link in links),
            reach=reach_of(messages),
            key=f"ev:{self.run_id}/{event_id(self.run_id, 'skill_result', _FINDING)}",
        )

    async def _keep(self, finding: Finding, journal: Journal) -> None:
        """Write the whole finding down as a result that can be brought back by its key."""
        event = JournalEvent(
            id=event_id(self.run_id, "skill_result", _FINDING),
            event_type="skill_result",
            skill_id=PROMPT,
            call_id=_FINDING,
            payload=dump_clean({"result": finding.model_dump(mode="json", exclude={"key"})}),
        )
        await journal.write(JournalPage(events=(event,)))


def _or_failed(question: str, outcome: Finding | Unfound | BaseException) -> Finding | Unfound:
    """A fault of ours costs its own question, and no other."""
    if not isinstance(outcome, BaseException):
        return outcome
    logfire.error("child broke", fault=type(outcome).__name__)
    return Unfound(question=question, why=_BROKEN)


def _why(error: Exception) -> str:
    """Say why there is no finding, as it goes on after a colon."""
    match error:
        case UsageLimitExceeded():
            return "it took more steps than I may spend on one question"
        case UnexpectedModelBehavior():
            return "no answer to it passed my own checks"
        case ModelAPIError():
            return "the language model can't be reached right now"
        case _:
            return "it took too long"
