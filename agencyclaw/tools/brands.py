"""Brands: their ClickUp mapping, and which of them a task is for."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_ai import RunContext

from agencyclaw.deps import Deps, OtherMatches
from agencyclaw.domain.clients import (
    Brand,
    BrandMode,
    BrandResolution,
    Client,
    MappingState,
    mapping_state,
)
from agencyclaw.domain.clients import resolve_brand as resolve
from agencyclaw.domain.errors import NotFound, NotMapped
from agencyclaw.domain.field_sources import FieldSource, Origin
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import FoundClient, find_client, listed_clients, reach_of
from agencyclaw.tools.destinations import task_place, why_unmapped
from agencyclaw.tools.names import as_choices, find_named, would_change
from agencyclaw.tools.results import Ask, Listing, Result, ask_which, shown_names

SHOWN_AT_MOST = 50
OF_PLACE = (
    "They named no brand: {brand} is meant, the brand of this channel. Say so. Another brand of the"
    " client can be named, and all of them by the client's name as the brand."
)
NO_BRAND = "No brand of that name is among those this person may see."
NO_BRANDS = "There are no brands that this person may see."
_OR_PRODUCT = " If it may be a product: looking in the product catalog finds its brand."


class BrandItem(Result):
    """A brand, its client, and how far it is linked to ClickUp, or why it takes no tasks."""

    brand: str
    client: str
    mapping: MappingState
    takes_tasks: bool
    why_none: str = ""
    marketplaces: tuple[str, ...] = ()


class BrandList(Listing):
    """The brands found."""

    brands: tuple[BrandItem, ...]
    total: int
    note: str | None = None
    # For admins, who may bring them back.
    archived: tuple[str, ...] = ()


class BrandAnswer(Result):
    """The brand and destination of a task, or what has to be asked first."""

    mode: BrandMode
    client: str
    brand: str | None = None
    destination_of: str | None = None
    tasks_go_to: str = ""
    why_none: str = ""
    candidates: tuple[str, ...] = ()
    destination_groups: int
    note: str


@reads(tier=Tier.VIEWER, skill_id="cc_brand_list_all", shows=Shows.THEIRS)
async def lookup_brand(
    ctx: RunContext[Deps], brand: Name | None = None, client: Name | None = None
) -> BrandList | Ask:
    """List brands with their client and whether they are linked to a ClickUp list or space.

    Args:
        brand: What the person called the brand; leave out for all.
        client: Only brands of this client.
    """
    if client and folded(client):
        found = await find_client(ctx.deps, client)
        if isinstance(found, Ask):
            return found
        clients, brands, reach = [found.client], found.brands, ""
    else:
        clients = await listed_clients(ctx.deps)
        reach = await reach_of(ctx.deps, clients)
        brands = await ctx.deps.directory.brands([one.id for one in clients])
    if brand and folded(brand):
        brands = list(find_named(ctx.deps, brand, brands).things)
        # Naming a brand is naming its client: the talk is about that one now.
        ctx.deps.topic.clients.update(one.client_id for one in brands)
    archived = await _archived(ctx.deps, brand, clients)
    return BrandList(
        brands=_rows(brands, clients),
        total=len(brands),
        note=_note(ctx.deps, brand, len(brands)) if brands or not archived else None,
        reach=reach,
        archived=archived,
    )


def _note(deps: Deps, name: str | None, count: int) -> str | None:
    if count > SHOWN_AT_MOST:
        return f"{SHOWN_AT_MOST} of {count} are shown."
    if count:
        return None
    if not (name and folded(name)):
        return NO_BRANDS
    return f"{NO_BRAND}{_OR_PRODUCT}" if deps.actor.tier >= Tier.MEMBER else NO_BRAND


async def _archived(deps: Deps, name: str | None, clients: Sequence[Client]) -> tuple[str, ...]:
    """Return the archived brands that an admin means, or all of these clients."""
    if deps.actor.tier < Tier.ADMIN:
        return ()
    former = await deps.directory.former_brands([one.id for one in clients])
    meant = find_named(deps, name, former).things if name and folded(name) else former
    return shown_names((one_line(one.name, 80) for one in meant), SHOWN_AT_MOST)


def _rows(brands: list[Brand], clients: list[Client]) -> tuple[BrandItem, ...]:
    owners = {client.id: client.name for client in clients}
    return tuple(
        BrandItem(
            brand=one_line(brand.name, 80),
            client=one_line(owners[brand.client_id], 120),
            mapping=mapping_state(brand),
            takes_tasks=brand.is_mapped,
            why_none=why_unmapped(brand),
            marketplaces=brand.marketplaces,
        )
        for brand in brands[:SHOWN_AT_MOST]
    )


@reads(tier=Tier.VIEWER, skill_id="cc_resolve_scope", on_demand=True, shows=Shows.THEIRS)
async def resolve_brand(
    ctx: RunContext[Deps], client: Name, brand: Name | None = None, about_products: bool = False
) -> BrandAnswer | Ask:
    """Find which brand of a client work is for, and the ClickUp list where its tasks go.

    Args:
        client: What the person called the client.
        brand: What they called the brand.
        about_products: Whether it is about single products.
    """
    found = await find_client(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    resolution = settle_brand(ctx.deps, found, brand, is_about_products=about_products)
    is_of_place = resolution.brand is not None and resolution.brand == found.of_place
    of = resolution.destination or resolution.brand
    place = await task_place(ctx.deps, of) if of else None
    is_unnamed = is_of_place and brand_hint(found, brand) is None
    return BrandAnswer(
        mode=resolution.mode,
        client=one_line(found.client.name, 120),
        brand=_name(resolution.brand),
        destination_of=_name(resolution.destination),
        tasks_go_to=place.list_path if place else "",
        why_none=place.why_none if place else "",
        candidates=tuple(one_line(one.name, 80) for one in resolution.candidates),
        destination_groups=resolution.destination_groups,
        note=_NOT_NAMED if is_unnamed else _NOTES[resolution.mode],
    )


_NOTES = {
    BrandMode.EXPLICIT_BRAND: "This brand was named.",
    BrandMode.CLARIFIED_BRAND: "Only this brand fits what was named: say which one it is.",
    BrandMode.CLIENT_LEVEL: "No single brand has to be named.",
    BrandMode.AMBIGUOUS_BRAND: "Ask which brand; do not choose.",
    BrandMode.AMBIGUOUS_DESTINATION: "The brands use different lists: ask which; do not choose.",
    BrandMode.NO_DESTINATION: "Not linked to ClickUp: an admin has to link it first.",
}


_NOT_NAMED = "This brand was not named: the channel is for it."


def _name(brand: Brand | None) -> str | None:
    return one_line(brand.name, 80) if brand else None


def settle_brand(
    deps: Deps, found: FoundClient, hint: str | None, *, is_about_products: bool
) -> BrandResolution:
    """Resolve by the domain's rules; a named brand without a link is never replaced."""
    hint = brand_meant_by(deps, found, hint)
    if not hint:
        return resolve(found.brands, None, is_about_products=is_about_products)
    named = find_named(deps, hint, found.brands)
    linked = tuple(brand for brand in named.things if brand.is_mapped)
    if len(named.things) == 1 and not linked:
        return BrandResolution(mode=BrandMode.NO_DESTINATION, brand=named.things[0])
    if len(named.things) > len(linked) and len(linked) < 2:
        groups = len({brand.destination_key for brand in found.brands if brand.is_mapped})
        offered = linked or named.things
        return BrandResolution(
            mode=BrandMode.AMBIGUOUS_BRAND, candidates=offered, destination_groups=groups
        )
    return resolve(found.brands, named, is_about_products=is_about_products)


def brand_hint(found: FoundClient, hint: str | None) -> str | None:
    """Return the given hint, else the brand that named the client."""
    return hint if hint and folded(hint) else found.brand_hint


def brand_meant_by(deps: Deps, found: FoundClient, hint: str | None) -> str | None:
    """Return what names the brand, else the brand that this place is for; None for all of them.

    Card or result say that it is the place's. There, the client's own name as the brand means all
    its brands.
    """
    named, own = brand_hint(found, hint), found.of_place
    if own is None:
        return named
    if named is None:
        note_place_of(deps, own)
        return own.name
    is_whole = folded(named) in map(folded, found.client.names)
    is_brand = any(folded(named) in map(folded, one.names) for one in found.brands)
    return None if is_whole and not is_brand else named


def note_place_of(deps: Deps, brand: Brand) -> None:
    """Note that nobody named this brand: it is the one that the place is for."""
    if would_change(deps):
        deps.picked.append(FieldSource(field="Brand", origin=Origin.PLACE))
        return
    name = one_line(brand.name, 80)
    deps.other_matches.append(OtherMatches(OF_PLACE.format(brand=name), ()))


def choose_brand(
    deps: Deps,
    found: FoundClient,
    hint: str | None,
    *,
    is_about_products: bool,
    is_read: bool = False,
) -> BrandResolution | Ask:
    """Return a task's destination, or the question which brand; raises NotMapped if none."""
    resolution = settle_brand(deps, found, hint, is_about_products=is_about_products)
    name, hint, offered = (
        found.client.name,
        brand_meant_by(deps, found, hint),
        resolution.candidates,
    )
    match resolution.mode:
        case BrandMode.CLARIFIED_BRAND if resolution.brand and would_change(deps):
            question, offered = f"Do you mean this brand of {name}?", (resolution.brand,)
        case BrandMode.NO_DESTINATION:
            unlinked = resolution.brand.name if resolution.brand else name
            raise not_mapped(deps, unlinked, is_read=is_read)
        case BrandMode.AMBIGUOUS_DESTINATION:
            question = f"{name} has brands with different ClickUp lists. Which brand is it for?"
        case BrandMode.AMBIGUOUS_BRAND if hint and not find_named(deps, hint, found.brands).things:
            question = f"{name} has no brand called “{one_line(hint, 60)}”. Which one is it for?"
        case BrandMode.AMBIGUOUS_BRAND:
            question = f"Which brand of {name} is it for?"
        case _:
            return resolution
    return ask_which(question, as_choices("brand", offered))


def brands_named(deps: Deps, found: FoundClient, hint: str | None) -> list[Brand] | Ask:
    """Return the named brand, else every brand with a list."""
    mapped = [brand for brand in found.brands if brand.is_mapped]
    if not mapped:
        raise not_mapped(deps, found.client.name, is_read=True)
    if not brand_meant_by(deps, found, hint):
        return mapped
    chosen = choose_brand(deps, found, hint, is_about_products=False, is_read=True)
    if isinstance(chosen, Ask):
        return chosen
    return [chosen.brand] if chosen.brand else mapped


def ask_brand(client: Client, brands: Sequence[Brand]) -> Ask:
    """Ask which brand of a client is meant; raises NotFound if it has none."""
    if not brands:
        raise NotFound(message("refused.brands.none", client=client.name), reason="brand_not_found")
    return ask_which(f"Which brand of {client.name}?", as_choices("brand", brands))


def not_mapped(
    deps: Deps, name: str, *, is_read: bool = False, admins: Sequence[str] = ()
) -> NotMapped:
    """Return the refusal for a client or brand without a list in ClickUp, and who can link it."""
    if deps.actor.tier >= Tier.ADMIN:
        remedy = message("refused.brands.you_can_link")
    else:
        names = f" ({', '.join(admins)})" if admins else ""
        remedy = message("refused.brands.admin_can_link", names=names)
    why = (
        message("refused.brands.no_tasks", name=name, remedy=remedy)
        if is_read
        else message("refused.brands.nowhere", name=name, remedy=remedy)
    )
    return NotMapped(why, reason="not_mapped")
