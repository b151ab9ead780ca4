"""Role slots: their names, the short names people use, and who reports to whom."""

from __future__ import annotations

import re

from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded

ALIASES = {
    "csl": "customer_success_lead",
    "bm": "customer_success_lead",
    "brand_manager": "customer_success_lead",
    "sd": "strategy_director",
    "ppc_strat": "ppc_strategist",
    "ppc_spec": "ppc_specialist",
    "cat_strat": "catalog_strategist",
    "cat_spec": "catalog_specialist",
    "report_spec": "report_specialist",
}


class Role(Value):
    """A role a person can hold for a client or a brand."""

    slug: str
    name: str


def find_roles(hint: str, roles: list[Role]) -> list[Role]:
    """Return what a hint may mean: an alias, a whole name or slug, else a part of one."""
    wanted = _slug(hint)
    wanted = ALIASES.get(wanted, wanted)
    whole = [role for role in roles if wanted in (role.slug, _slug(role.name))]
    if whole or not wanted:
        return whole
    return [role for role in roles if wanted in role.slug or wanted in _slug(role.name)]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", folded(text)).strip("_")
