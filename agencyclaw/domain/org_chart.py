"""Draws an org chart as text: every role slot of a client or brand, with open ones marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agencyclaw.domain.roles import Role

LIMIT = 2_900
_OPEN = "(open)"
# Each role with the branch drawn before it; a dotted one is a weaker reporting line.
_TREE = (
    ("strategy_director", ""),
    ("customer_success_lead", "└─ "),
    ("catalog_strategist", "   ├─ "),
    ("catalog_specialist", "   │  └─ "),
    ("ppc_strategist", "   ├─ "),
    ("ppc_specialist", "   │  └─ "),
    ("report_specialist", "   └┄ "),
)


def draw_chart(roles: Sequence[Role], holders: Mapping[str, str]) -> str:
    """Return the chart; roles that are not in the tree follow at the end."""
    names = {role.slug: role.name for role in roles}
    lines = [
        f"{branch}{names.get(slug, slug)}: {holders.get(slug, _OPEN)}"
        for slug, branch in _TREE
        if slug in names
    ]
    drawn = {slug for slug, _ in _TREE}
    lines += [
        f"{role.name}: {holders.get(role.slug, _OPEN)}" for role in roles if role.slug not in drawn
    ]
    return "\n".join(lines)
