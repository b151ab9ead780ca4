"""Composes the effect that creates a task, with its brief, from facts that are known."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.domain.edits import TaskEdits
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.sops import SopHit, Source, confidence_of
from agencyclaw.domain.task_creation import (
    DETAILS_LIMIT,
    OBJECTIVE_LIMIT,
    Assignee,
    CreateTask,
    Destination,
)
from agencyclaw.domain.task_requests import Declinable, Promotion, TaskFact
from agencyclaw.domain.text import one_line
from agencyclaw.domain.thread import MessageLink
from agencyclaw.knowledge.brief_body import render_body
from agencyclaw.knowledge.open_points import open_points
from agencyclaw.knowledge.steps import Steps, read_steps

BRIEF_LIMIT = 6_000
EXCERPT_LIMIT = 500
TITLES_LIMIT = 120


class TaskParts(Value):
    """Everything known about a task before its brief is written; ids are resolved."""

    client: Named
    brand: Named | None = None
    marketplaces: tuple[str, ...] = ()
    is_default_marketplace: bool = False
    destination: Destination
    title: str
    objective: str = ""
    details: str = ""
    promotion: Promotion | None = None
    facts: tuple[TaskFact, ...] = ()
    sop: SopHit | None = None
    procedure_note: str = ""
    related: tuple[SopHit, ...] = ()
    identifiers: tuple[str, ...] = ()
    is_brand_by_product: bool = False
    titles: tuple[str, ...] = ()
    uncatalogued: tuple[str, ...] = ()
    product_words: tuple[str, ...] = ()
    identifiers_pending: bool = False
    assignee: Assignee | None = None
    start: date | None = None
    due: date | None = None
    declined: tuple[Declinable, ...] = ()
    timezone: str = "UTC"
    create_anyway: bool = False
    replaces: str = ""
    replaces_card: UUID | None = None
    replaces_alone: bool = False
    from_message: MessageLink | None = None


def compose_task(parts: TaskParts) -> CreateTask:
    """Build the effect and its brief; raises TooMuch if the brief is over the limit."""
    steps = read_steps(parts.sop.sop.body) if parts.sop else Steps()
    # The parts that only the procedure's fields below are made from.
    used_up = {"sop", "related"}
    taken_over = {
        name: getattr(parts, name) for name in TaskParts.model_fields if name not in used_up
    }
    return _with_body(
        taken_over
        | {
            "title": one_line(parts.title, 200),
            "objective": one_line(parts.objective, OBJECTIVE_LIMIT),
            "details": _details(parts),
            "procedure_note": one_line(parts.procedure_note, 200),
            "checklist": steps.lines,
            "sections": steps.sections,
            "excerpt": _excerpt(parts.sop, steps),
            "category": parts.sop.sop.category if parts.sop else "",
            "identifiers": tuple(dict.fromkeys(item.upper() for item in parts.identifiers)),
            "titles": tuple(one_line(title, TITLES_LIMIT) for title in parts.titles),
            "sources": _sources(parts),
            "replaces": one_line(parts.replaces, 200),
        }
    )


def recompose(effect: CreateTask, edits: TaskEdits, assignee: Assignee | None) -> CreateTask:
    """Rebuild the effect after an edit, from itself and the form alone."""
    identifiers = edits.identifiers
    changed: dict[str, Any] = {
        "title": one_line(edits.title, len(edits.title) + 1),
        "objective": edits.objective,
        "details": edits.details.strip(),
        "promotion": edits.promotion,
        "facts": edits.facts,
        "marketplaces": edits.marketplaces,
        "is_default_marketplace": effect.is_default_marketplace
        and edits.marketplaces == effect.marketplaces,
        "start": edits.start,
        "due": edits.due,
        "assignee": assignee,
        "declined": _still_declined(effect, edits, assignee),
        "identifiers": identifiers,
        **_products(effect, identifiers),
    }
    # A card that rests on none says why already.
    if not (edits.keeps_procedure or effect.procedure_note):
        changed |= _WITHOUT_PROCEDURE
        changed["sources"] = ()
    return _with_body(_fields_of(effect) | changed)


def unassigned(effect: CreateTask) -> CreateTask:
    """Rebuild the effect without its assignee."""
    return _with_body(_fields_of(effect) | {"assignee": None})


def _fields_of(effect: CreateTask) -> dict[str, Any]:
    return {name: getattr(effect, name) for name in CreateTask.model_fields}


def _still_declined(
    effect: CreateTask, edits: TaskEdits, assignee: Assignee | None
) -> tuple[Declinable, ...]:
    fields = {"assignee": assignee, "due": edits.due}
    return tuple(one for one in effect.declined if fields[one] is None)


def _products(effect: CreateTask, identifiers: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields about products that change when a person edits the identifiers."""
    if identifiers == effect.identifiers:
        return {}
    titles = dict(zip(effect.identifiers, effect.titles, strict=False))
    known = tuple(titles.get(identifier, "") for identifier in identifiers)
    return {
        "catalogued": "",
        "titles": known if any(known) else (),
        "product_words": (),
        "identifiers_pending": not identifiers,
    }


_WITHOUT_PROCEDURE: dict[str, Any] = {
    "checklist": (),
    "more_steps": 0,
    "sections": (),
    "excerpt": "",
    "category": "",
    "procedure_note": message("effects.taken_off_in_the_form"),
}


def source_of(hit: SopHit) -> Source:
    """Return a procedure as a citation."""
    return Source(
        tier=hit.sop.tier,
        id=str(hit.sop.id),
        title=hit.sop.title,
        version=hit.sop.version,
        url=hit.sop.url,
        confidence=confidence_of(hit.score),
    )


def _with_body(fields: dict[str, Any]) -> CreateTask:
    bare = CreateTask.model_validate(fields | {"body": "", "unresolved": ()})
    whole = bare.model_copy(update={"unresolved": open_points(bare)})
    body = render_body(whole)
    if len(body) > BRIEF_LIMIT:
        raise TooMuch(
            message("effects.brief_too_long", length=f"{len(body):,}", most=f"{BRIEF_LIMIT:,}"),
            reason="brief_too_long",
        )
    return whole.model_copy(update={"body": body})


def _details(parts: TaskParts) -> str:
    details = parts.details.strip()
    if len(details) > DETAILS_LIMIT:
        raise TooMuch(
            message(
                "effects.details_too_long",
                length=f"{len(details):,}",
                most=f"{DETAILS_LIMIT:,}",
            ),
            reason="details_too_long",
        )
    return details


def _excerpt(hit: SopHit | None, steps: Steps) -> str:
    """Return a few lines of a procedure in prose, which has no steps to list."""
    if hit is None or steps.lines:
        return ""
    return one_line(hit.sop.body, EXCERPT_LIMIT)


def _sources(parts: TaskParts) -> tuple[Source, ...]:
    """Return the chosen procedure as the source; without one, the related documents."""
    return (source_of(parts.sop),) if parts.sop else tuple(map(source_of, parts.related))
