"""Which brand of a client, and which of its marketplaces, is meant."""

from __future__ import annotations

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import choice
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import folded
from agencyclaw.tools.assignments import find_brand
from agencyclaw.tools.brand_records import read_marketplaces
from agencyclaw.tools.brands import ask_brand, brand_meant_by
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.results import Ask, ask_which


async def brand_meant(
    deps: Deps, client: str, brand: str | None
) -> tuple[FoundClient, Brand] | Ask:
    """Return the client and brand that are meant, or the question which."""
    found = await find_client(deps, client)
    if isinstance(found, Ask):
        return found
    chosen = find_brand(deps, found, brand_meant_by(deps, found, brand))
    if chosen is None and len(found.brands) == 1:
        chosen = found.brands[0]
    if chosen is None:
        return ask_brand(found.client, found.brands)
    return chosen if isinstance(chosen, Ask) else (found, chosen)


def markets_meant(brand: Brand, named: str | None) -> tuple[str, ...] | Ask:
    """Return the named marketplaces if they are the brand's, else its only one."""
    codes = read_marketplaces([named]) if named and folded(named) else ()
    if not codes and len(brand.marketplaces) == 1:
        return brand.marketplaces
    unknown = [code for code in codes if brand.marketplaces and code not in brand.marketplaces]
    if unknown:
        listed = ", ".join(brand.marketplaces)
        words = message(
            "refused.kpi.other_marketplace", brand=brand.name, unknown=unknown[0], listed=listed
        )
        raise Refused(words, reason="other_marketplace")
    return codes or _which_market(brand)


def market_meant(brand: Brand, named: str | None, lacking: Lacking) -> str | None:
    """Return the named marketplace, else None and ask which; none is guessed for a change."""
    with lacking.refused():
        codes = markets_meant(brand, named) if named and folded(named) else ()
        if not isinstance(codes, Ask) and len(codes) == 1:
            return codes[0]
        lacking.found(_which_market(brand))
    return None


def _which_market(brand: Brand) -> Ask:
    codes_sold = (choice("marketplace", code, code) for code in brand.marketplaces)
    return ask_which(f"Which marketplace of {brand.name}?", codes_sold)
