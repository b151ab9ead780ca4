"""Missing ClickUp links of brands, and which of them can be filled without guessing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agencyclaw.domain.brands import Repair
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.people import Value

Half = Literal["space", "list"]
HALVES: tuple[Half, ...] = ("space", "list")
Why = Literal["several values", "no value"]


class Blocked(Value):
    """A missing half without a single candidate."""

    client: str
    brand: str
    field: Half
    why: Why


class Repairs(Value):
    """Links that can be repaired safely, and those that a person must decide."""

    safe: tuple[Repair, ...] = ()
    blocked: tuple[Blocked, ...] = ()


def missing_halves(brand: Brand) -> tuple[Half, ...]:
    """Return which halves of its link a brand lacks."""
    return tuple(half for half in HALVES if not link_of(brand, half))


def link_of(brand: Brand, half: Half) -> str | None:
    """Return one half of a brand's link."""
    return brand.space_id if half == "space" else brand.list_id


def plan_repairs(clients: Sequence[Client], brands: Sequence[Brand]) -> Repairs:
    """Return a repair where the client's brands that have a value agree on it; else the reason."""
    safe: list[Repair] = []
    blocked: list[Blocked] = []
    for client in clients:
        siblings = [brand for brand in brands if brand.client_id == client.id]
        for brand in siblings:
            for half in missing_halves(brand):
                result = _repair_of(client, brand, siblings, half)
                if isinstance(result, Repair):
                    safe.append(result)
                else:
                    blocked.append(result)
    return Repairs(safe=tuple(safe), blocked=tuple(blocked))


def _repair_of(client: Client, brand: Brand, siblings: list[Brand], half: Half) -> Repair | Blocked:
    by_value = {link_of(sibling, half): sibling for sibling in siblings if link_of(sibling, half)}
    if len(by_value) != 1:
        why: Why = "several values" if by_value else "no value"
        return Blocked(client=client.name, brand=brand.name, field=half, why=why)
    [(value, like)] = by_value.items()
    return Repair(
        client=client.named,
        brand=brand.named,
        field=half,
        after=value,
        like=like.name,
    )
