"""Products: looked up in the client's catalog and never guessed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Client
from agencyclaw.domain.identifiers import find_identifiers
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.products import MatchReason, Product, ProductMatch, Resolution
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.products import (
    exact_product,
    match_products,
    resolution_of,
    stems,
    title_words,
    tokens_of,
    whole_match,
)
from agencyclaw.tools.arguments import Name, Query, Top
from agencyclaw.tools.brands import ask_brand, brand_meant_by
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.implied_clients import find_unnamed_client
from agencyclaw.tools.names import find_named
from agencyclaw.tools.results import Ask, Result

NOTES: dict[Resolution, str] = {
    "exact": "One product is meant for certain; the others only look alike.",
    "likely": "The first fits best, but that is no certainty: what prepares something asks the"
    " person, with buttons, if you pass their words. In an answer, give its title.",
    "ambiguous": "If the person wants them all, pass each by its ASIN or SKU. If not, pass their"
    " words: what prepares something asks which, with buttons.",
    "none": "Invent no ASIN or SKU. Ask for none to prepare something: pass their words, and the"
    " tool asks.",
    "listed": "All its products are listed.",
}

EVERY_WORD_FITS = (
    "The first has every word, no other does: by these words it is taken without asking."
)


class FoundProduct(Result):
    """A product that may be meant."""

    title: str
    asin: str | None = None
    sku: str | None = None
    brand: str | None = None
    confidence: float
    match_reason: MatchReason


class Catalog(Result):
    """Products of the client's catalog that a hint may mean, and whether that is settled."""

    client: str
    candidates: tuple[FoundProduct, ...] = ()
    resolution_status: Resolution
    note: str


@reads(tier=Tier.MEMBER, on_demand=True, shows=Shows.THEIRS)
async def catalog_lookup(
    ctx: RunContext[Deps],
    client: Name,
    query: Query = "",
    brand: Name | None = None,
    limit: Top = 25,
) -> Catalog | Ask:
    """List all products (catalog) of a client, or look up by ASIN, SKU, part of one, title words.

    Args:
        client: What the person called the client or brand; "" if they named none.
        query: What they called the product; leave out to list all.
        brand: Only this brand's products.
        limit: At most so many.
    """
    if folded(client):
        found = await find_client(ctx.deps, client)
    else:
        found = await find_unnamed_client(ctx.deps, brand, (query,))
    if isinstance(found, Ask):
        return found
    hint = brand_meant_by(ctx.deps, found, brand)
    brands = find_named(ctx.deps, hint, found.brands).things if hint else ()
    # In a brand's channel the client's own name means all its brands.
    if brand and hint and len(brands) != 1:
        return ask_brand(found.client, brands or found.brands)
    is_list = not folded(query)
    products = await ctx.deps.catalog.products(
        found.client.id,
        brands[0].id if len(brands) == 1 else None,
        tokens=tokens_of(query),
        # Every title has an empty word.
        words=("",) if is_list else stems(title_words(query)),
    )
    if is_list:
        return _listed(found.client, products, limit)
    matches = match_products(query, products)
    status = resolution_of(matches)
    note = EVERY_WORD_FITS if whole_match(query, matches) else NOTES[status]
    rest = (f"{limit} of {len(matches)} are shown.",) if len(matches) > limit else ()
    return Catalog(
        client=one_line(found.client.name, 120),
        candidates=tuple(_shown(match) for match in matches[:limit]),
        resolution_status=status,
        note=" ".join((note, *rest, *_unknown(query, matches))),
    )


def _listed(client: Client, products: Sequence[Product], limit: int) -> Catalog:
    """Return a client's products by title; `limit` of them at most."""
    rows = sorted(products, key=lambda one: (folded(one.title), str(one.id)))[:limit]
    note = NOTES["listed"] if rows else "No product of theirs is in the catalog."
    if len(rows) < len(products):
        note = f"{len(rows)} of its {len(products)} products are listed."
    matches = (ProductMatch(product=one, reason="listed", confidence=1.0) for one in rows)
    return Catalog(
        client=one_line(client.name, 120),
        candidates=tuple(map(_shown, matches)),
        resolution_status="listed",
        note=note,
    )


def _unknown(query: str, matches: Sequence[ProductMatch]) -> Iterator[str]:
    """Name the identifiers of a query that the catalog does not have."""
    known = [one.product for one in matches]
    for one in find_identifiers(query):
        if not exact_product(one, known):
            yield f"{one} is not in the catalog."


def _shown(match: ProductMatch) -> FoundProduct:
    product = match.product
    return FoundProduct(
        title=one_line(product.title, 160),
        asin=product.asin,
        sku=product.sku,
        brand=one_line(product.brand, 80) if product.brand else None,
        confidence=match.confidence,
        match_reason=match.reason,
    )
