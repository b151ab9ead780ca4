"""Research: read-only sub-agents that look up one question each, in parallel."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial

import logfire
from pydantic_ai import Agent
from pydantic_ai.agent import AgentRunResult
from pydantic_ai.toolsets import AbstractToolset

from agencyclaw.agents.failures import RUN_ERRORS
from agencyclaw.agents.main import reach_of
from agencyclaw.agents.policies.journal import event_id, evidence_key
from agencyclaw.agents.sub_runs import (
    BROKEN,
    STOPPED,
    TOO_MANY,
    Child,
    Ended,
    SubRuns,
    build_child,
    failure_reason,
)
from agencyclaw.agents.verification import returned_by, sources_of, verify_finding
from agencyclaw.deps import Deps
from agencyclaw.domain.errors import WrongPlace
from agencyclaw.domain.findings import Finding, NoFinding
from agencyclaw.domain.journal import JournalEvent, JournalPage
from agencyclaw.domain.runs import RunStatus, RunType
from agencyclaw.domain.text import dump_clean
from agencyclaw.knowledge.link_breaking import web_addresses
from agencyclaw.knowledge.links import urls_of

PROMPT = "research"
_FINDING = "finding"


def build_researcher(toolset: AbstractToolset[Deps]) -> Agent[Deps, str]:
    """Build the agent that looks up a question."""
    agent = build_child("researcher", PROMPT, str, toolset)
    agent.output_validator(verify_finding)
    return agent


@dataclass(frozen=True)
class Researching:
    """Runs the sub-agents of one turn; implements `deps.researchers`."""

    agent: Agent[Deps, str]
    children: SubRuns

    async def find_out(
        self, deps: Deps, questions: tuple[str, ...]
    ) -> tuple[Finding | NoFinding, ...]:
        """Look up all questions, a few at a time; a failure affects no other question.

        Raises WrongPlace where one of the answers must not be shown.
        """
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._look_up(deps, one)) for one in questions]
        except ExceptionGroup as group_error:
            raise group_error.exceptions[0] from None
        return tuple(task.result() for task in tasks)

    async def _look_up(self, deps: Deps, question: str) -> Finding | NoFinding:
        async with self.children.admit(self.children.limits.max_requests) as admission:
            if not admission.allowed:
                return NoFinding(question=question, why=TOO_MANY)
            try:
                child = Child(admission, deps, RunType.CHILD, self.agent, PROMPT, question)
                stopped = NoFinding(question=question, why=STOPPED)
                return await child.run_recorded(partial(_find, child), stopped)
            except WrongPlace:
                raise
            except Exception as error:  # a bug here must not cost the other findings
                logfire.error("child broke", error=type(error).__name__, _exc_info=error)
                return NoFinding(question=question, why=BROKEN)


async def _find(child: Child[str]) -> tuple[Finding | NoFinding, Ended]:
    """Run a sub-agent to its end, and store its finding."""
    try:
        result = await child.run()
    except RUN_ERRORS as error:
        reason, why = type(error).__name__, failure_reason(error)
        logfire.warn("child failed", run=str(child.run_id), error=reason)
        output = {"reason": reason, "text": f"Not found out: {why}."}
        return NoFinding(question=child.question, why=why), Ended(RunStatus.FAILED, output)
    finding = _finding(child, result)
    await _store(child, finding)
    output = {"text": finding.text, "attempts": child.check.attempts, "verified": True}
    return finding, Ended(RunStatus.COMPLETED, output)


def _finding(child: Child[str], result: AgentRunResult[str]) -> Finding:
    """Return the finding; its sources are those that tools returned and the text names."""
    text, messages = result.output, result.new_messages()
    returned = returned_by(messages)
    links = frozenset[str]().union(*(urls_of(content) for content in returned))
    return Finding(
        question=child.question,
        text=text,
        sources=sources_of(text, returned),
        urls=tuple(link for link in dict.fromkeys(web_addresses(text)) if link in links),
        reach=reach_of(messages),
        key=evidence_key(child.run_id, _FINDING),
    )


async def _store(child: Child[str], finding: Finding) -> None:
    """Store the whole finding as a result that its key loads."""
    event = JournalEvent(
        id=event_id(child.run_id, "skill_result", _FINDING),
        event_type="skill_result",
        skill_id=PROMPT,
        call_id=_FINDING,
        payload=dump_clean({"result": finding.model_dump(mode="json", exclude={"key"})}),
    )
    await child.journal.write(JournalPage(events=(event,)))
