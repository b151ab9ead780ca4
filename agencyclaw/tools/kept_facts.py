"""Carries over to a corrected task what the correction does not mention.

Of a task that is on no card yet these are its products, which would be asked for again.

Values and their sources come from the stored proposal, not from the model's memory of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from agencyclaw.domain.clients import Client
from agencyclaw.domain.field_sources import Origin
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.quotes import QuotedDay, occurs_in
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_requests import (
    AskedBefore,
    ChosenProcedure,
    Promotion,
    QuotedPromotion,
    TaskField,
)
from agencyclaw.domain.text import cut, folded, one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.clients import FoundClient
from agencyclaw.tools.gaps import NamedRecords, QuotedTask, TaskRequest

_SIMILAR = "similar_task"
# The terms of a promotion that say one thing together.
_TERMS = (("discount", "price"), ("starts", "starts_when"), ("ends", "ends_when"), ("budget",))
# The fields of a card that are cleared together.
_FIELDS: dict[TaskField, tuple[str, ...]] = {
    "details": ("details",),
    "products": ("identifiers", "product_words"),
    "marketplace": ("marketplaces",),
    "start": ("start",),
    "due": ("due",),
}
M = TypeVar("M", bound=Value)


def without_cleared(card: CreateTask, cleared: Sequence[TaskField]) -> CreateTask:
    """Return the card as if it had never had the fields that a person wants taken off."""
    promotion = None if "promotion" in cleared else card.promotion
    if promotion:
        terms = [name for name in cleared if name in Promotion.model_fields]
        terms += [f"{name}_when" for name in terms if name in ("starts", "ends")]
        promotion = _blank(promotion, terms)
    own = [name for field in cleared for name in _FIELDS.get(field, ())]
    facts = tuple(one for one in card.facts if one.about not in cleared)
    left = _blank(card, own).model_copy(update={"promotion": promotion, "facts": facts})
    gone = card.quoted_facts().keys() - left.quoted_facts().keys()
    sources = tuple(one for one in card.field_sources if one.field not in gone)
    return left.model_copy(update={"field_sources": sources})


def _blank(record: M, names: Sequence[str]) -> M:
    """Return a record with some fields as they are when nothing is stated."""
    fields = type(record).model_fields
    return record.model_copy(update={name: fields[name].get_default() for name in names})


def keep_records(
    named: NamedRecords, card: CreateTask | None, client: Client, check: FactCheck
) -> NamedRecords:
    """Return the records of a request, with the card's where it names none.

    Products that the catalog knew belong to the card's client; identifiers that people wrote are
    theirs, whomever the task is for by now. An assignee named as the card names them is the same.
    """
    if card is None:
        return named
    procedure = named.procedure or _procedure(card)
    identifiers = named.identifiers
    if not identifiers and card.client.id == client.id:
        identifiers = (*card.identifiers, *card.product_words)
    elif not identifiers:
        identifiers = tuple(one for one in card.identifiers if check.is_written(one))
    return replace(named, identifiers=identifiers, procedure=procedure)


def with_products_before(
    named: NamedRecords, asked: TaskRequest, before: Sequence[AskedBefore]
) -> NamedRecords:
    """Return a request that names no products with those that were named for it before."""
    if named.identifiers or asked.flags.is_pending or "products" in asked.cleared:
        return named
    wanted = {folded(title) for title in (asked.title, asked.replaces) if title}
    held = (one.identifiers for one in before if folded(one.title) in wanted)
    return replace(named, identifiers=next(held, ()))


def kept_brand(card: CreateTask | None, found: FoundClient) -> str | None:
    """Return the brand of the card, if it is one of this client.

    One that was meant without a name, as the place's, is meant so again where it is the place's.
    """
    if card is None or card.brand is None or card.client.id != found.client.id:
        return None
    is_unnamed = any(one.origin is Origin.PLACE for one in card.field_sources)
    if is_unnamed and found.of_place and found.of_place.id == card.brand.id:
        return None
    return card.brand.name


def keeps_assignee(hint: str | None, card: CreateTask | None) -> bool:
    """Whether a request leaves the card's assignee as it is."""
    if card is None or card.assignee is None:
        return False
    names = (card.assignee.name, card.assignee.shown, card.assignee.called)
    return hint is None or (bool(folded(hint)) and folded(hint) in map(folded, names))


def without_days_taken_off(
    quoted: QuotedTask, card: CreateTask | None, check: FactCheck
) -> QuotedTask:
    """Return the facts without words that name no day in place of one on the card.

    So a person takes it off: it is not kept then, and is no day that nobody stated.
    """
    gone = {
        name: None
        for name, known in (("start", card and card.start), ("due", card and card.due))
        if known and _is_without_day(getattr(quoted, name), check)
    }
    return replace(quoted, **gone)


def _is_without_day(fact: QuotedDay | None, check: FactCheck) -> bool:
    return (
        fact is not None
        and fact.day is None
        and any(occurs_in(fact.quote, one.text) for one in check.talk)
    )


def keep_facts(
    request: TaskRequest, quoted: QuotedTask, card: CreateTask | None, check: FactCheck
) -> TaskRequest:
    """Return a checked request with the card's facts where it says nothing, each with its source.

    A fact that was passed and has no support is not replaced by the card's.
    """
    if card is None:
        return request
    passed = {one.about for one in quoted.facts}
    facts = tuple(one for one in card.facts if one.about not in passed)
    labels = [one.label for one in facts]
    kept = replace(request, facts=(*request.facts, *facts))
    kept = replace(kept, objective=kept.objective.strip() or card.objective)
    kept = replace(kept, details=kept.details.strip() or card.details)
    if quoted.start is None and card.start:
        kept, labels = replace(kept, start=card.start), [*labels, "Start"]
    if quoted.due is None and card.due:
        kept, labels = replace(kept, due=card.due), [*labels, "Due"]
    if quoted.marketplace is None and not card.is_default_marketplace and card.marketplaces:
        marketplaces = ", ".join(card.marketplaces)
        kept, labels = replace(kept, marketplace=marketplaces), [*labels, "Marketplace"]
    promotion, terms = _promotion(kept.promotion, quoted.promotion, card.promotion)
    kept = replace(kept, promotion=promotion)
    if card.identifiers_pending:
        # They said so once.
        kept = replace(kept, flags=replace(kept.flags, is_pending=True))
    check.field_sources += [one for one in card.field_sources if one.field in (*labels, *terms)]
    return kept


def dropped(card: CreateTask, task: CreateTask) -> tuple[str, ...]:
    """Say what stood on the card and is gone from the task; what has another value is not gone."""
    before, after = tuple(_rows(card)), tuple(_rows(task))
    labels = {label for label, _ in after}
    gone = [
        f"{label}: {value}"
        for label, value in dict.fromkeys(before)
        if label not in labels or (label == "Products" and (label, value) not in after)
    ]
    return (message("effects.dropped", listed=cut("; ".join(gone), 400)),) if gone else ()


def _rows(task: CreateTask) -> Iterator[tuple[str, str]]:
    """Return what a task rests on, one row for each product."""
    yield from (("Products", one) for one in (*task.identifiers, *task.product_words))
    yield from task.quoted_facts().items()
    if task.marketplaces and not task.is_default_marketplace:
        yield "Marketplace", task.marketplace
    if task.assignee:
        yield "Assignee", task.assignee.shown


def _procedure(card: CreateTask) -> ChosenProcedure | None:
    """Return the card's procedure, or why it has none; similar tasks are none."""
    if card.procedure_note:
        return ChosenProcedure(none_because=card.procedure_note)
    titles = [one.title for one in card.sources if one.tier != _SIMILAR]
    return ChosenProcedure(title=one_line(titles[0], 200)) if titles else None


def _promotion(
    found: Promotion | None, passed: QuotedPromotion | None, card: Promotion | None
) -> tuple[Promotion | None, Sequence[str]]:
    """Return the promotion with the card's terms where none were passed, and their names."""
    if card is None:
        return found, ()
    if found is None or passed is None:
        return card, [name for name, _ in card.rows]
    if found.type != card.type:
        return found, ()
    blank = [
        name
        for terms in _TERMS
        if not any(getattr(passed, term, None) for term in terms)
        for name in terms
    ]
    kept = {name: getattr(card, name) for name in blank}
    return found.model_copy(update=kept), [name.capitalize() for name in blank]
