"""The question which client is meant, with the reason why each one fits."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.text import one_line
from agencyclaw.tools.names import as_choices
from agencyclaw.tools.results import Ask, ask_which


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
