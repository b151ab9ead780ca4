"""Procedures: found by name, alias or text, and quoted with their source."""

from __future__ import annotations

import asyncio
from datetime import date
from uuid import UUID

import logfire
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.people import Tier
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import (
    Confidence,
    KnowledgeGap,
    MatchKind,
    SopHit,
    SourceTier,
    confidence_of,
)
from agencyclaw.domain.text import clean, cut, folded, one_line
from agencyclaw.knowledge.excerpts import passage
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.knowledge.similar import similar_tasks
from agencyclaw.tools.arguments import Asked, Name
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.results import Ask, Result

WHOLE = 3_500
EXCERPTS = ((WHOLE,), (700, 500), (700, 250, 250))
BESIDE = 250
DOCUMENT_EXCERPTS = (700, 300)
SIMILAR_CONFIDENCE = 0.4
NOT_FOUND = "No procedure was found. Say so and ask how it should be done; invent no steps."
BY_WORDS = "Found by words of the text only: check that it fits, else call it the closest one."
CLOSEST = "Nothing answers this for sure: call these the closest, and ask how it should be done."
ONLY_DOCUMENTS = "No procedure was found, only documents: name them as the source, not as the SOP."
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


class Document(Result):
    """An approved document beside the procedures, and the part that is quoted."""

    title: str
    tier: SourceTier
    version: str
    confidence: Confidence
    url: str | None = None
    excerpt: str = ""


class KnowledgeAnswer(Result):
    """What is known about a question, most trusted evidence first."""

    found: bool
    confidence: float
    procedures: tuple[Procedure, ...] = ()
    documents: tuple[Document, ...] = ()
    earlier_tasks: tuple[EarlierTask, ...] = ()
    note: str | None = None


@reads(tier=Tier.MEMBER, title="Searching the procedures", skill_ids=("sop_lookup",))
async def search_kb(
    ctx: RunContext[Deps], query: Asked, client: Name | None = None
) -> KnowledgeAnswer:
    """Search the agency's procedures (SOPs) and documents, and a client's earlier tasks.

    Args:
        query: What the work is about, in the person's words; a pasted mail as it is.
        client: What the person called the client, if one is meant.
    """
    knowledge = ctx.deps.knowledge
    hits, beside, prior = await asyncio.gather(
        knowledge.find_sops(query, limit=len(EXCERPTS)),
        knowledge.find_documents(query, limit=len(DOCUMENT_EXCERPTS)),
        _earlier(ctx.deps, client, query),
        return_exceptions=True,
    )
    if isinstance(hits, BaseException) and (isinstance(prior, BaseException) or not client):
        raise hits
    notes = [_failed("sop", hits), _failed("internal", beside), _failed("similar_task", prior)]
    sops = () if isinstance(hits, BaseException) else tuple(hits)
    # A procedure to rest on needs nothing beside it.
    is_settled = bool(sops) and sops[0].is_ground
    others = () if is_settled or isinstance(beside, BaseException) else tuple(beside)
    earlier = () if isinstance(prior, BaseException) else prior
    if isinstance(earlier, str):
        notes.append(earlier)
        earlier = ()
    if not isinstance(hits, BaseException):
        notes.append(_standing(sops, others, earlier))
        await note_gap(ctx.deps, query, (*sops, *others))
    return KnowledgeAnswer(
        found=bool(sops or others or earlier),
        confidence=_confidence((*sops, *others), earlier),
        procedures=_procedures(sops),
        documents=_documents(others, query),
        earlier_tasks=tuple(_earlier_task(task) for task in earlier),
        note=" ".join(note for note in notes if note) or None,
    )


def _standing(
    sops: tuple[SopHit, ...], others: tuple[SopHit, ...], earlier: tuple[PriorTask, ...]
) -> str:
    """Say what the best finding is worth, by the judgement that a draft goes by too."""
    if sops and sops[0].is_ground:
        return BY_WORDS if sops[0].match == "text" else ""
    if any(one.is_ground for one in others):
        return ONLY_DOCUMENTS
    if sops or others:
        return CLOSEST
    return ONLY_EARLIER if earlier else NOT_FOUND


async def note_gap(deps: Deps, question: str, found: tuple[SopHit, ...]) -> None:
    """Remember a question that nothing answers for sure; that this fails costs nobody an answer."""
    if any(one.is_ground for one in found):
        return
    best = max(found, key=lambda one: one.score, default=None)
    gap = KnowledgeGap(
        question=one_line(redacted(question), 300),
        client_id=_whose(deps),
        asked_by=deps.actor.profile_id,
        run_id=deps.run_id,
        best=best.score if best else 0.0,
        closest=best.sop.title if best else None,
    )
    [fault] = await asyncio.gather(deps.knowledge.note_gap(gap), return_exceptions=True)
    if isinstance(fault, Exception):
        logfire.warn("gap not noted", fault=type(fault).__name__)


def _whose(deps: Deps) -> UUID | None:
    """Return the client a question is about: the one this run resolved, else that of the place."""
    met = deps.topic.clients
    return next(iter(met)) if len(met) == 1 else None if met else deps.scope.client_id


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


def _failed(tier: str, outcome: object) -> str:
    """A tier that fails is noted; the others still answer."""
    if not isinstance(outcome, BaseException):
        return ""
    logfire.warn("knowledge tier failed", tier=tier, fault=type(outcome).__name__)
    return UNSEARCHED if tier == "sop" else ""


def _procedures(kept: tuple[SopHit, ...]) -> tuple[Procedure, ...]:
    return tuple(_procedure(hit, share) for hit, share in zip(kept, _shares(kept), strict=True))


def _shares(kept: tuple[SopHit, ...]) -> tuple[int, ...]:
    """Return how much of each is quoted: all of one that was called by its name, among others."""
    named = [hit for hit in kept if hit.match != "text"]
    if len(named) == 1 and kept[0] is named[0]:
        return (WHOLE, *(BESIDE for _ in kept[1:]))
    return EXCERPTS[len(kept) - 1] if kept else ()


def _documents(kept: tuple[SopHit, ...], query: str) -> tuple[Document, ...]:
    return tuple(
        Document(
            title=one_line(hit.sop.title, 120),
            tier=hit.sop.tier,
            version=hit.sop.version,
            confidence=confidence_of(hit.score),
            url=hit.sop.url,
            excerpt=passage(clean(hit.sop.body, limit=len(hit.sop.body)), query, share),
        )
        for hit, share in zip(kept, DOCUMENT_EXCERPTS, strict=False)
    )


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


def _confidence(hits: tuple[SopHit, ...], earlier: tuple[PriorTask, ...]) -> float:
    scores = [hit.score for hit in hits]
    return max([*scores, SIMILAR_CONFIDENCE] if earlier else [*scores, 0.0])
