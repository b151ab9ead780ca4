"""From a wish to a task effect: place, people, products and procedure, each found or asked for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from typing_extensions import TypeIs

from agencyclaw.deps import Deps
from agencyclaw.domain.cautions import TaskOutline
from agencyclaw.domain.clients import Brand, BrandResolution, Named
from agencyclaw.domain.effects import Assignee, CreateTask, Destination
from agencyclaw.domain.errors import Broken, NotFound, NotMapped
from agencyclaw.domain.names import said_in
from agencyclaw.domain.products import Product
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.briefs import TaskParts, compose_task
from agencyclaw.knowledge.products import named_products, title_words
from agencyclaw.knowledge.similar import similar_tasks
from agencyclaw.tools.boards import find_list
from agencyclaw.tools.brands import choose_brand, not_mapped
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.gaps import (
    Wish,
    ask_dates,
    ask_substance,
    ask_title,
    ask_together,
    identifier_of,
    is_thin,
    lacks_identifiers,
    read_identifiers,
)
from agencyclaw.tools.people import find_assignee
from agencyclaw.tools.results import Ask
from agencyclaw.tools.sops import note_gap

QUERY_LIMIT = 400


async def draft_task(
    deps: Deps, client: str, brand: str | None, assignee: str | None, wish: Wish
) -> CreateTask | Ask:
    """Return the task, or one question with all that is missing; raises NotMapped without a place.

    Only a client that is not clear is asked for alone: everything else depends on it.
    """
    found = await find_client(deps, client)
    if isinstance(found, Ask):
        return found
    if not any(one.is_mapped for one in found.brands):
        raise not_mapped(found.client.name)
    nameless = ask_title(wish, deps.request, found.brand_hint or found.client.name)
    chosen = choose_brand(deps, found, brand, wish.text)
    chosen_brand = chosen.brand if isinstance(chosen, BrandResolution) else None
    named = await _named_products(deps, found, chosen_brand, wish)
    identifiers = read_identifiers(wish, named)
    person = await find_assignee(deps, assignee, found.client, chosen_brand)
    basis = await _basis(deps, found, wish)
    # Who is asked for a title is asked what is to be done; once is enough.
    aimless = None if nameless else basis.question(wish)
    odd = ask_dates(deps, wish)
    if nameless or aimless or odd or _asks(chosen) or _asks(identifiers) or _asks(person):
        parts = (nameless, aimless, chosen, odd, identifiers, person)
        return ask_together([part for part in parts if _asks(part)])
    is_found = len(named) == 1 and identifiers == (identifier_of(named[0]),)
    catalogued = named[0].title if is_found else ""
    return await _compose(deps, found, chosen, wish, identifiers, person, basis, catalogued)


async def _named_products(
    deps: Deps, found: FoundClient, brand: Brand | None, wish: Wish
) -> list[Product]:
    """Return the products of the catalog that a request for work on products names."""
    if not lacks_identifiers(wish) or wish.identifiers:
        return []
    words = title_words(wish.text)
    [held] = await asyncio.gather(
        deps.catalog.products(found.client.id, brand.id if brand else None, tokens=(), words=words),
        return_exceptions=True,
    )
    # Without the catalog the person is asked, as before there was one.
    return [] if isinstance(held, BaseException) else named_products(wish.text, held)


def _asks(part: object) -> TypeIs[Ask]:
    return isinstance(part, Ask)


@dataclass(frozen=True)
class _Basis:
    """What a draft can rest on."""

    sop: SopHit | None
    closest: SopHit | None
    related: tuple[SopHit, ...]
    earlier: tuple[PriorTask, ...]

    def is_bare(self, wish: Wish) -> bool:
        """Return whether neither a procedure, a document nor the person says what is to be done."""
        return self.sop is None and not self.related and is_thin(wish)

    def question(self, wish: Wish) -> Ask | None:
        """Ask what is to be done, unless they insist on a task without it."""
        if wish.is_insisted or not self.is_bare(wish):
            return None
        return ask_substance(self.closest, self.earlier[0].title if self.earlier else None)


async def _basis(deps: Deps, found: FoundClient, wish: Wish) -> _Basis:
    sop, closest = await _procedure(deps, wish)
    if sop:
        return _Basis(sop, closest, (), ())
    related = await _related(deps, wish, closest)
    return _Basis(sop, closest, related, await _earlier(deps, found, wish))


async def _compose(
    deps: Deps,
    found: FoundClient,
    chosen: BrandResolution,
    wish: Wish,
    identifiers: tuple[str, ...],
    person: Assignee | None,
    basis: _Basis,
    catalogued: str,
) -> CreateTask:
    destination = await _destination(deps, chosen)
    is_pending = not identifiers and (wish.is_pending or lacks_identifiers(wish))
    parts = TaskParts(
        client=Named(id=found.client.id, name=found.client.name),
        brand=_named(chosen.brand),
        marketplaces=chosen.brand.marketplaces if chosen.brand else (),
        destination=destination,
        title=wish.title,
        request=wish.request,
        details=wish.details,
        sop=basis.sop,
        related=basis.related,
        prior=basis.earlier,
        identifiers=identifiers,
        catalogued=catalogued,
        identifiers_pending=is_pending or wish.is_pending,
        assignee=person,
        start=wish.start,
        due=wish.due,
        timezone=deps.actor.timezone,
        # Insisting on an incomplete task is not insisting on a second one.
        create_anyway=wish.is_insisted and not basis.is_bare(wish) and not is_pending,
        replaces=wish.replaces,
    )
    return await _with_cautions(deps, compose_task(parts))


async def _with_cautions(deps: Deps, task: CreateTask) -> CreateTask:
    """Put onto the card what speaks against it; without our records there is nothing to say."""
    procedure = next((one.id for one in task.sources if one.tier == "sop"), None)
    found = await deps.proposals.cautions(
        TaskOutline(
            client_id=task.client.id,
            brand_id=task.brand.id if task.brand else None,
            list_id=task.destination.list_id,
            title=task.title,
            details=task.details,
            procedure_id=procedure,
            identifiers=task.identifiers,
        )
    )
    return task.model_copy(update={"against": found.lines})


def _named(brand: Brand | None) -> Named | None:
    return Named(id=brand.id, name=brand.name) if brand else None


async def _destination(deps: Deps, chosen: BrandResolution) -> Destination:
    place = chosen.destination
    if place is None:
        raise Broken("a settled brand without a destination")
    try:
        found = await find_list(deps, place)
    except NotFound as gone:
        raise NotMapped(
            f"The ClickUp list of {place.name} can't be found any more."
            " An admin has to link the brand to another one.",
            reason="list_gone",
        ) from gone
    for space_id in {found.space_id, place.space_id} - {None}:
        await _check_space(deps, str(space_id), place.name)
    return Destination(
        list_id=found.id,
        list_name=found.name,
        space_id=found.space_id or place.space_id,
        space_name=found.space_name,
    )


async def _check_space(deps: Deps, space_id: str, brand: str) -> None:
    """Raise NotMapped when the registry says that the space is not a brand's."""
    standing = await deps.directory.space_standing(space_id)
    if standing is not None and not standing.takes_brand_work:
        raise NotMapped(
            f"{brand} points at a ClickUp space that is not marked as a brand's own."
            " An admin has to classify the space, or link the brand to another one.",
            reason="space_not_for_brands",
        )


async def _procedure(deps: Deps, wish: Wish) -> tuple[SopHit | None, SopHit | None]:
    """Return the one procedure that was called by a name, else the closest one."""
    query = _query(wish)
    hits = await deps.knowledge.find_sops(query, limit=3)
    said = said_in(query, [hit.sop for hit in hits])
    if len(said) != 1:
        return None, hits[0] if hits else None
    hit = next(hit for hit in hits if hit.sop == said[0])
    return hit.model_copy(update={"match": "alias", "score": max(hit.score, 0.9)}), None


async def _related(deps: Deps, wish: Wish, closest: SopHit | None) -> tuple[SopHit, ...]:
    """Return the documents that speak of the work, where no procedure does; none is a gap."""
    found = await deps.knowledge.find_documents(_query(wish), limit=2)
    best = (*found, closest) if closest else tuple(found)
    await note_gap(deps, _query(wish), best)
    return tuple(one for one in found if one.is_ground)


def _query(wish: Wish) -> str:
    """Return what the work is: an identifier says for which product, not which work."""
    return _without_products(f"{wish.title} {wish.request}", wish)


def _without_products(words: str, wish: Wish) -> str:
    for item in filter(str.strip, wish.identifiers):
        words = words.replace(item.strip(), " ")
    return one_line(words, QUERY_LIMIT)


async def _earlier(deps: Deps, found: FoundClient, wish: Wish) -> tuple[PriorTask, ...]:
    prior = await deps.knowledge.prior_tasks(found.client.id, limit=50)
    return similar_tasks(prior, wish.text, limit=2)
