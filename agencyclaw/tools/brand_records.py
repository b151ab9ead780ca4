"""Brands as records: created, changed, linked to ClickUp; prepared for an admin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.brands import (
    ABOUT_LIMIT,
    BrandFacts,
    BrandStatus,
    CreateBrand,
    DeleteBrand,
    UpdateBrand,
)
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import AgencyClawError, Refused
from agencyclaw.domain.field_sources import Origin
from agencyclaw.domain.marketplaces import codes_in
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name, NewName
from agencyclaw.tools.assignments import find_brand
from agencyclaw.tools.brands import ask_brand
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.clients import FoundClient, find_client, visible_clients
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import find_named
from agencyclaw.tools.places import LinkTarget, find_link, name_link
from agencyclaw.tools.results import Ask, shown_names

Codes = Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=20)]
Keywords = Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=40)]
NAME_LIMIT = 80
AboutText = Annotated[str, Field(max_length=ABOUT_LIMIT)]


@proposes(CreateBrand, tier=Tier.ADMIN, skill_id="cc_brand_create", on_demand=True)
async def create_brand(
    ctx: RunContext[Deps],
    client: Name,
    name: NewName,
    marketplaces: Codes | None = None,
    keywords: Keywords | None = None,
    home: Name | None = None,
    list_name: Name | None = None,
) -> CreateBrand | Ask:
    """Prepare to add a new brand to a client.

    Args:
        client: What the person called the client.
        name: The brand's name.
        marketplaces: Amazon marketplaces, such as US or CA.
        keywords: Product words of the brand.
        home: Name of the ClickUp space its work lives in.
        list_name: Name of the ClickUp list its tasks go to.
    """
    found = await find_client(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    lacking = Lacking()
    link = await lacking.settle(find_link(ctx.deps, home, list_name))
    called = await lacking.settle(_new_name(ctx.deps, found, name))
    codes = lacking.tried(lambda: read_marketplaces(marketplaces or []))
    if link is None or called is None or codes is None:
        return lacking.as_ask()
    facts = BrandFacts(
        name=called,
        space=link.space,
        board=link.board,
        marketplaces=codes,
        keywords=_words(keywords or []),
    )
    return CreateBrand(
        client=found.client.named,
        facts=facts,
        remarks=await _remarks(ctx.deps, link, None),
    )


@proposes(UpdateBrand, tier=Tier.ADMIN, skill_id="cc_brand_update", on_demand=True)
async def update_brand(
    ctx: RunContext[Deps],
    client: Name,
    brand: Name,
    new_name: NewName | None = None,
    marketplaces: Codes | None = None,
    keywords: Keywords | None = None,
    home: Name | None = None,
    list_name: Name | None = None,
    unlink: bool = False,
    status: BrandStatus | None = None,
    summary: AboutText | None = None,
    audience: AboutText | None = None,
    positioning: AboutText | None = None,
) -> UpdateBrand | Ask:
    """Prepare a change of a brand: rename, archive, marketplaces, keywords, ClickUp link (mapping).

    Args:
        client: What the person called the client; below, pass only what changes.
        brand: The brand as it is called now.
        new_name: Its new name.
        marketplaces: All Amazon marketplaces it has afterwards, such as US or CA.
        keywords: All product words it has afterwards.
        home: Name of the ClickUp space its work lives in from now on.
        list_name: Name of the ClickUp list its tasks go to from now on.
        unlink: Take its ClickUp space and list away.
        status: archived for one that is not worked for any more, active to bring it back.
        summary: What the brand is and sells.
        audience: Whom it sells to (target audience).
        positioning: How it wants to be seen.
    """
    owned = await _find_owned(ctx.deps, client, brand)
    if isinstance(owned, Ask):
        return owned
    found, chosen = owned
    before, lacking = await _facts(ctx.deps, chosen), Lacking()
    link = await lacking.settle(_new_link(ctx.deps, home, list_name, before, unlink=unlink))
    codes = lacking.tried(lambda: read_marketplaces(marketplaces or []))
    new = new_name and await lacking.settle(_new_name(ctx.deps, found, new_name, chosen))
    if link is None or lacking:
        return lacking.as_ask()
    values = {
        "name": new or None,
        "status": status,
        "marketplaces": None if marketplaces is None else codes,
        "keywords": _words(keywords) if keywords is not None else None,
        "summary": about_text(summary),
        "audience": about_text(audience),
        "positioning": about_text(positioning),
    }
    changes = {name: value for name, value in values.items() if value is not None}
    after = before.model_copy(update=changes | link.changes(unlink=unlink))
    _require_change(before, after)
    return UpdateBrand(
        client=found.client.named,
        brand=chosen.named,
        before=before,
        after=after,
        remarks=await _remarks(ctx.deps, link, chosen),
    )


@proposes(DeleteBrand, tier=Tier.ADMIN, on_demand=True)
async def cc_brand_delete(ctx: RunContext[Deps], client: Name, brand: Name) -> DeleteBrand | Ask:
    """Prepare deleting (removing) a brand for good; nothing may hang on it any more.

    Args:
        client: What the person called the client.
        brand: The brand as it is called now; the person has to write its whole name.
    """
    owned = await _find_owned(ctx.deps, client, brand)
    if isinstance(owned, Ask):
        return owned
    found, chosen = owned
    if chosen.name not in _typed(ctx.deps):
        name = one_line(chosen.name, NAME_LIMIT)
        return Ask(question=f"To delete that brand, write its name exactly as it is: {name}")
    return DeleteBrand(
        client=found.client.named,
        brand=chosen.named,
        before=await _facts(ctx.deps, chosen),
    )


def _typed(deps: Deps) -> str:
    """Return the message; "" if not all of it is the person's own, as with a forwarded one."""
    is_own = all(one.origin is Origin.TYPED for one in deps.materials[:1])
    return deps.request if is_own else ""


def _require_change(before: BrandFacts, after: BrandFacts) -> None:
    if not before.differing(after):
        words = message("refused.records.as_it_is", name=before.name)
        raise Refused(words, reason="no_changes")


async def _new_link(
    deps: Deps, home: str | None, list_name: str | None, before: BrandFacts, *, unlink: bool
) -> LinkTarget | Ask:
    """Return the link that is wanted, or the question which; raises Refused for two at once."""
    if unlink and (home or list_name):
        raise Refused(message("refused.brand_records.two_links"), reason="two_links")
    return LinkTarget() if unlink else await find_link(deps, home, list_name, before.space)


async def _find_owned(deps: Deps, client: str, brand: str) -> tuple[FoundClient, Brand] | Ask:
    """Return the brand that is called so, an archived one by its whole name; or the question."""
    found = await find_client(deps, client)
    if isinstance(found, Ask):
        return found
    former = find_named(deps, brand, await deps.directory.former_brands([found.client.id]))
    if former.is_exact and len(former.things) == 1:
        return found, former.things[0]
    chosen = find_brand(deps, found, brand)
    if isinstance(chosen, Ask):
        return chosen
    return (found, chosen) if chosen else ask_brand(found.client, found.brands)


def about_text(text: str | None) -> str | None:
    """Return what a client or brand is about in one line; None for nothing."""
    return one_line(text or "", ABOUT_LIMIT) or None


async def _new_name(deps: Deps, found: FoundClient, name: str, brand: Brand | None = None) -> str:
    """Return a name in one line; raises Refused for one that another brand of the client has."""
    plain = one_line(name, len(name))
    if not folded(plain):
        raise Refused(message("refused.brand_records.blank_name"), reason="blank_name")
    if len(plain) > NAME_LIMIT:
        why = message("refused.brand_records.long_name", length=len(plain), most=NAME_LIMIT)
        raise Refused(why, reason="long_name")
    former = await deps.directory.former_brands([found.client.id])
    if any(folded(other.name) == folded(plain) for other in former if other != brand):
        raise Refused(message("refused.brand_records.archived", name=plain), reason="archived")
    for other in found.brands:
        if other != brand and folded(other.name) == folded(plain):
            words = message(
                "refused.brand_records.duplicate_name", client=found.client.name, other=other.name
            )
            raise Refused(words, reason="duplicate_name")
    return plain


def read_marketplaces(codes: list[str]) -> tuple[str, ...]:
    """Return marketplace codes in upper case without duplicates; raises Refused for others."""
    if wrong := [code for code in codes if code.strip() and not codes_in(code)]:
        words = message("refused.brand_records.bad_marketplace", wrong=one_line(wrong[0], 16))
        raise Refused(words, reason="bad_marketplace")
    return tuple(dict.fromkeys(part for code in codes for part in codes_in(code)))


def _words(keywords: list[str]) -> tuple[str, ...]:
    plain = (one_line(word, 80) for word in keywords)
    return tuple(dict.fromkeys(word for word in plain if word))


async def _facts(deps: Deps, brand: Brand) -> BrandFacts:
    link = await name_link(deps, brand.space_id, brand.list_id)
    return BrandFacts(
        name=one_line(brand.name, NAME_LIMIT),
        status="active" if brand.status == "active" else "archived",
        space=link.space,
        board=link.board,
        marketplaces=brand.marketplaces,
        keywords=brand.product_keywords,
        summary=brand.summary,
        audience=brand.audience,
        positioning=brand.positioning,
    )


async def _remarks(deps: Deps, link: LinkTarget, brand: Brand | None) -> tuple[str, ...]:
    """Return remarks on other brands that use the same space or list, which is allowed."""
    if not (link.space or link.board):
        return ()
    try:
        clients = await visible_clients(deps)
        every = await deps.directory.brands([client.id for client in clients])
        inbox = await _inbox(deps, link, every)
    except AgencyClawError:
        return (message("remarks.sharing_unknown"),)
    names = {client.id: client.name for client in clients}
    sharing = [
        f"{other.name} ({names[other.client_id]})"
        for other in every
        if other != brand and _shares(link, other, inbox)
    ]
    listed = ", ".join(shown_names(sharing, 5))
    return (message("remarks.sharing", brands=listed),) if listed else ()


async def _inbox(deps: Deps, link: LinkTarget, brands: Sequence[Brand]) -> str:
    """Return the list that takes the tasks of who has the space of a list alone; "" if none."""
    space = link.space if link.board else None
    alone = [one for one in brands if space and one.space_id == space.id and not one.list_id]
    inbox = await deps.board.inbox_of(space.id) if space and alone else None
    return inbox.id if inbox else ""


def _shares(link: LinkTarget, other: Brand, inbox: str) -> bool:
    in_space = link.space is not None and other.space_id == link.space.id
    if link.board:
        goes_there = in_space and not other.list_id and inbox == link.board.id
        return other.list_id == link.board.id or goes_there
    return in_space
