"""Looks several questions up at the same time, each by a read-only sub-agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.findings import Finding, FindingSource, NoFinding
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import cut, folded, one_line
from agencyclaw.knowledge.excerpts import shortened
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.arguments import Query
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.results import Listing, Quoting, Result

QUESTIONS_AT_MOST = 3
TOKENS_AT_MOST = 2_000
_SOURCES_AT_MOST = 8
_LINKS_AT_MOST = 20
_CUT = "Cut here, as it is too long. The whole finding has the key {key}"
_SOME_FAILED = "Answer from what was found. The person is told by the system what was not."
_NOTHING = "Nothing was found out. Say so, and look things up one by one if that may help."

Questions = Annotated[list[Query], Field(min_length=1, max_length=QUESTIONS_AT_MOST)]


class ResearchSource(Result):
    """A procedure or document that a finding cites."""

    title: str
    url: str | None = None


class AnsweredQuestion(Result):
    """The answer to one question; `urls` are the addresses in its text."""

    question: str
    text: str
    urls: tuple[str, ...] = ()
    note: str = ""


class OpenQuestion(Result):
    """A question that could not be answered."""

    question: str
    why: str


class Findings(Listing, Quoting):
    """The result for all questions; each source is listed once."""

    found: tuple[AnsweredQuestion, ...] = ()
    missing: tuple[OpenQuestion, ...] = ()
    sources: tuple[ResearchSource, ...] = ()
    note: str = ""

    @property
    def quoted(self) -> tuple[FindingSource, ...]:
        """The sources of the findings."""
        return tuple(FindingSource(title=one.title, url=one.url) for one in self.sources)


@reads(tier=Tier.VIEWER, on_demand=True, delegates=True)
async def research(ctx: RunContext[Deps], questions: Questions) -> Findings:
    """Research up to three separate questions in depth at the same time, and get a finding on each.

    For a broad request whose parts need several look-ups each: an overview, a comparison of
    clients or brands, a report. One plain look-up needs no research.

    Args:
        questions: Whole questions, understandable without this conversation: name client, brand
            and dates in each.
    """
    distinct = {folded(question): one_line(question, 400) for question in questions}
    distinct.pop("", None)
    if not distinct:
        raise NotFound(message("refused.research.no_question"), reason="no_question")
    outcomes = await ctx.deps.researchers.find_out(ctx.deps, tuple(distinct.values()))
    return _merge(outcomes)


def _merge(outcomes: Sequence[Finding | NoFinding]) -> Findings:
    findings = [outcome for outcome in outcomes if isinstance(outcome, Finding)]
    missing = [outcome for outcome in outcomes if isinstance(outcome, NoFinding)]
    sources = {
        folded(source.title): source for finding in findings for source in _sources_of(finding)
    }
    note = (_SOME_FAILED if findings else _NOTHING) if missing else ""
    return Findings(
        found=tuple(_fitted(finding) for finding in findings),
        missing=tuple(
            OpenQuestion(question=outcome.question, why=outcome.why) for outcome in missing
        ),
        sources=tuple(_as_source(source) for source in sources.values()),
        note=note,
        reach=" ".join(dict.fromkeys(line for finding in findings for line in finding.reach)),
    )


def _sources_of(finding: Finding) -> tuple[FindingSource, ...]:
    return finding.sources[:_SOURCES_AT_MOST]


def _as_source(source: FindingSource) -> ResearchSource:
    return ResearchSource(title=source.title, url=source.url)


def _fitted(finding: Finding) -> AnsweredQuestion:
    """Return the finding cut so that it and its sources stay within TOKENS_AT_MOST."""
    sources = "".join(_as_source(source).model_dump_json() for source in _sources_of(finding))
    tokens = TOKENS_AT_MOST - count_tokens(sources)

    def fits(text: str) -> bool:
        return count_tokens(_answer_with(finding, text).model_dump_json()) <= tokens

    return _answer_with(finding, shortened(finding.text, fits))


def _answer_with(finding: Finding, text: str) -> AnsweredQuestion:
    """Return the finding with `text` as its text and only the addresses that occur in it."""
    links = [link for link in finding.urls if link in text]
    return AnsweredQuestion(
        question=cut(finding.question, 400),
        text=text,
        urls=tuple(links[:_LINKS_AT_MOST]),
        note="" if text == finding.text else _CUT.format(key=finding.key),
    )
