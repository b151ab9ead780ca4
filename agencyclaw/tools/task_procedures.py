"""Resolves a task's procedure: chosen by reading, or called by its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import match_names, names_in
from agencyclaw.domain.sops import Sop, SopHit, SopName
from agencyclaw.domain.task_requests import ChosenProcedure
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.gaps import TaskRequest
from agencyclaw.tools.sops import record_miss

QUERY_LIMIT = 400
NAMED_AT_MOST = 5


@dataclass(frozen=True)
class TaskProcedure:
    """A task's procedure and evidence; `remarks` are for the model, `closest` for a question."""

    sop: SopHit | None = None
    related: tuple[SopHit, ...] = ()
    closest: SopHit | None = None
    note: str = ""
    remarks: tuple[str, ...] = ()


def has_title_alone(ground: TaskProcedure, request: TaskRequest, names: Iterable[str] = ()) -> bool:
    """Whether neither a procedure nor the person says what is to be done.

    `names` are those of the client and its brands, which say nothing of the work. Somebody who says
    why a task needs no procedure has read it, and its title may be all it needs.
    """
    if ground.sop or ground.related:
        return False
    return request.is_thin if ground.note else request.is_only_titled(names)


async def settle_procedure(deps: Deps, chosen: ChosenProcedure | None, text: str) -> TaskProcedure:
    """Return the chosen procedure; raises Refused if none has that name.

    Without a choice, only a procedure whose title or alias is in the request is taken.
    """
    names = await deps.knowledge.sop_names()
    if chosen and chosen.title and folded(chosen.title):
        return await _by_title(deps, chosen.title, names)
    query = one_line(text, QUERY_LIMIT)
    hits = await deps.knowledge.find_sops(query, limit=NAMED_AT_MOST)
    if chosen and chosen.none_because and folded(chosen.none_because):
        record_miss(deps, query, tuple(hits[:1]))
        return TaskProcedure(closest=_first(hits), note=one_line(chosen.none_because, 200))
    named = names_in(text, names)
    if len(named) == 1 and (sop := await deps.knowledge.sop(named[0].id)):
        return TaskProcedure(sop=_used(deps, sop))
    record_miss(deps, query, tuple(hits[:1]))
    return TaskProcedure(closest=_first(hits), remarks=_to_choose(hits))


async def _by_title(deps: Deps, title: str, names: Sequence[SopName]) -> TaskProcedure:
    named = match_names(title, names)
    is_one = named.is_sure and len(named.things) == 1
    if is_one and (sop := await deps.knowledge.sop(named.things[0].id)):
        return TaskProcedure(sop=_used(deps, sop))
    beside = [hit.sop for hit in await deps.knowledge.find_documents(title, limit=NAMED_AT_MOST)]
    documents = match_names(title, beside)
    if documents.is_sure and len(documents.things) == 1:
        return TaskProcedure(related=(_used(deps, documents.things[0]),))
    likely = [one.title for one in (*named.things, *documents.things)]
    known = ", ".join(f"“{one}”" for one in likely[:NAMED_AT_MOST])
    shown = one_line(title, 80)
    if known:
        words = message("refused.task_procedures.closest", title=shown, known=known)
    else:
        words = message("refused.task_procedures.procedure_not_found", title=shown)
    raise Refused(words, reason="procedure_not_found")


def _used(deps: Deps, sop: Sop) -> SopHit:
    """Record that a procedure was found by name and used."""
    deps.inquiry.used.append(sop)
    return SopHit(sop=sop, match="alias", score=1.0)


def _first(hits: Sequence[SopHit]) -> SopHit | None:
    return hits[0] if hits else None


def _to_choose(hits: Sequence[SopHit]) -> tuple[str, ...]:
    if not hits:
        return ()
    titles = ", ".join(f"“{hit.sop.title}”" for hit in hits)
    return (message("remarks.procedure_to_choose", titles=titles),)
