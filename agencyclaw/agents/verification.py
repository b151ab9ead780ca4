"""VERIFY: repairs an answer, checks it against what the run has seen, and has it judged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import logfire
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.messages import ModelMessage, ModelResponse

from agencyclaw.agents.judge import JudgedMaterial, Judging
from agencyclaw.agents.open_questions import open_questions, tool_returns
from agencyclaw.agents.policies.progress import title_of
from agencyclaw.deps import Deps
from agencyclaw.domain.findings import FindingSource
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Addressed
from agencyclaw.domain.replies import REPLY, ChangeRow, NothingToSay, Reply, Silence
from agencyclaw.domain.text import folded, listed
from agencyclaw.knowledge.checks import (
    ANSWER_LIMIT,
    AnswerFacts,
    Issue,
    check_answer,
    check_reply,
    check_sources,
    is_short,
    named_among,
)
from agencyclaw.knowledge.grounding import check_grounding
from agencyclaw.knowledge.links import repair, urls_of
from agencyclaw.spans import Span, traced
from agencyclaw.tools import TOOLS
from agencyclaw.tools.research import Findings
from agencyclaw.tools.results import Proposed, Quoting
from agencyclaw.tools.tool_search import SEARCH_TOOLS
from agencyclaw.tools.visible_texts import text_of, visible_texts

ANSWER_CHECK = "answer_check"
# Names that no answer may show: only those with an underscore, because the others are plain words.
# The last two are the framework's and the reply's own.
TOOL_NAMES = frozenset(
    name for spec in TOOLS.values() for name in (spec.name, spec.skill_id) if "_" in name
) | {SEARCH_TOOLS, "wanted_not_done"}
# What the person reads if no answer passed the checks, by the fault of the last one.
_FAULTS_IN_WORDS = {
    "empty": message("checks.empty"),
    "claims_change": message("checks.claims_change"),
    "claims_draft": message("checks.claims_draft"),
    "tool_name": message("checks.machinery"),
    "raw_json": message("checks.machinery"),
    "shows_id": message("checks.shows_id"),
    "too_long": message("checks.too_long"),
    "unknown_figure": message("checks.unknown_figure"),
    "secret": message("checks.secret"),
}


@dataclass
class AnswerCheck:
    """The checks of one run's answers: attempts, faults, sources.

    `trace` is the parent of the checks' spans. `asked` is what the person wrote if a model put the
    question, whose words are no evidence. `limit` is in characters. `judge` is None without a model
    for it. `is_judged` is False if a judgement was due and failed.
    """

    trace: dict[str, str] | None = None
    asked: str | None = None
    limit: int = ANSWER_LIMIT
    judge: Judging | None = None
    attempts: int = 0
    issues: list[str] = field(default_factory=list[str])
    sources: tuple[FindingSource, ...] = ()
    has_asked_for_sources: bool = False
    is_judged: bool = True

    @property
    def in_words(self) -> str:
        """What was wrong with the last answer, for the person who got none."""
        reasons = dict.fromkeys(
            _FAULTS_IN_WORDS[code] for code in self.issues if code in _FAULTS_IN_WORDS
        )
        return listed([*reasons])


_WITH_CALLS = Issue(
    code="with_calls",
    message="You called tools beside your answer: give it when you have read them.",
)


async def verify(ctx: RunContext[Deps], reply: Reply | Silence) -> Reply | Silence:
    """Check how a run ends: its reply, or silence."""
    return await verify_reply(ctx, reply) if isinstance(reply, Reply) else _silence(ctx, reply)


async def verify_reply(ctx: RunContext[Deps], reply: Reply) -> Reply:
    """Check a reply; all its faults are sent back at once, at most twice."""
    waiting_before = _waiting(ctx)
    ctx = await _with_current_rows(ctx)
    with checking(ctx, len(reply.text)) as (check, span):
        if _comes_with_calls(ctx.messages):
            conclude(check, span, [_WITH_CALLS])
        returned = returned_by(ctx.messages)
        facts = _facts(ctx, returned)
        text, issues = _examined(ctx, reply.words, facts, returned)
        span.set_attribute("is_short", is_short(text, facts.request))
        # If a card was decided meanwhile, code says so below the answer.
        facts = facts.model_copy(update={"waiting": waiting_before or facts.waiting})
        issues += check_reply(reply, facts)
        check.sources = _sources_of_reply(returned, reply, text)
        issues += [] if _asks_first(ctx, reply) else _unnamed(check, facts)
        if not issues and (fault := await _judged(ctx, check, reply)):
            issues.append(fault)
        conclude(check, span, issues)
        return reply.model_copy(update={"text": text})


def _silence(ctx: RunContext[Deps], silence: Silence) -> Silence:
    """Refuse silence if we were certainly addressed by somebody."""
    if isinstance(silence, NothingToSay):
        may_end = ctx.deps.firing is not None
    else:
        may_end = ctx.deps.addressed is Addressed.PERHAPS
    if not may_end:
        raise ModelRetry("This message is for you: answer it.")
    return silence


async def verify_finding(ctx: RunContext[Deps], text: str) -> str:
    """Check a sub-agent's finding; all its faults are sent back at once, at most twice."""
    with checking(ctx, len(text)) as (check, span):
        text, issues = examine(ctx, text)
        check.sources = sources_of(text, returned_by(ctx.messages))
        conclude(check, span, issues)
        return text


@contextmanager
def checking(ctx: RunContext[Deps], length: int) -> Generator[tuple[AnswerCheck, Span]]:
    """Count and trace an attempt at an answer of so many characters."""
    check = _check_of(ctx)
    check.attempts += 1
    beside = logfire.attach_context(check.trace) if check.trace else nullcontext()
    with beside, traced("agent.verify", run=str(ctx.deps.run_id)) as span:
        span.set_attributes({"attempt": check.attempts, "length": length})
        yield check, span


def conclude(check: AnswerCheck, span: Span, issues: Sequence[Issue]) -> None:
    """Record the result of the checks, and send the faults back."""
    check.issues = [issue.code for issue in issues]
    span.set_attributes({"passed": not issues, "issues": check.issues})
    if issues:
        raise ModelRetry("\n".join(issue.message for issue in issues))


def examine(ctx: RunContext[Deps], text: str) -> tuple[str, list[Issue]]:
    """Return an answer, or its beginning, repaired, with the faults of its wording."""
    returned = returned_by(ctx.messages)
    return _examined(ctx, text, _facts(ctx, returned), returned)


def _examined(
    ctx: RunContext[Deps], text: str, facts: AnswerFacts, returned: Sequence[Any]
) -> tuple[str, list[Issue]]:
    links = ctx.deps.known_links.union(*(urls_of(content) for content in returned))
    text = repair(text, allowed=links)
    seen = [*visible_texts(ctx, _check_of(ctx).asked)]
    return text, [*check_answer(text, facts), *check_grounding(text, seen, ctx.deps.today)]


def _comes_with_calls(messages: Sequence[ModelMessage]) -> bool:
    """Whether an answer came with calls of tools, whose results it can't know."""
    last = messages[-1]
    calls = last.tool_calls if isinstance(last, ModelResponse) else []
    names = {call.tool_name for call in calls}
    return REPLY in names and len(names) > 1


def judge_of(ctx: RunContext[Deps]) -> Callable[[str], Awaitable[bool]] | None:
    """Return the check of an answer's beginning; None without a judge."""
    judge = _check_of(ctx).judge
    if judge is None:
        return None

    async def may_be_read(beginning: str) -> bool:
        judgement = await judge.judge(beginning, material_of(await _with_current_rows(ctx)))
        return judgement is not None and not judgement.believes_done

    return may_be_read


async def _judged(ctx: RunContext[Deps], check: AnswerCheck, reply: Reply) -> Issue | None:
    """Have the judge read an answer, if there is a judge."""
    check.is_judged = True
    if check.judge is None:
        return None
    material = material_of(ctx)
    if reply.changes == "waiting":
        again = (f"Shown again: {label}" for label in _brought_back(ctx.deps.rows, reply.earlier))
        material = replace(material, comes_with=(*material.comes_with, *again))
    judgement = await check.judge.judge(reply.words, material)
    check.is_judged = judgement is not None
    if judgement is None or not judgement.believes_done:
        return None
    words = f" by “{judgement.words}”" if judgement.words else ""
    return Issue(
        code="claims_change",
        message=f"The person would believe{words} that you changed, sent, scheduled or attached"
        " something besides what comes with this answer, or will. You did not, and can't. Say what"
        " is so: what you found, what you can prepare, or what you need for it.",
    )


def _brought_back(rows: Sequence[ChangeRow], named: str) -> tuple[str, ...]:
    """Return the titles of the open cards that an answer brings back: the named one, else all."""
    waiting = tuple(row.label for row in rows if row.waits)
    titled = tuple(label for label in waiting if folded(label) == folded(named))
    return titled or waiting


def material_of(ctx: RunContext[Deps]) -> JudgedMaterial:
    """Return what an answer of this run is judged by."""
    returns = [part for part in tool_returns(ctx.messages) if part.outcome == "success"]
    results = [
        (title_of(part.tool_name, {}) or part.tool_name, text_of(part.content))
        for part in reversed(returns)
        if part.tool_kind != "tool-search" and not isinstance(part.content, Proposed)
    ]
    cards = [_described(part.content) for part in returns if isinstance(part.content, Proposed)]
    sheets = ctx.deps.sheets.added if ctx.deps.sheets else []
    return JudgedMaterial(
        request=ctx.deps.request,
        rows=(*ctx.deps.rows, *ctx.deps.rows_of_others),
        # Equal results are shown once, where they were looked up last.
        results=tuple(reversed(dict.fromkeys(results))),
        thread=ctx.deps.thread_read,
        comes_with=(*cards, *(f"A file: {sheet.file_name}" for sheet in sheets)),
        # A run begins without them there.
        knows_rows=ctx.deps.firing is None and not ctx.deps.surface.is_open,
    )


def _described(card: Proposed) -> str:
    """Return what stands on a card."""
    fields = "; ".join(f"{name}: {value}" for name, value in card.fields.items())
    shown = f"{card.summary} ({fields})" if fields else card.summary
    return f"A card: {shown} {card.by_itself}".strip()


async def _with_current_rows(ctx: RunContext[Deps]) -> RunContext[Deps]:
    """Return the context with the present state of the changes."""
    return replace(ctx, deps=await ctx.deps.with_rows_now())


def _asks_first(ctx: RunContext[Deps], reply: Reply) -> bool:
    """Whether a reply only asks for what is missing: a tool's question, or its own.

    What else it says leads to a card, which names its sources.
    """
    return reply.only_asks or reply.clarifies or bool(open_questions(ctx.messages, reply.words))


def _unnamed(check: AnswerCheck, facts: AnswerFacts) -> list[Issue]:
    """Ask once for documents that were read and not named."""
    if check.has_asked_for_sources:
        return []
    issue = check_sources(tuple(source.title for source in check.sources), facts)
    check.has_asked_for_sources = issue is not None
    return [issue] if issue else []


def _check_of(ctx: RunContext[Deps]) -> AnswerCheck:
    check = (ctx.metadata or {}).get(ANSWER_CHECK)
    return check if isinstance(check, AnswerCheck) else AnswerCheck(attempts=ctx.retry)


def _facts(ctx: RunContext[Deps], returned: Sequence[Any]) -> AnswerFacts:
    deps, check = ctx.deps, _check_of(ctx)
    return AnswerFacts(
        request=deps.request if check.asked is None else check.asked,
        reference=str(deps.run_id),
        own_names=TOOL_NAMES,
        limit=check.limit,
        drafts=sum(isinstance(content, Proposed) for content in returned),
        waiting=_waiting(ctx),
        earlier=frozenset(row.key for row in deps.rows if row.key),
        read=tuple(
            dict.fromkeys(
                document.title
                for result in returned
                if isinstance(result, Quoting)
                for document in result.opened
            )
        ),
    )


def _waiting(ctx: RunContext[Deps]) -> int:
    return sum(row.waits for row in ctx.deps.rows)


def _quoted(returned: Sequence[Any]) -> list[FindingSource]:
    """Return the quoted documents, each once."""
    by_title = {
        folded(document.title): document
        for result in returned
        if isinstance(result, Quoting)
        for document in result.quoted
    }
    return list(by_title.values())


def _sources_of_reply(
    returned: Sequence[Any], reply: Reply, text: str
) -> tuple[FindingSource, ...]:
    """Return the documents a reply names, and all sources of its findings."""
    quoted = {document.title: document for document in _quoted(returned)}
    of_findings: list[str] = []
    of_drafts: list[str] = []
    for result in returned:
        if isinstance(result, Findings):
            of_findings += [document.title for document in result.quoted]
        elif isinstance(result, Proposed):
            of_drafts += result.rests_on
    known = tuple(dict.fromkeys((*quoted, *of_drafts)))
    named = named_among(known, text, reply.sources)
    titles = {folded(title): title for title in (*named, *of_findings)}.values()
    return tuple(quoted.get(title) or FindingSource(title=title) for title in titles)


def sources_of(text: str, returned: Sequence[Any]) -> tuple[FindingSource, ...]:
    """Return the procedures and documents that a text names, as tools returned them."""
    quoted = {document.title: document for document in _quoted(returned)}
    return tuple(quoted[title] for title in named_among(tuple(quoted), text, ()))


def returned_by(messages: Sequence[ModelMessage]) -> list[Any]:
    """Return what tools returned, oldest first."""
    return [part.content for part in tool_returns(messages)]
