"""What a task still lacks, as sentences a person can act on."""

from __future__ import annotations

from agencyclaw.domain.effects import CreateTask
from agencyclaw.domain.sops import Source
from agencyclaw.domain.task_requests import FactKind
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.buckets import Bucket, bucket_of

PENDING = "Product identifiers (ASIN or SKU) are pending."


def open_points(effect: CreateTask) -> tuple[str, ...]:
    """Return what is not known, the most blocking first."""
    points = [
        PENDING if effect.identifiers_pending else "",
        _grounding(effect),
        *_promotion(effect),
        _owner(effect),
        "" if effect.due else "Due date: not stated.",
    ]
    return tuple(one_line(point, 300) for point in points if point)


def first_step(effect: CreateTask) -> str:
    """Return the one thing to do before anything else, or nothing when all is known."""
    if effect.identifiers_pending:
        return "Find out which ASINs or SKUs this is about before anything else is done."
    if not effect.checklist and not effect.excerpt:
        return "Agree with whoever asked what exactly is to be done, and how it is checked."
    return "Settle the points above with whoever asked." if effect.unresolved else ""


def sop_source(effect: CreateTask) -> Source | None:
    """Return the procedure the draft rests on."""
    return next((source for source in effect.sources if source.tier == "sop"), None)


def _grounding(effect: CreateTask) -> str:
    source = sop_source(effect)
    if source is None:
        if note := effect.procedure_note.rstrip(". "):
            return f"No SOP is used: {note}. The steps are for the assignee to agree."
        return "No SOP was found for this: the steps are for the assignee to agree."
    if source.confidence != "high":
        return f"The SOP “{source.title}” was found by its text only: check that it fits."
    return ""


def _promotion(effect: CreateTask) -> tuple[str, ...]:
    if bucket_of_task(effect) is not Bucket.PROMOTIONS:
        return ()
    terms = effect.promotion
    ends = terms and (terms.ends or terms.ends_when)
    return (
        "" if terms and terms.discount else "Discount terms: not stated.",
        "" if terms and terms.starts else "Start date: not stated.",
        "" if ends else "End date: not stated.",
        "" if (terms and terms.budget) or _is_known(effect, "budget") else "Budget: not stated.",
    )


def _is_known(effect: CreateTask, about: FactKind) -> bool:
    return any(one.about == about for one in effect.facts)


def bucket_of_task(effect: CreateTask) -> Bucket:
    """Return the kind of work a task is: by its promotion, else by its procedure."""
    return Bucket.PROMOTIONS if effect.promotion else bucket_of(effect.category)


def _owner(effect: CreateTask) -> str:
    if effect.assignee is None:
        return "Owner: not stated."
    if effect.assignee.clickup_user_id is None:
        return f"{effect.assignee.name} has no ClickUp id: the task will be unassigned."
    return ""
