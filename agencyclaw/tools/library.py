"""Documents of the knowledge base that wait for approval, and what an admin decides on them."""

from __future__ import annotations

from datetime import date

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.library import DecideDocument, Decision, DocumentVersion, moves_for
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import match_names
from agencyclaw.domain.people import Tier
from agencyclaw.tools.arguments import Query
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.results import Ask, Result, ask_which

SHOWN = 30


class WaitingDocument(Result):
    """A procedure or document that waits for approval."""

    title: str
    noun: str
    origin: str
    version: str
    since: date
    added_by: str = ""


class WaitingDocuments(Result):
    """Documents that wait for approval, the longest waiting first."""

    documents: tuple[WaitingDocument, ...] = ()
    total: int
    note: str


@reads(tier=Tier.ADMIN, skill_id="kb_waiting", on_demand=True)
async def list_waiting_documents(ctx: RunContext[Deps]) -> WaitingDocuments:
    """List procedures and documents of the knowledge base that wait for an admin's approval."""
    documents = await ctx.deps.knowledge.shelved()
    waiting = [version for version in documents if version.state == "waiting"]
    note = "" if waiting else "Nothing waits for approval."
    if len(waiting) > SHOWN:
        note = f"{SHOWN} of {len(waiting)} are shown."
    shown = tuple(
        WaitingDocument(
            title=version.title,
            noun=version.noun,
            origin=version.origin,
            version=version.version,
            since=day_of(version.added_at, ctx.deps.actor.zone),
            added_by=version.added_by,
        )
        for version in waiting[:SHOWN]
    )
    return WaitingDocuments(documents=shown, total=len(waiting), note=note)


@proposes(DecideDocument, tier=Tier.ADMIN, skill_id="kb_decide", on_demand=True)
async def decide_document(
    ctx: RunContext[Deps], document: Query, decision: Decision
) -> DecideDocument | Ask:
    """Prepare to approve a waiting procedure or document for use, or to take one out of use.

    Args:
        document: Its title or file name, as the person said it.
        decision: use approves a waiting one, reject turns it down; retire takes one out of use.
    """
    documents = await ctx.deps.knowledge.shelved()
    version = _named_version(ctx.deps, documents, document, decision)
    if isinstance(version, Ask):
        return version
    versions = [other for other in documents if other.id == version.id]
    return DecideDocument(
        document=version,
        decision=decision,
        moves=moves_for(version, decision, versions),
    )


def _named_version(
    deps: Deps, documents: list[DocumentVersion], name: str, decision: Decision
) -> DocumentVersion | Ask:
    """Return the document that is meant, or a question which; raises NotFound for none.

    A document of exactly this name is meant even if nothing of it can be decided on.
    """
    state = "approved" if decision == "retire" else "waiting"
    versions = {version.id: version for version in documents if version.state == state}
    match, known = find_named(deps, name, list(versions.values())), match_names(name, documents)
    if not match.things or (known.is_exact and not match.is_exact):
        waits, in_use = message("refused.library.waits"), message("refused.library.in_use")
        words = waits if decision == "retire" else in_use
        if not known.things:
            words = message("refused.library.document_not_found")
        raise NotFound(words, reason="document_not_found")
    choices = as_choices("document", match.things)
    return decide(deps, match) or ask_which("Which document is meant?", choices)
