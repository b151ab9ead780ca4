"""Turns a task request into a task effect: place, people, products and procedure are resolved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand, BrandResolution
from agencyclaw.domain.marketplaces import codes_in, marketplaces_in
from agencyclaw.domain.messages import message
from agencyclaw.domain.task_creation import Assignee, CreateTask, Destination
from agencyclaw.domain.task_requests import Declinable
from agencyclaw.domain.text import folded
from agencyclaw.knowledge.briefs import TaskParts, compose_task
from agencyclaw.knowledge.buckets import Bucket, bucket_of
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.open_points import unassignable
from agencyclaw.knowledge.similar import similar_tasks
from agencyclaw.tools.arguments import NOBODY
from agencyclaw.tools.brands import brand_hint, choose_brand, not_mapped
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.destinations import destination_beside
from agencyclaw.tools.gaps import (
    NamedRecords,
    QuotedTask,
    TaskRequest,
    ask_dates,
    ask_substance,
    ask_title,
)
from agencyclaw.tools.implied_clients import find_by_market, find_unnamed_client
from agencyclaw.tools.kept_facts import (
    dropped,
    keep_facts,
    keep_records,
    keeps_assignee,
    kept_brand,
    with_products_before,
    without_cleared,
    without_days_taken_off,
)
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.people import admin_names, find_assignee
from agencyclaw.tools.replaced_values import outdated
from agencyclaw.tools.replacing import (
    WaitingTask,
    ask_whose,
    require_no_double,
    settle_replaced,
    tasks_outdone,
    tasks_replaced,
)
from agencyclaw.tools.results import Ask
from agencyclaw.tools.similar_tasks import beside_alike, spoken_against
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_facts import settle_facts
from agencyclaw.tools.task_procedures import TaskProcedure, has_title_alone, settle_procedure
from agencyclaw.tools.task_products import (
    TaskProducts,
    brand_of_products,
    is_of_products,
    settle_products,
    unused_identifiers,
    with_identifiers,
)


async def draft_task(
    ctx: RunContext[Deps], named: NamedRecords, asked: TaskRequest, quoted: QuotedTask
) -> CreateTask | Ask:
    """Return the task, or one question with everything missing; raises NotMapped with the same.

    An ambiguous client is asked about alone, because everything else depends on it.
    """
    deps, check = ctx.deps, fact_check(ctx)
    place = await _client_and_card(deps, named, asked, _named_marketplaces(quoted, check))
    if isinstance(place, Ask):
        return place
    found, card = place
    old = without_cleared(card.task, asked.cleared) if card else None
    named = keep_records(named, old, found.client, check)
    if old is None:
        named = with_products_before(named, asked, deps.asked_before)
    named = with_identifiers(named, asked)
    check.card_identifiers = frozenset(old.identifiers if old else ())
    check.card_facts = old.quoted_facts() if old else {}
    lacking = Lacking()
    procedure = await lacking.settle(settle_procedure(deps, named.procedure, asked))
    procedure = procedure or TaskProcedure()
    checked = settle_facts(asked, without_days_taken_off(quoted, old, check), check)
    request = keep_facts(checked, quoted, old, check)
    request = request.about_products(is_so=is_of_products(request, procedure.sop))
    title_question = ask_title(request, found.brand_hint or found.client.name)
    own = None
    if not brand_hint(found, named.brand):
        own = await brand_of_products(deps, found, named.identifiers, request.flags, check)
    hint = own.name if own else brand_hint(found, named.brand) or kept_brand(old, found)
    # Who is asked for a title is asked what is to be done; once is enough, and a card was that.
    lacking.found(title_question)
    if not (old or lacking):
        lacking.found(await _ask_substance(deps, found, procedure, request))
    chosen = await lacking.settle(_chosen(deps, found, hint, request))
    lacking.found(ask_dates(request, deps.today))
    brand = chosen.brand if chosen else None
    products = lacking.found(
        await settle_products(deps, found, brand, named.identifiers, request, check)
    )
    person = old.assignee if old and keeps_assignee(named.assignee, old) else None
    person = person or lacking.found(
        await find_assignee(deps, named.assignee, found.client, brand, team_decides=True)
    )
    destination = await destination_beside(deps, chosen, lacking)
    if chosen is None or products is None or destination is None or lacking:
        lacking.remarks += filter(None, [unassignable(person)])
        asked_for = lacking.as_ask((*check.left_out, *procedure.remarks))
        if old or title_question or destination is None:
            return asked_for
        wanted = _bare_task(deps, found, brand, destination, request, products)
        return await beside_alike(deps, asked_for, wanted)
    is_unowned = named.assignee == NOBODY
    draft = _Draft(
        found, chosen, destination, request, products, person, procedure, own, card, is_unowned
    )
    composed = compose_task(_parts(deps, draft))
    require_no_double(deps, composed, is_insisted=request.flags.is_insisted)
    task = await _with_cautions(deps, composed)
    return await _with_remarks(deps, task, draft, check)


def _bare_task(
    deps: Deps,
    found: FoundClient,
    brand: Brand | None,
    destination: Destination,
    request: TaskRequest,
    products: TaskProducts | None,
) -> CreateTask:
    """Return what is known of a task that is asked about, to look for such ones."""
    return CreateTask(
        client=found.client.named,
        brand=brand.named if brand else None,
        destination=destination,
        title=request.title,
        identifiers=products.identifiers if products else (),
        body="",
        timezone=deps.actor.timezone,
    )


async def _client_and_card(
    deps: Deps, named: NamedRecords, asked: TaskRequest, markets: Sequence[str]
) -> tuple[FoundClient, WaitingTask | None] | Ask:
    """Return the client, and the waiting task that is replaced; either may be a question."""
    cards = tasks_replaced(deps, asked)
    hint = named.client if folded(named.client) else ""
    if not hint and (whose := ask_whose(cards, asked.replaces)):
        return whose
    hint = hint or (cards[0].task.client.name if cards else "")
    found = await _find_client(deps, hint, named, markets)
    if isinstance(found, Ask):
        return found
    if not any(one.is_mapped for one in found.brands):
        return found, None
    brand = brand_hint(found, named.brand)
    card = settle_replaced(deps, asked, cards, found, brand)
    return card if isinstance(card, Ask) else (found, card)


async def _find_client(
    deps: Deps, hint: str, named: NamedRecords, markets: Sequence[str]
) -> FoundClient | Ask:
    """Return the client of a name, else the one that is meant here."""
    if not hint:
        return await find_unnamed_client(deps, named.brand, named.identifiers)
    found = await find_client(deps, hint)
    is_open = isinstance(found, Ask)
    return await find_by_market(deps, hint, found, markets) if is_open else found


def _named_marketplaces(quoted: QuotedTask, check: FactCheck) -> tuple[str, ...]:
    """Return the marketplaces that were named in what people wrote."""
    market = quoted.marketplace
    is_named = market is not None and market.is_of_the_talk and check.is_quoted(market)
    return codes_in(market.value) if market and is_named else ()


async def _chosen(
    deps: Deps, found: FoundClient, hint: str | None, request: TaskRequest
) -> BrandResolution | Ask:
    """Return the brand and whose list its tasks go to; raises NotMapped, with who can link one."""
    if not any(one.is_mapped for one in found.brands):
        raise not_mapped(deps, found.client.name, admins=await admin_names(deps))
    return choose_brand(deps, found, hint, is_about_products=request.flags.is_about_products)


@dataclass(frozen=True)
class _Draft:
    """A task of which everything is resolved."""

    found: FoundClient
    chosen: BrandResolution
    destination: Destination
    request: TaskRequest
    products: TaskProducts
    person: Assignee | None
    procedure: TaskProcedure
    brand_of_products: Brand | None = None
    card: WaitingTask | None = None
    is_unowned: bool = False

    @property
    def old(self) -> CreateTask | None:
        """The waiting task that it replaces."""
        return self.card.task if self.card else None

    @property
    def is_bare(self) -> bool:
        """Whether neither a procedure nor the person says what is to be done."""
        return has_title_alone(self.procedure, self.request, _names(self.found))


async def _ask_substance(
    deps: Deps, found: FoundClient, procedure: TaskProcedure, request: TaskRequest
) -> Ask | None:
    """Ask what is to be done, unless they insist on a task without it."""
    if request.flags.is_insisted or not has_title_alone(procedure, request, _names(found)):
        return None
    prior = await deps.knowledge.prior_tasks(found.client.id, limit=50)
    alike = similar_tasks(prior, request.text, limit=1)
    return ask_substance(procedure.closest, alike[0].title if alike else None)


def _parts(deps: Deps, draft: _Draft) -> TaskParts:
    request, brand = draft.request, draft.chosen.brand
    identifiers = draft.products.identifiers
    is_pending = draft.products.is_pending or (
        not identifiers and (request.flags.is_pending or request.flags.is_about_products)
    )
    named = marketplaces_in(request.marketplace)
    own = _only_marketplace(draft)
    return TaskParts(
        client=draft.found.client.named,
        brand=brand.named if brand else None,
        marketplaces=named or own,
        is_default_marketplace=bool(own) and not named,
        destination=draft.destination,
        title=request.title,
        objective=request.objective,
        details=request.details,
        promotion=request.promotion,
        facts=request.facts,
        sop=draft.procedure.sop,
        procedure_note=draft.procedure.note,
        related=draft.procedure.related,
        identifiers=identifiers,
        # The brand comes from the catalog, because nobody named it.
        is_brand_by_product=bool(draft.brand_of_products) and len(draft.found.brands) > 1,
        titles=draft.products.titles,
        uncatalogued=draft.products.uncatalogued,
        product_words=draft.products.words,
        identifiers_pending=is_pending,
        assignee=draft.person,
        start=request.start,
        due=request.due,
        declined=_declined(draft),
        timezone=deps.actor.timezone,
        # Insisting on an incomplete task is not insisting on a second one.
        create_anyway=request.flags.is_insisted and not draft.is_bare and not is_pending,
        replaces=request.replaces,
        replaces_card=draft.card.proposal.id if draft.card else None,
        replaces_alone=bool(draft.card and draft.card.apart),
        from_message=deps.from_message,
    )


async def _with_cautions(deps: Deps, task: CreateTask) -> CreateTask:
    """Add what speaks against the task, and similar open tasks."""
    found, alike = await spoken_against(deps, task)
    return task.model_copy(
        update={"against": found.lines[:10], "similar": alike.tasks, "remarks": alike.remarks}
    )


async def _with_remarks(
    deps: Deps, task: CreateTask, draft: _Draft, check: FactCheck
) -> CreateTask:
    """Add the sources of its facts, unused identifiers, and what was left out and why."""
    texts = (task.title, task.objective, task.details)
    unused = await unused_identifiers(deps, draft.found, task.identifiers, texts)
    return task.model_copy(
        update={
            "unused": unused,
            "outdated": outdated(draft.old, task),
            "field_sources": tuple(check.field_sources),
            "unsupported_facts": tuple(check.unsupported_facts),
            "remarks": (
                *_dropped(deps, draft.old, task),
                *task.remarks,
                *check.assumed,
                *_of_names(draft),
                *_other_marketplace(draft),
                *_list_of_another(draft, task),
            )[:20],
            "left_out": (*check.left_out, *draft.procedure.remarks),
        }
    )


def _dropped(deps: Deps, old: CreateTask | None, task: CreateTask) -> tuple[str, ...]:
    """Say what is lost of every card it takes the place of, whether that was named or not."""
    gone = [*([old] if old else []), *tasks_outdone(deps, task)]
    return tuple(dict.fromkeys(line for one in gone for line in dropped(one, task)))


def _of_names(draft: _Draft) -> tuple[str, ...]:
    """Return remarks on other matches of a name."""
    others = (message("remarks.namesake", client=one) for one in draft.found.namesakes)
    name = draft.found.client.name
    market = draft.found.by_market
    sold = (message("effects.client_by_market", client=name, market=market),) if market else ()
    default = (message("effects.default_client", client=name),) if draft.found.is_default else ()
    return (*default, *sold, *others)


def _declined(draft: _Draft) -> tuple[Declinable, ...]:
    """Return what the person said it is to have none of, now or for the card, and still has not."""
    before = draft.old.declined if draft.old else ()
    has_no_owner = draft.is_unowned or "assignee" in before
    has_no_due = "due" in draft.request.cleared or "due" in before
    fields: tuple[tuple[Declinable, bool], ...] = (
        ("assignee", has_no_owner and draft.person is None),
        ("due", has_no_due and draft.request.due is None),
    )
    return tuple(field for field, is_so in fields if is_so)


def _only_marketplace(draft: _Draft) -> tuple[str, ...]:
    """Return the brand's only marketplace, for work that is done on one; of several none."""
    brand, sop = draft.chosen.brand, draft.procedure.sop
    category = sop.sop.category if sop else ""
    is_work_on_one = draft.request.promotion or bucket_of(category) is not Bucket.GENERIC
    is_only = brand is not None and len(brand.marketplaces) == 1
    return brand.marketplaces if brand and is_only and is_work_on_one else ()


def _list_of_another(draft: _Draft, task: CreateTask) -> tuple[str, ...]:
    """Remark that a brand with no list of its own gets its tasks onto another's."""
    place = draft.chosen.destination
    if place is None or place.list_id:
        return ()
    owners = [one.name for one in draft.found.brands if one.list_id == task.destination.list_id]
    if not owners:
        return ()
    return (message("remarks.list_of_another", brand=place.name, owners=", ".join(owners)),)


def _other_marketplace(draft: _Draft) -> tuple[str, ...]:
    brand = draft.chosen.brand
    if brand is None or not brand.marketplaces:
        return ()
    named = marketplaces_in(draft.request.marketplace)
    known = ", ".join(brand.marketplaces)
    return tuple(
        message("remarks.other_marketplace", brand=brand.name, known=known, other=one)
        for one in named
        if one not in brand.marketplaces
    )


def _names(found: FoundClient) -> tuple[str, ...]:
    return (*found.client.names, *(name for one in found.brands for name in one.names))
