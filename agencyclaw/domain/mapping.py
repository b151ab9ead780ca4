"""Missing ClickUp links of brands, and which of them can be filled without guessing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from agencyclaw.domain.brands import Repair
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.people import Value

Half = Literal["space", "list"]
HALVES: tuple[Half, ...] = ("space", "list")
Why = Literal[
    "several values",
    "no value",
    "list unreadable",
    "list elsewhere",
    "space undecided",
    "space unknown",
    "space differs",
    "space unusable",
]


class Blocked(Value):
    """A missing half without a single candidate, or whose candidate would misroute tasks."""

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


def lists_to_locate(clients: Sequence[Client], brands: Sequence[Brand]) -> frozenset[str]:
    """Return the lists whose spaces decide on repairs: all of a client with a missing half."""
    unfinished = {brand.client_id for brand in brands if missing_halves(brand)}
    ids = {client.id for client in clients} & unfinished
    return frozenset(brand.list_id for brand in brands if brand.list_id and brand.client_id in ids)


def plan_repairs(
    clients: Sequence[Client], brands: Sequence[Brand], homes: Mapping[str, str]
) -> Repairs:
    """Return a repair where the client's brands that have a value agree on it; else the reason.

    `homes` has the space of every list that could be read: a brand's list must lie in its space,
    whichever of the two is copied, and that space must be classified for a brand's tasks.
    """
    safe: list[Repair] = []
    blocked: list[Blocked] = []
    for client in clients:
        siblings = [brand for brand in brands if brand.client_id == client.id]
        for brand in siblings:
            for half in missing_halves(brand):
                result = _repair_of(client, brand, siblings, half, homes)
                if isinstance(result, Repair):
                    safe.append(result)
                else:
                    names = {"client": client.name, "brand": brand.name}
                    blocked.append(Blocked(**names, field=half, why=result))
    return Repairs(safe=tuple(safe), blocked=tuple(blocked))


def _repair_of(
    client: Client, brand: Brand, siblings: list[Brand], half: Half, homes: Mapping[str, str]
) -> Repair | Why:
    linked = [sibling for sibling in siblings if link_of(sibling, half)]
    by_value = {str(link_of(sibling, half)): sibling for sibling in linked}
    if len(by_value) != 1:
        return "several values" if by_value else "no value"
    [(value, like)] = by_value.items()
    home = homes.get(value) if half == "list" else value
    if home is None:
        return "list unreadable"
    spaces = {sibling.space_id for sibling in siblings if sibling.space_id}
    spaces = {brand.space_id} if brand.space_id else spaces
    if half == "list" and spaces != {home}:
        return "list elsewhere" if len(spaces) == 1 else "space undecided"
    if half == "space" and brand.list_id:
        if brand.list_id not in homes:
            return "space unknown"
        if homes[brand.list_id] != value:
            return "space differs"
    if not all(sibling.is_routable for sibling in siblings if sibling.space_id == home):
        return "space unusable"
    return Repair(
        client=client.named,
        brand=brand.named,
        field=half,
        after=value,
        like=like.name,
        home=home if half == "list" else None,
        own_list=brand.list_id if half == "space" else None,
    )
