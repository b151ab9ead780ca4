"""Procedures: found by name, alias or text, and quoted with their source."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.errors import DatabaseUnavailable, NotAllowed, NotFound, WrongPlace
from agencyclaw.domain.findings import FindingSource
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import (
    Confidence,
    KnowledgeGap,
    MatchKind,
    Sop,
    SopHit,
    SopName,
    SourceTier,
    confidence_of,
)
from agencyclaw.domain.text import clean, cut, folded, one_line
from agencyclaw.knowledge.excerpts import parts_of, passage
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.knowledge.similar import similar_tasks
from agencyclaw.tools.arguments import Asked, Name, Page
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.optional import optional
from agencyclaw.tools.results import Ask, Quoting, Result, ask_which

# How much is quoted: nearly all of one that was called by its name, much of one that is offered as
# the answer, and of others what speaks of the question.
WHOLE = 3_500
OFFERED = 1_500
BESIDE = 250
MOST_HITS = 4
DOCUMENT_EXCERPTS = (700, 300)
A_PART = 8_000
TITLES_ON_A_PAGE = 4_000
SIMILAR_CONFIDENCE = 0.4
NOT_FOUND = "No procedure was found. Say so, and invent no steps: what is missing is asked for."
BY_WORDS = (
    "Found by words, not by its name: check that it fits. If title and excerpt do, that is enough;"
    " if not, open another of the titles."
)
CLOSEST = (
    "Nothing answers this for sure by its words: these are the closest. Choose by reading: a title,"
    " another name or an excerpt that plainly fits is enough for a task; open it to tell its steps,"
    " or where it may not fit. If none does, say so and invent no steps: a task that says why it"
    " rests on none asks for what it lacks."
)
OPEN_ONE = "Before that, open the one of the other titles that fits, if any does."
ONLY_DOCUMENTS = "No procedure was found, only documents: name them as the source, not as the SOP."
ONLY_EARLIER = "No procedure was found, only earlier tasks. Say so, and invent no steps."
UNSEARCHED = "The procedures could not be searched just now; there may well be one."
WHICH = "Which procedure is meant?"
UNCLEAR_CLIENT = "Earlier tasks were not searched: which client is meant is unclear."


class Procedure(Result):
    """A procedure with its source and the quoted part."""

    title: str
    category: str = ""
    version: str = ""
    confidence: Confidence
    match: MatchKind
    url: str | None = None
    excerpt: str = ""


class OpenedProcedure(Quoting):
    """A procedure's text, or one part of a long one."""

    title: str
    category: str = ""
    version: str = ""
    url: str | None = None
    text: str = ""
    part: int = 1
    parts: int = 1

    @property
    def quoted(self) -> tuple[FindingSource, ...]:
        """The procedure itself."""
        return (FindingSource(title=self.title, url=self.url),)


class EarlierTask(Result):
    """A similar task that was prepared here earlier."""

    title: str
    url: str | None = None
    created: date


class Document(Result):
    """An approved document and the quoted part."""

    title: str
    tier: SourceTier
    version: str
    confidence: Confidence
    url: str | None = None
    excerpt: str = ""


class KnowledgeAnswer(Quoting):
    """What is known about a question, most trusted evidence first.

    `other_titles` are the agency's other procedures, each with its other names.
    """

    found: bool
    confidence: float
    procedures: tuple[Procedure, ...] = ()
    other_titles: tuple[str, ...] = ()
    documents: tuple[Document, ...] = ()
    earlier_tasks: tuple[EarlierTask, ...] = ()
    note: str | None = None

    @property
    def quoted(self) -> tuple[FindingSource, ...]:
        """The procedures and documents of which a part is quoted."""
        return self._with_more_than(0)

    @property
    def opened(self) -> tuple[FindingSource, ...]:
        """Those called by name, or quoted with more than a passage."""
        named = {one.title for one in self.procedures if one.match != "text"}
        read = {one.title for one in self._with_more_than(BESIDE)}
        return tuple(one for one in self.quoted if one.title in named | read)

    def _with_more_than(self, characters: int) -> tuple[FindingSource, ...]:
        found = [
            one for one in (*self.procedures, *self.documents) if len(one.excerpt) > characters
        ]
        return tuple(FindingSource(title=one.title, url=one.url) for one in found)


@reads(tier=Tier.MEMBER, skill_id="sop_lookup")
async def search_kb(
    ctx: RunContext[Deps], query: Asked, client: Name | None = None, page: Page | None = None
) -> KnowledgeAnswer:
    """Search the agency's procedures (SOPs) and documents, and a client's earlier tasks.

    Choose by reading: the right one may stand low, or among the other titles.

    Args:
        query: What the work is about, in the person's words; a pasted mail as it is.
        client: What the person called the client, if one is meant.
        page: Of the other titles, which are told once unless asked for.
    """
    deps = ctx.deps
    knowledge = deps.knowledge
    hits, beside, prior, names = await asyncio.gather(
        optional(knowledge.find_sops(query, limit=MOST_HITS, by_meaning=True)),
        optional(knowledge.find_documents(query, limit=len(DOCUMENT_EXCERPTS))),
        optional(_earlier(deps, client, query)),
        optional(knowledge.sop_names()),
    )
    if hits is None and (prior is None or not client):
        raise DatabaseUnavailable(UNSEARCHED)
    notes = [UNSEARCHED if hits is None else ""]
    sops = tuple(hits or ())
    # A procedure to rest on needs nothing beside it.
    is_settled = bool(sops) and sops[0].is_ground
    others = () if is_settled else tuple(beside or ())
    earlier = prior or ()
    if isinstance(earlier, str):
        notes.append(earlier)
        earlier = ()
    is_named = bool(sops) and sops[0].is_sure
    is_shown = page is None and (is_named or _have_come(ctx))
    titles, more = ((), "") if is_shown else other_titles(names or (), sops, page or 1)
    if hits is not None:
        if titles:
            deps.inquiry.listed_in.add(ctx.run_id)
        notes += [_state_note(sops, others, earlier, titles), more]
        record_miss(deps, query, (*sops, *others))
    return KnowledgeAnswer(
        found=bool(earlier) or any(one.is_ground for one in (*sops, *others)),
        confidence=_confidence((*sops, *others), earlier),
        procedures=quoted(sops, query),
        other_titles=titles,
        documents=_documents(others, query),
        earlier_tasks=tuple(_earlier_task(task, deps.actor.zone) for task in earlier),
        note=" ".join(note for note in notes if note) or None,
    )


def _have_come(ctx: RunContext[Deps]) -> bool:
    """Whether another search of this run returned the other titles, one beside this one too."""
    return ctx.run_id in ctx.deps.inquiry.listed_in


def other_titles(
    names: Sequence[SopName], shown: Sequence[SopHit], page: int = 1
) -> tuple[tuple[str, ...], str]:
    """Return a page of the titles not shown, and how to get the other pages."""
    seen = {hit.sop.id for hit in shown}
    pages: list[list[str]] = [[]]
    left = TITLES_ON_A_PAGE
    for line in (_titled(one) for one in names if one.id not in seen):
        if len(line) > left:
            pages.append([])
            left = TITLES_ON_A_PAGE
        pages[-1].append(line)
        left -= len(line)
    if len(pages) == 1:
        return tuple(pages[0]), ""
    at = min(page, len(pages))
    return tuple(pages[at - 1]), f"Page {at} of {len(pages)} of the other titles."


def _titled(one: SopName) -> str:
    also = f" (also: {one_line(', '.join(one.aliases), 160)})" if one.aliases else ""
    return f"{one_line(one.title, 120)}{also}"


@reads(tier=Tier.MEMBER, skill_id="sop_read")
async def read_procedure(
    ctx: RunContext[Deps], title: Name, part: Page = 1
) -> OpenedProcedure | Ask:
    """Open a procedure (SOP) by its title.

    Args:
        title: Its title, or another name of it.
        part: Which part of a long one.
    """
    found = await find_procedure(ctx.deps, title)
    if isinstance(found, Ask):
        return found
    ctx.deps.inquiry.opened.append(found)
    body = clean(found.body, limit=len(found.body))
    parts = parts_of(body, A_PART)
    at = min(part, len(parts))
    return OpenedProcedure(
        title=one_line(found.title, 120),
        category=found.category,
        version=found.version,
        url=found.url,
        text=parts[at - 1],
        part=at,
        parts=len(parts),
    )


async def find_procedure(deps: Deps, title: str) -> Sop | Ask:
    """Return the procedure of a title or another name, or ask which; raises NotFound."""
    names = await deps.knowledge.sop_names()
    match = find_named(deps, title, names)
    name = decide(deps, match)
    if match.things and name is None:
        return ask_which(WHICH, as_choices("document", match.things))
    found = await deps.knowledge.sop(name.id) if name else None
    if found is None:
        raise NotFound(
            message("refused.sops.procedure_not_found", title=one_line(title, 80)),
            reason="procedure_not_found",
        )
    return found


def _state_note(
    sops: tuple[SopHit, ...],
    others: tuple[SopHit, ...],
    earlier: tuple[PriorTask, ...],
    titles: tuple[str, ...],
) -> str:
    """Say what the best finding is worth, by the rule that drafts use too."""
    if sops and sops[0].is_ground:
        return "" if sops[0].is_sure else BY_WORDS
    if any(one.is_ground for one in others):
        return ONLY_DOCUMENTS
    if sops or others:
        return CLOSEST
    found = ONLY_EARLIER if earlier else NOT_FOUND
    return f"{found} {OPEN_ONE}" if titles else found


def record_miss(deps: Deps, question: str, found: tuple[SopHit, ...]) -> None:
    """Record a question for which a search has nothing to offer."""
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
    deps.inquiry.missed.append(gap)


def _whose(deps: Deps) -> UUID | None:
    """Return the client a question is about: the one this run resolved, else the place's."""
    met = deps.topic.clients
    return next(iter(met)) if len(met) == 1 else None if met else deps.scope.client_id


async def _earlier(deps: Deps, client: str | None, query: str) -> tuple[PriorTask, ...] | str:
    """Return similar earlier tasks, or why none were looked for."""
    if not client or not folded(client):
        return ()
    try:
        found = await find_client(deps, client)
    except NotFound:
        return UNCLEAR_CLIENT
    except (NotAllowed, WrongPlace):
        return ()  # the procedures may be shown all the same
    if isinstance(found, Ask):
        return UNCLEAR_CLIENT
    prior = await deps.knowledge.prior_tasks(found.client.id, limit=50)
    return similar_tasks(prior, query, limit=3)


def quoted(kept: tuple[SopHit, ...], query: str) -> tuple[Procedure, ...]:
    """Quote the best hit at length, and of others the passage about the question."""
    first = [WHOLE if hit.is_sure else OFFERED for hit in kept[:1] if hit.is_ground]
    shares = [*first, *(BESIDE for _ in kept)][: len(kept)]
    return tuple(_procedure(hit, query, share) for hit, share in zip(kept, shares, strict=True))


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


def _procedure(hit: SopHit, query: str, share: int) -> Procedure:
    body = clean(hit.sop.body, limit=len(hit.sop.body))
    return Procedure(
        title=one_line(hit.sop.title, 120),
        category=hit.sop.category,
        version=hit.sop.version,
        confidence=confidence_of(hit.score),
        match=hit.match,
        url=hit.sop.url,
        excerpt=cut(body, share) if hit.is_sure else passage(body, query, share),
    )


def _earlier_task(task: PriorTask, zone: ZoneInfo) -> EarlierTask:
    created = day_of(task.created_at, zone)
    return EarlierTask(title=one_line(task.title, 160), url=task.url, created=created)


def _confidence(hits: tuple[SopHit, ...], earlier: tuple[PriorTask, ...]) -> float:
    scores = [hit.score for hit in hits]
    return max([*scores, SIMILAR_CONFIDENCE] if earlier else [*scores, 0.0])
