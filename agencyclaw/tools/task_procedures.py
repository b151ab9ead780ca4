"""Resolves a task's procedure: chosen by reading, or called by its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import names_in
from agencyclaw.domain.search import only_named_in
from agencyclaw.domain.sops import Sop, SopHit, SopName
from agencyclaw.domain.task_requests import ChosenProcedure
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.gaps import TaskRequest
from agencyclaw.tools.names import as_choices, find_named
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.sops import WHICH, record_miss

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


async def settle_procedure(
    deps: Deps, chosen: ChosenProcedure | None, request: TaskRequest
) -> TaskProcedure | Ask:
    """Return the chosen procedure, or ask which of several has its name; raises Refused for none.

    Without a choice, only the procedure that the task's title names is taken.
    """
    names = await deps.knowledge.sop_names()
    if chosen and chosen.title and folded(chosen.title):
        return await _by_title(deps, chosen.title, names)
    query = one_line(request.text, QUERY_LIMIT)
    hits = await deps.knowledge.find_sops(query, limit=NAMED_AT_MOST)
    if chosen and chosen.none_because and folded(chosen.none_because):
        record_miss(deps, request.title or query, tuple(hits[:1]))
        return TaskProcedure(
            closest=next(iter(hits), None), note=one_line(chosen.none_because, 200)
        )
    named = only_named_in(request.title, names_in(request.title, names))
    if named and (sop := await deps.knowledge.sop(named.id)):
        return TaskProcedure(sop=_used(deps, sop))
    record_miss(deps, request.title or query, tuple(hits[:1]))
    return TaskProcedure(closest=next(iter(hits), None), remarks=_to_choose(hits))


async def _by_title(deps: Deps, title: str, names: Sequence[SopName]) -> TaskProcedure | Ask:
    named = find_named(deps, title, names)
    if named.is_sure:
        first, *others = named.things
        if others:
            return ask_which(WHICH, as_choices("document", named.things))
        if sop := await deps.knowledge.sop(first.id):
            return TaskProcedure(sop=_used(deps, sop))
    beside = [hit.sop for hit in await deps.knowledge.find_documents(title, limit=NAMED_AT_MOST)]
    documents = find_named(deps, title, beside)
    if documents.is_sure:
        document, *others = documents.things
        if others:
            return ask_which(WHICH, as_choices("document", documents.things))
        return TaskProcedure(related=(_used(deps, document),))
    likely = list(dict.fromkeys(one.title for one in (*named.things, *documents.things)))
    known = ", ".join(f"“{one}”" for one in likely[:NAMED_AT_MOST])
    shown = one_line(title, 80)
    if known:
        words = message("refused.task_procedures.closest", title=shown, known=known)
    else:
        words = message("refused.sops.procedure_not_found", title=shown)
    raise Refused(words, reason="procedure_not_found")


def _used(deps: Deps, sop: Sop) -> SopHit:
    """Record that a procedure was found by name and used."""
    deps.inquiry.used.append(sop)
    return SopHit(sop=sop, match="alias", score=1.0)


def _to_choose(hits: Sequence[SopHit]) -> tuple[str, ...]:
    if not hits:
        return ()
    titles = ", ".join(f"“{hit.sop.title}”" for hit in hits)
    return (message("remarks.procedure_to_choose", titles=titles),)
