"""Lists what a task still lacks, as sentences a person can act on."""

from __future__ import annotations

from agencyclaw.domain.messages import message
from agencyclaw.domain.sops import Source
from agencyclaw.domain.task_creation import Assignee, CreateTask
from agencyclaw.domain.task_requests import WITH_BUDGET
from agencyclaw.domain.text import first_few, one_line
from agencyclaw.knowledge.buckets import Bucket, bucket_of, promotion_of

PENDING = message("open_points.pending")
_POINTS_AT_MOST = 10
_IDENTIFIERS_AT_MOST = 8


def open_points(effect: CreateTask) -> tuple[str, ...]:
    """Return what is unknown, the most urgent first."""
    points = [
        _pending(effect),
        _uncatalogued(effect),
        _grounding(effect),
        message("open_points.marketplace_not_stated") if needs_marketplace(effect) else "",
        *_promotion(effect),
        _owner(effect),
        message("open_points.due_date_not_stated") if _lacks_due(effect) else "",
    ]
    return tuple(one_line(point, 300) for point in points if point)[:_POINTS_AT_MOST]


def still_open(effect: CreateTask) -> tuple[str, ...]:
    """Return what a created task still lacks, except its assignee, which its receipt mentions."""
    unassigned = one_line(unassignable(effect.assignee), 300)
    return tuple(point for point in effect.unresolved if point != unassigned)


def first_step(effect: CreateTask) -> str:
    """Return what to do first, if nothing can be done before; else ""."""
    return message("open_points.find_out_which_asins") if effect.identifiers_pending else ""


def sop_source(effect: CreateTask) -> Source | None:
    """Return the procedure that a draft is based on."""
    return next((source for source in effect.sources if source.tier == "sop"), None)


def _pending(effect: CreateTask) -> str:
    if not effect.identifiers_pending:
        return ""
    listed = ", ".join(f"“{word}”" for word in effect.product_words)
    return message("open_points.pending_of", listed=listed) if listed else PENDING


def _uncatalogued(effect: CreateTask) -> str:
    """Return one point about identifiers that are not in the catalog, perhaps mistyped."""
    missing = [identifier for identifier in effect.uncatalogued if identifier in effect.identifiers]
    client = effect.client.name
    listed = first_few(missing, _IDENTIFIERS_AT_MOST)
    if len(missing) < 2:
        return listed and message("effects.not_in_the_catalog", identifier=listed, client=client)
    return message("effects.several_not_in_the_catalog", listed=listed, client=client)


def needs_marketplace(effect: CreateTask) -> bool:
    """Return whether it is work on a marketplace, but nobody said which one."""
    return not effect.marketplaces and bucket_of_task(effect) is not Bucket.GENERIC


def _grounding(effect: CreateTask) -> str:
    source = sop_source(effect)
    if source is None:
        # Why none is used is said on the card, and that it is so in the brief.
        return "" if effect.procedure_note else message("open_points.no_sop_found_steps")
    if source.confidence != "high":
        return message("open_points.sop_found_its_text", title=source.title)
    return ""


def _promotion(effect: CreateTask) -> tuple[str, ...]:
    if bucket_of_task(effect) is not Bucket.PROMOTIONS:
        return ()
    terms = effect.promotion
    starts = terms and (terms.starts or terms.starts_when)
    ends = terms and (terms.ends or terms.ends_when)
    has_budget = (terms and terms.budget) or any(fact.about == "budget" for fact in effect.facts)
    return (
        ""
        if terms and (terms.discount or terms.price)
        else message("open_points.discount_terms_not_stated"),
        "" if starts else message("open_points.start_date_not_stated"),
        "" if ends else message("open_points.end_date_not_stated"),
        "" if has_budget or not needs_budget(effect) else message("open_points.budget_not_stated"),
    )


def needs_budget(effect: CreateTask) -> bool:
    """Return whether the promotion of a task, or of its procedure, has a budget."""
    kind = effect.promotion.type if effect.promotion else promotion_of(effect.category)
    return kind in WITH_BUDGET


def bucket_of_task(effect: CreateTask) -> Bucket:
    """Return a task's kind of work, from its promotion or else its procedure."""
    return Bucket.PROMOTIONS if effect.promotion else bucket_of(effect.category)


def _lacks_due(effect: CreateTask) -> bool:
    return effect.due is None and "due" not in effect.declined


def _owner(effect: CreateTask) -> str:
    if effect.assignee is None and "assignee" not in effect.declined:
        return message("open_points.owner_not_stated")
    return unassignable(effect.assignee)


def unassignable(assignee: Assignee | None) -> str:
    """Return that ClickUp can give somebody no task; "" if it can, or nobody is to have it."""
    if assignee is None or assignee.clickup_user_id is not None:
        return ""
    return message("open_points.has_no_clickup_id", assignee=assignee.name)
