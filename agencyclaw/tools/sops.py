"""Procedures: found by name, alias or text, and quoted with their source."""

from __future__ import annotations

import asyncio
from datetime import date

import logfire
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.people import Tier
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import Confidence, MatchKind, SopHit, confidence_of
from agencyclaw.domain.text import clean, cut, folded, one_line
from agencyclaw.knowledge.similar import similar_tasks
from agencyclaw.tools.arguments import Name, Query
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.results import Ask, Result

EXCERPTS = ((3_500,), (700, 500), (700, 250, 250))
SIMILAR_CONFIDENCE = 0.4
NOT_FOUND = "No procedure was found. Say so and ask how it should be done; invent no steps."
BY_WORDS = "Found by words of the text only: check that it fits, else call it the closest one."
CLOSEST = "Nothing answers this for sure: call these the closest, and ask how it should be done."
ONLY_EARLIER = "No procedure was found, only earlier tasks. Ask how it should be done."
UNSEARCHED = "The procedures could not be searched just now; there may well be one."
UNCLEAR_CLIENT = "Earlier tasks were not searched: which client is meant is unclear."


class Procedure(Result):
    """A procedure with its source and the part that is quoted."""

    title: str
    category: str
    version: str
    confidence: Confidence
    match: MatchKind
    url: str | None = None
    excerpt: str = ""


class EarlierTask(Result):
    """A task prepared here earlier that looks alike."""

    title: str
    url: str | None = None
    created: date


class KnowledgeAnswer(Result):
    """What is known about a question, strongest evidence first."""

    found: bool
    confidence: float
    procedures: tuple[Procedure, ...] = ()
    earlier_tasks: tuple[EarlierTask, ...] = ()
    note: str | None = None


@reads(tier=Tier.VIEWER, title="Searching the procedures", skill_ids=("sop_lookup",))
async def search_kb(
    ctx: RunContext[Deps], query: Query, client: Name | None = None
) -> KnowledgeAnswer:
    """Search the agency's procedures (SOPs), and earlier tasks of a client when one is given.

    Args:
        query: What the work is about, in the person's words.
        client: What the person called the client, if one is meant.
    """
    hits, prior = await asyncio.gather(
        ctx.deps.knowledge.find_sops(query, limit=len(EXCERPTS)),
        _earlier(ctx.deps, client, query),
        return_exceptions=True,
    )
    if isinstance(hits, BaseException) and (isinstance(prior, BaseException) or not client):
        raise hits
    notes = [_failed(tier, one) for tier, one in (("sop", hits), ("similar_task", prior))]
    procedures = () if isinstance(hits, BaseException) else _procedures(hits)
    earlier = () if isinstance(prior, BaseException) else prior
    if isinstance(earlier, str):
        notes.append(earlier)
        earlier = ()
    if not procedures and not isinstance(hits, BaseException):
        notes.append(ONLY_EARLIER if earlier else NOT_FOUND)
    if procedures and not isinstance(hits, BaseException):
        notes.append(_standing(hits[0]))
    return KnowledgeAnswer(
        found=bool(procedures or earlier),
        confidence=_confidence(hits, earlier),
        procedures=procedures,
        earlier_tasks=tuple(_earlier_task(task) for task in earlier),
        note=" ".join(note for note in notes if note) or None,
    )


async def _earlier(deps: Deps, client: str | None, query: str) -> tuple[PriorTask, ...] | str:
    """Return earlier tasks that look alike, or why none were looked for."""
    if not client or not folded(client):
        return ()
    try:
        found = await find_client(deps, client)
    except NotFound:
        return UNCLEAR_CLIENT
    if isinstance(found, Ask):
        return UNCLEAR_CLIENT
    prior = await deps.knowledge.prior_tasks(found.client.id, limit=50)
    return similar_tasks(prior, query, limit=3)


def _standing(best: SopHit) -> str:
    """Say what the best finding is worth, by the judgement that a draft goes by too."""
    if not best.is_ground:
        return CLOSEST
    return BY_WORDS if best.match == "text" else ""


def _failed(tier: str, outcome: object) -> str:
    """A tier that fails is noted; the others still answer."""
    if not isinstance(outcome, BaseException):
        return ""
    logfire.warn("knowledge tier failed", tier=tier, fault=type(outcome).__name__)
    return UNSEARCHED if tier == "sop" else ""


def _procedures(hits: list[SopHit]) -> tuple[Procedure, ...]:
    kept = hits[: len(EXCERPTS)]
    shares = EXCERPTS[len(kept) - 1] if kept else ()
    return tuple(_procedure(hit, share) for hit, share in zip(kept, shares, strict=True))


def _procedure(hit: SopHit, share: int) -> Procedure:
    body = clean(hit.sop.body, limit=len(hit.sop.body))
    return Procedure(
        title=one_line(hit.sop.title, 120),
        category=hit.sop.category,
        version=hit.sop.version,
        confidence=confidence_of(hit.score),
        match=hit.match,
        url=hit.sop.url,
        excerpt=cut(body, share),
    )


def _earlier_task(task: PriorTask) -> EarlierTask:
    return EarlierTask(
        title=one_line(task.title, 160), url=task.url, created=task.created_at.date()
    )


def _confidence(hits: list[SopHit] | BaseException, earlier: tuple[PriorTask, ...]) -> float:
    scores = [] if isinstance(hits, BaseException) else [hit.score for hit in hits]
    return max([*scores, SIMILAR_CONFIDENCE] if earlier else [*scores, 0.0])
