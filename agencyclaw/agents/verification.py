"""VERIFY: an answer is repaired, checked against what was seen, sent back with all its faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import logfire
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ToolReturnPart,
)

from agencyclaw.deps import Deps
from agencyclaw.domain.findings import Source
from agencyclaw.domain.text import folded
from agencyclaw.knowledge.checks import ANSWER_LIMIT, AnswerFacts, Issue, check_answer, repair
from agencyclaw.knowledge.grounding import Seen, check_grounding, cited
from agencyclaw.knowledge.links import urls_of
from agencyclaw.tools import TOOLS
from agencyclaw.tools.research import Findings
from agencyclaw.tools.results import Proposed
from agencyclaw.tools.seen import given
from agencyclaw.tools.sops import KnowledgeAnswer
from agencyclaw.tools.tasks import TaskList

VERDICT = "verdict"
# No answer may say them. Plain words are names too, and everybody says those; the last one is the
# framework's own.
TOOL_NAMES = frozenset(name for name in TOOLS if "_" in name) | {"search_tools"}
# What is told when all three answers failed; by the fault of the last one.
_IN_WORDS = {
    "empty": "they had no words in them",
    "only_promise": "they only announced what I would do",
    "claims_change": "they reported changes that were not made",
    "claims_draft": "they spoke of a proposal that there is not",
    "tool_name": "they were full of my own machinery",
    "raw_json": "they were full of my own machinery",
    "shows_id": "they showed internal ids",
    "too_long": "they were too long",
    "unknown_source": "they named procedures that I did not find",
    "unknown_figure": "they gave figures that I have no evidence for",
    "sample_for_all": "they left out part of what you asked for",
    "secret": "they held something that looks like a password",
}


@dataclass
class Verdict:
    """How the answers of one run fared: how many there were, what was wrong, what they rest on.

    `trace` is the context under which the checks are traced, beside the acting. `asked` is what the
    person wrote, where a model put the question: its words are no evidence. `limit` is in
    characters.
    """

    trace: dict[str, str] | None = None
    asked: str | None = None
    limit: int = ANSWER_LIMIT
    attempts: int = 0
    issues: list[str] = field(default_factory=list[str])
    sources: tuple[str, ...] = ()

    @property
    def in_words(self) -> str:
        """What was wrong with the last answer, for the person who got none."""
        reasons = dict.fromkeys(_IN_WORDS[code] for code in self.issues if code in _IN_WORDS)
        return " and ".join(reasons)


async def verify(ctx: RunContext[Deps], text: str) -> str:
    """Check an answer; errors send it back, all of them at once, at most twice."""
    verdict = _verdict(ctx)
    verdict.attempts += 1
    beside = logfire.attach_context(verdict.trace) if verdict.trace else nullcontext()
    with beside, logfire.span("agent.verify", run=str(ctx.deps.run_id)) as span:
        span.set_attributes({"attempt": verdict.attempts, "length": len(text)})
        text, issues = examine(ctx, text)
        errors = [issue for issue in issues if issue.severity == "error"]
        verdict.issues = [issue.code for issue in errors]
        verdict.sources = _rests_on(text, returned_by(ctx.messages))
        span.set_attributes({"passed": not errors, "issues": _codes(issues)})
        if errors:
            raise ModelRetry("\n".join(issue.message for issue in errors))
        return text


def examine(ctx: RunContext[Deps], text: str) -> tuple[str, list[Issue]]:
    """Return an answer, or the beginning of one, repaired, and everything that is wrong with it."""
    returned = returned_by(ctx.messages)
    links = ctx.deps.known_links.union(*(urls_of(content) for content in returned))
    text = repair(text, allowed=links)
    return text, [
        *check_answer(text, _facts(ctx, returned, links)),
        *check_grounding(text, _seen(ctx, returned)),
    ]


def _codes(issues: Iterable[Issue]) -> list[str]:
    return [f"{issue.severity}:{issue.code}" for issue in issues]


def _verdict(ctx: RunContext[Deps]) -> Verdict:
    found = (ctx.metadata or {}).get(VERDICT)
    return found if isinstance(found, Verdict) else Verdict(attempts=ctx.retry)


def _facts(ctx: RunContext[Deps], returned: Sequence[Any], links: frozenset[str]) -> AnswerFacts:
    deps = ctx.deps
    return AnswerFacts(
        request=_asked(ctx),
        tool_names=TOOL_NAMES,
        allowed_links=links,
        limit=_verdict(ctx).limit,
        drafts=sum(isinstance(content, Proposed) for content in returned),
        has_changed_before=deps.has_changed_before,
        has_proposed_before=deps.has_proposed_before,
    )


def _seen(ctx: RunContext[Deps], returned: Sequence[Any]) -> Seen:
    lists = [one for one in returned if isinstance(one, TaskList)]
    longest = max(lists, key=lambda one: one.shown, default=None)
    return Seen(
        request=ctx.deps.request,
        text="\n".join(given(ctx, _verdict(ctx).asked)),
        procedures=tuple(dict.fromkeys(_procedures(returned))),
        listed=longest.shown if longest else 0,
    )


def _asked(ctx: RunContext[Deps]) -> str:
    """Return what the person wrote, whoever put the question."""
    asked = _verdict(ctx).asked
    return ctx.deps.request if asked is None else asked


def _procedures(returned: Sequence[Any]) -> Iterable[str]:
    for content in returned:
        if isinstance(content, KnowledgeAnswer):
            yield from (one.title for one in (*content.procedures, *content.documents))
        if isinstance(content, Proposed):
            yield from content.rests_on
        if isinstance(content, Findings):
            yield from (source.title for source in content.sources)


def _rests_on(text: str, returned: Sequence[Any]) -> tuple[str, ...]:
    """Return the procedures an answer names, and all that the findings it is made of name."""
    named = cited(text, tuple(dict.fromkeys(_procedures(returned))))
    findings = (content for content in returned if isinstance(content, Findings))
    found = (source.title for content in findings for source in content.sources)
    return tuple({folded(title): title for title in (*named, *found)}.values())


def sources_of(text: str, returned: Sequence[Any]) -> tuple[Source, ...]:
    """Return the procedures and documents that a text names, as tools returned them."""
    answers = [content for content in returned if isinstance(content, KnowledgeAnswer)]
    known = [one for answer in answers for one in (*answer.procedures, *answer.documents)]
    sources = {folded(one.title): Source(title=one.title, url=one.url) for one in known}
    said = folded(text)
    return tuple(source for title, source in sources.items() if title in said)


def returned_by(messages: Sequence[ModelMessage]) -> list[Any]:
    """Return what tools returned, oldest first."""
    return [
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
