"""What is said where a name does not settle which client is meant."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.text import one_line
from agencyclaw.tools.names import as_choices, find_named
from agencyclaw.tools.results import Ask, ask_which


async def former_client(deps: Deps, hint: str) -> str:
    """Say that the client of exactly this name left, to an admin in a place of the agency's own.

    "" if there is none, or nobody here may know.
    """
    if deps.actor.tier < Tier.ADMIN or deps.surface.scope is not ScopeKind.INTERNAL:
        return ""
    found = find_named(deps, hint, await deps.directory.former_clients())
    if not found.is_exact or len(found.things) != 1:
        return ""
    [client] = found.things
    return message("refused.clients.former", name=one_line(client.name, 60), status=client.status)


def ask_which_client(
    question: str, clients: Sequence[Client], by_name: Sequence[Client], brands: Sequence[Brand]
) -> Ask:
    """Ask which client, saying by which of these brands one fits whose own name does not."""
    names: dict[UUID, dict[str, None]] = {}
    for brand in brands:
        names.setdefault(brand.client_id, {})[one_line(brand.name, 60)] = None
    reasons = [
        f"{one_line(one.name, 60)} fits by its brand {', '.join(names[one.id])}."
        for one in clients
        if one not in by_name and one.id in names
    ]
    return ask_which(" ".join((question, *reasons)), as_choices("client", clients))
