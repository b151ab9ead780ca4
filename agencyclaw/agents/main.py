"""The main agent: answers one message with a checked reply; every outcome is a value."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.agent import AgentRunResult
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.output import TextOutput, ToolOutput
from pydantic_ai.settings import ModelSettings
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from agencyclaw.agents.failures import RUN_ERRORS, Failed, failure_of, postponed
from agencyclaw.agents.judge import AnswerJudge
from agencyclaw.agents.open_questions import names_all, open_questions
from agencyclaw.agents.policies.escalation import Escalation, request_timeout
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.limits import CALLS_AT_MOST, RunLimits
from agencyclaw.agents.policies.progress import Progress
from agencyclaw.agents.policies.refusals import Refusals
from agencyclaw.agents.policies.run_policies import RunPolicies
from agencyclaw.agents.policies.trail import Trail
from agencyclaw.agents.policies.writing import Draft
from agencyclaw.agents.prompts import load_prompt
from agencyclaw.agents.verification import (
    ANSWER_CHECK,
    AnswerCheck,
    returned_by,
    verify,
)
from agencyclaw.deps import Deps, Topic
from agencyclaw.domain.choices import CHOICES_AT_MOST, Choice
from agencyclaw.domain.consent.words import asks
from agencyclaw.domain.errors import Postponed, WrongPlace
from agencyclaw.domain.findings import FindingSource
from agencyclaw.domain.journal import JournalPage, ModelCost
from agencyclaw.domain.messages import message
from agencyclaw.domain.policy import Answering
from agencyclaw.domain.replies import (
    NOT_FOR_ME,
    NOTHING_TO_SAY,
    REPLY,
    NotForMe,
    NothingToSay,
    Reply,
)
from agencyclaw.domain.text import cut, folded, one_line
from agencyclaw.tools.guides import announced
from agencyclaw.tools.permissions import withheld
from agencyclaw.tools.planning import PlanReport
from agencyclaw.tools.research import Findings
from agencyclaw.tools.results import Listing, Proposed, Refusal, Result, where_searched
from agencyclaw.tools.tool_search import tool_search

MODEL_PROMPT = "main"
_OPEN = message("answer.open")
_PARTIAL = message("answer.partial")
# What goes on in the background may make so many times the requests and calls of a turn.
_LONGER, _BACKGROUND_S = 5, 1_800.0


@dataclass(frozen=True)
class Models:
    """The models of a deployment: the default, the strongest, and a cheap one for small jobs."""

    default: Model | str
    fast: Model | str | None = None
    frontier: Model | str | None = None
    # Judges what answers claim; None if a script plays the model.
    judge: Model | str | None = None

    def ladder(self) -> tuple[Model | str, ...]:
        """Return the models that may answer a message, weakest first, without duplicates."""
        if self.frontier is None or self.frontier == self.default:
            return (self.default,)
        return (self.default, self.frontier)


@dataclass(frozen=True)
class Limits:
    """Limits of one run; times are in seconds."""

    max_requests: int = 10
    max_calls: int = CALLS_AT_MOST
    timeout_s: float = 120.0
    history_tokens: int = 8_000
    context_tokens: int = 4_000

    @property
    def in_background(self) -> Limits:
        """The limits of a run that goes on in the background, after these."""
        return replace(
            self,
            max_requests=self.max_requests * _LONGER,
            max_calls=self.max_calls * _LONGER,
            timeout_s=_BACKGROUND_S,
        )


@dataclass(frozen=True)
class Answered:
    """A checked reply.

    `choices` are the options of the tools' open questions. `missing` are sentences about what could
    not be found out. `is_judged` is False if a judgement was due and failed.
    """

    reply: Reply
    choices: tuple[Choice, ...]
    requests: int
    tool_calls: int
    attempts: int = 1
    is_judged: bool = True
    sources: tuple[FindingSource, ...] = ()
    reach: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text a person reads."""
        return self.reply.text


@dataclass(frozen=True)
class AnsweredElsewhere:
    """The answer must not be shown here: it goes to the asker's DM, or nowhere."""

    where: Answering


@dataclass(frozen=True)
class StaysSilent:
    """A message was for somebody else in its thread, or a schedule has nothing to say.

    `requests` is what finding out took.
    """

    requests: int


Outcome = Answered | AnsweredElsewhere | StaysSilent | Failed
MainAgent = Agent[Deps, Reply | NotForMe | NothingToSay]


def plain_reply(text: str) -> Reply:
    """Return plain text as a reply that claims no change; sources are named in its text.

    A model that does not use the reply tool costs no second request.
    """
    return Reply(text=text)


def build_main(toolset: AbstractToolset[Deps]) -> MainAgent:
    """Build the agent; it is stateless and shared by all runs."""
    agent = Agent[Deps, Reply | NotForMe | NothingToSay](
        name="agencyclaw",
        deps_type=Deps,
        output_type=[
            ToolOutput(Reply, name=REPLY),
            ToolOutput(NotForMe, name=NOT_FOR_ME),
            ToolOutput(NothingToSay, name=NOTHING_TO_SAY),
            TextOutput(plain_reply),
        ],
        instructions=load_prompt(MODEL_PROMPT).text,
        toolsets=[toolset],
        capabilities=[tool_search()],
        retries={"tools": 3, "output": 2},
        tool_timeout=30,
        defer_model_check=True,
        model_settings=ModelSettings(cache=True),
    )
    agent.output_validator(verify)
    return agent


async def answer(
    agent: MainAgent,
    models: Models,
    deps: Deps,
    *,
    situation: str,
    history: Sequence[ModelMessage],
    journal: Journal,
    limits: Limits,
    refusals: Refusals | None = None,
    progress: Progress | None = None,
    draft: Draft | None = None,
    trace: dict[str, str] | None = None,
    earlier: Sequence[ModelResponse] = (),
) -> Outcome:
    """Run the agent on a message and return the outcome.

    Refused calls go to `refusals`, and what it writes to `draft` if that is shown. `trace` is the
    trace context for the checks' spans, which stand beside those of the run. `earlier` are the
    responses of a run that this one goes on from.
    """
    run, ladder = str(deps.run_id), models.ladder()
    check = AnswerCheck(trace=trace, judge=_judge(models, journal))
    trail, counts = Trail(), RunLimits(limits.max_requests, limits.max_calls)
    escalation = Escalation(ladder, trail)
    policies = RunPolicies(
        escalation, journal, counts, refusals or Refusals(), progress, draft, deque(earlier)
    )
    try:
        result = await agent.run(
            [situation, deps.request],
            deps=deps,
            instructions="\n\n".join(filter(None, (announced(deps), withheld(deps)))) or None,
            message_history=list(history),
            usage_limits=UsageLimits(request_limit=limits.max_requests),
            timeout=limits.timeout_s,
            model_settings=request_timeout(ladder, limits.timeout_s),
            capabilities=[policies],
            metadata={"run": run, ANSWER_CHECK: check},
        )
    except WrongPlace as elsewhere:
        return AnsweredElsewhere(Answering(str(elsewhere)))
    except Postponed as away:
        return postponed(away, trail, run=run)
    except RUN_ERRORS as error:
        is_out_of_calls, level = counts.left_out > 0, escalation.level
        return failure_of(
            error, check, ladder, trail, run=run, level=level, is_out_of_calls=is_out_of_calls
        )
    finally:
        await journal.finish()
    if not isinstance(result.output, Reply):
        return StaysSilent(result.usage.requests)
    return _answered(result, result.output, check, policies, deps.topic)


def _answered(
    result: AgentRunResult[Any],
    reply: Reply,
    check: AnswerCheck,
    policies: RunPolicies,
    topic: Topic,
) -> Answered:
    messages = result.new_messages()
    return Answered(
        reply=reply,
        choices=_choices(messages, reply, topic),
        requests=result.usage.requests,
        tool_calls=policies.limits.calls,
        attempts=check.attempts,
        is_judged=check.is_judged,
        sources=check.sources,
        reach=reach_of(messages),
        missing=_missing(messages, reply, policies.limits),
    )


def _judge(models: Models, journal: Journal) -> AnswerJudge | None:
    async def record_cost(cost: ModelCost) -> None:
        await journal.write(JournalPage(costs=(cost,)))

    return None if models.judge is None else AnswerJudge(models.judge, record_cost)


def _missing(messages: Sequence[ModelMessage], reply: Reply, counts: RunLimits) -> tuple[str, ...]:
    """Return what the person should know that the run could not do."""
    return (
        *_not_found_out(messages),
        *_plan_notes(messages, reply.text),
        *_left_out(counts),
        *_unprepared(messages),
    )


def _left_out(counts: RunLimits) -> tuple[str, ...]:
    """Say once that a run needed more look-ups than it may make."""
    if not counts.left_out:
        return ()
    return (message("answer.too_many_lookups", calls=counts.calls, left_out=counts.left_out),)


def _unprepared(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """Return a note on each task that was asked for and is on no card; the last of each."""
    notes: dict[tuple[str, ...], str] = {}
    for result in returned_by(messages):
        if isinstance(result, Refusal) and result.kept:
            notes[tuple(map(folded, result.kept_of))] = result.kept
        elif isinstance(result, Proposed) and result.of:
            client, title = map(folded, result.of)
            notes.pop((client, title), None)
            # Where no client was named.
            notes.pop(("", title), None)
    return tuple(notes.values())


def _not_found_out(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """Return a note on each question that research could not answer, in any attempt."""
    answered: set[str] = set()
    notes: dict[str, str] = {}
    for result in returned_by(messages):
        if isinstance(result, Findings):
            answered.update(folded(finding.question) for finding in result.found)
            for unfound in result.missing:
                notes[folded(unfound.question)] = message(
                    "answer.not_found_out",
                    question=cut(unfound.question, 120),
                    why=unfound.why,
                )
    return tuple(note for question, note in notes.items() if question not in answered)


def _plan_notes(messages: Sequence[ModelMessage], text: str) -> tuple[str, ...]:
    """Return that a plan is partial, and its open questions unless the answer asks one itself."""
    plans = [result for result in returned_by(messages) if isinstance(result, PlanReport)]
    is_partial = any(plan.state == "budget_exhausted" for plan in plans)
    questions = plans[-1].open_questions if plans and not asks(text) else ()
    listed = "\n".join(f"• {one_line(question, 400)}" for question in questions)
    return (*([_PARTIAL] if is_partial else []), *([f"{_OPEN}\n{listed}"] if listed else []))


def reach_of(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """Return how far the lists behind an answer reached, unless they covered everything."""
    lists = [content for content in returned_by(messages) if isinstance(content, Listing)]
    searched = where_searched(listing.searched for listing in lists if listing.searched)
    return tuple(dict.fromkeys(filter(None, (*(listing.reach for listing in lists), searched))))


def _choices(messages: Sequence[ModelMessage], reply: Reply, topic: Topic) -> tuple[Choice, ...]:
    """Return the options of the tools' open questions, each once; else those whom a name fits."""
    questions = open_questions(messages, reply.words)
    options = dict.fromkeys(option for question in questions for option in question.options)
    return (tuple(options) if questions else _also_fitting(messages, reply, topic))[
        :CHOICES_AT_MOST
    ]


def _also_fitting(
    messages: Sequence[ModelMessage], reply: Reply, topic: Topic
) -> tuple[Choice, ...]:
    """Return those whom a name fits and among whom the answer asks, or of whom it chose one.

    An answer that read several of them leaves nothing to choose.
    """
    found = {str(client) for client in topic.found}
    fitting = (
        result.whom_it_fits
        for result in returned_by(messages)
        if isinstance(result, Result)
        and names_all(reply.question or reply.words, result.whom_it_fits)
        and (reply.question or sum(one.id in found for one in result.whom_it_fits) < 2)
    )
    return tuple(dict.fromkeys(choice for choices in fitting for choice in choices))
