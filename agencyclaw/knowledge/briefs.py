"""Task briefs: short, grounded, the same for the same input, and honest about what is not known."""

from __future__ import annotations

from datetime import date
from typing import Any

from agencyclaw.domain.clients import Named
from agencyclaw.domain.effects import DETAILS_LIMIT, Assignee, CreateTask, Destination
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.people import Value
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import SopHit, Source, confidence_of
from agencyclaw.domain.tasks import find_identifiers, says_nothing
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.brief_body import render_body
from agencyclaw.knowledge.open_points import open_points
from agencyclaw.knowledge.phrases import without_deferral
from agencyclaw.knowledge.steps import Steps, read_steps

BRIEF_LIMIT = 6_000
EXCERPT_LIMIT = 500
PRIOR_AT_MOST = 2


class TaskParts(Value):
    """All that is known of a task before its brief is written; ids are resolved."""

    client: Named
    brand: Named | None = None
    marketplaces: tuple[str, ...] = ()
    destination: Destination
    title: str
    request: str = ""
    details: str = ""
    sop: SopHit | None = None
    related: tuple[SopHit, ...] = ()
    prior: tuple[PriorTask, ...] = ()
    identifiers: tuple[str, ...] = ()
    catalogued: str = ""
    identifiers_pending: bool = False
    assignee: Assignee | None = None
    start: date | None = None
    due: date | None = None
    timezone: str = "UTC"
    create_anyway: bool = False
    replaces: str = ""


def compose_task(parts: TaskParts) -> CreateTask:
    """Build the effect and its brief; raises TooMuch when the brief would be over the limit."""
    details = _details(parts)
    named = find_identifiers(f"{parts.title}\n{details}")
    identifiers = tuple(dict.fromkeys((*parts.identifiers, *named)))
    steps = read_steps(parts.sop.sop.body) if parts.sop else Steps()
    return _with_body(
        {
            "client": parts.client,
            "brand": parts.brand,
            "destination": parts.destination,
            "title": one_line(parts.title, 200),
            "details": details,
            "checklist": steps.lines,
            "more_steps": steps.more,
            "excerpt": _excerpt(parts.sop, steps),
            "category": parts.sop.sop.category if parts.sop else "",
            "marketplaces": parts.marketplaces,
            "identifiers": identifiers,
            "catalogued": one_line(parts.catalogued, 200),
            "identifiers_pending": parts.identifiers_pending and not identifiers,
            "assignee": parts.assignee,
            "start": parts.start,
            "due": parts.due,
            "timezone": parts.timezone,
            "sources": _sources(parts),
            "create_anyway": parts.create_anyway,
            "replaces": one_line(parts.replaces, 200),
        }
    )


def recompose(
    effect: CreateTask,
    *,
    title: str,
    details: str,
    start: date | None,
    due: date | None,
    assignee: Assignee | None,
) -> CreateTask:
    """Build the effect anew after an edit, from itself alone; what the edit unsays is dropped."""
    before = set(find_identifiers(f"{effect.title}\n{effect.details}"))
    now = find_identifiers(f"{title}\n{details}")
    kept = [item for item in effect.identifiers if item not in before or item in now]
    identifiers = tuple(dict.fromkeys((*kept, *now)))
    changed = {
        "title": one_line(title, len(title) + 1),
        "details": details.strip(),
        "start": start,
        "due": due,
        "assignee": assignee,
        "identifiers": identifiers,
        "catalogued": effect.catalogued if identifiers == effect.identifiers else "",
        "identifiers_pending": not identifiers
        and (effect.identifiers_pending or bool(effect.identifiers)),
    }
    fields = {name: getattr(effect, name) for name in CreateTask.model_fields}
    return _with_body(fields | changed)


def source_of(hit: SopHit) -> Source:
    """Return a found procedure as a citation."""
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
            f"The brief would be {len(body):,} characters long; {BRIEF_LIMIT:,} fit."
            " Please shorten the details.",
            reason="brief_too_long",
        )
    return whole.model_copy(update={"body": body})


def _details(parts: TaskParts) -> str:
    request, details = parts.request.strip(), parts.details.strip()
    if says_nothing(request) or request in details:
        request = ""
    both = "\n\n".join(text for text in (request, details) if text)
    if parts.identifiers_pending:
        both = without_deferral(both)
    if len(both) > DETAILS_LIMIT:
        raise TooMuch(
            f"Request and details are {len(both):,} characters long; {DETAILS_LIMIT:,} fit.",
            reason="details_too_long",
        )
    return both


def _excerpt(hit: SopHit | None, steps: Steps) -> str:
    """A procedure in prose still has to reach the task, as a few lines of its own words."""
    if hit is None or steps.lines:
        return ""
    return one_line(hit.sop.body, EXCERPT_LIMIT)


def _sources(parts: TaskParts) -> tuple[Source, ...]:
    if parts.sop:
        return (source_of(parts.sop),)
    earlier = (_prior_source(task) for task in parts.prior[:PRIOR_AT_MOST])
    return (*map(source_of, parts.related), *earlier)


def _prior_source(task: PriorTask) -> Source:
    return Source(
        tier="similar_task",
        id=str(task.id),
        title=task.title,
        url=task.url,
        confidence=confidence_of(0.4),
    )
