"""Draws an org chart as text: every role slot of a client or brand, with open ones marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agencyclaw.domain.messages import message
from agencyclaw.domain.roles import Role

# What fits in one message with some words around it.
CHARACTERS_AT_MOST = 2_900
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
    """Return the chart; roles that are not in the tree follow at the end.

    Of more than fit, the last line says how many are left out.
    """
    names = {role.slug: role.name for role in roles}
    lines = [
        f"{branch}{names[slug]}: {holders.get(slug, _OPEN)}"
        for slug, branch in _TREE
        if slug in names
    ]
    drawn = {slug for slug, _ in _TREE}
    lines += [
        f"{role.name}: {holders.get(role.slug, _OPEN)}" for role in roles if role.slug not in drawn
    ]
    return _fitting(lines)


def _fitting(lines: Sequence[str]) -> str:
    chart = "\n".join(lines)
    shown = len(lines)
    while len(chart) > CHARACTERS_AT_MOST:
        shown -= 1
        left_out = message("org_chart.more", count=len(lines) - shown)
        chart = "\n".join((*lines[:shown], left_out))
    return chart
