"""Links of brands to ClickUp: what is missing, what can be repaired, and the repair."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Literal

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.brands import ApplyRemediation, Repair
from agencyclaw.domain.clients import Brand, Client, Named
from agencyclaw.domain.errors import AgencyClawError, NotFound, Refused
from agencyclaw.domain.mapping import (
    Blocked,
    Repairs,
    lists_to_locate,
    missing_halves,
    plan_repairs,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.clients import find_client, listed_clients, reach_of
from agencyclaw.tools.destinations import task_place
from agencyclaw.tools.results import Ask, Listing, Result, shown_names

REPAIRS_AT_MOST = 100
SHOWN_AT_MOST = 50


class Gap(Result):
    """A brand whose link lacks something: what, and whether it takes tasks all the same."""

    brand: str
    client: str
    takes_tasks: bool
    missing: tuple[Literal["space", "list"], ...] = ()
    tasks_go_to: str = ""
    trouble: str = ""


class MappingAudit(Listing):
    """How many brands are completely linked, and the others by client.

    Of those `lacking` something, `without_tasks` take none.
    """

    total: int
    linked: int
    lacking: int
    without_tasks: int
    gaps: tuple[Gap, ...] = ()
    note: str


class RepairPlan(Listing):
    """What can be repaired without guessing, and what can't, with the reason."""

    safe: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    note: str


@reads(tier=Tier.ADMIN, skill_id="cc_brand_clickup_mapping_audit", on_demand=True)
async def audit_brand_mappings(
    ctx: RunContext[Deps], client: Name | None = None
) -> MappingAudit | Ask:
    """Audit which brands lack their ClickUp space or list (mapping), by client, with totals.

    Args:
        client: Only this client's brands; leave out for all.
    """
    found = await _scope(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    clients, brands = found
    names = {one.id: one_line(one.name, 120) for one in clients}
    order = sorted(brands, key=lambda one: (folded(names[one.client_id]), folded(one.name)))
    lacking = [brand for brand in order if missing_halves(brand) or not brand.is_routable]
    # Of those that are not listed, what the record says has to do: each asks ClickUp.
    listed, others = lacking[:SHOWN_AT_MOST], lacking[SHOWN_AT_MOST:]
    places = await asyncio.gather(*(task_place(ctx.deps, brand) for brand in listed))
    gaps = [
        Gap(
            brand=one_line(brand.name, 80),
            client=names[brand.client_id],
            takes_tasks=place.takes_tasks,
            missing=missing_halves(brand),
            tasks_go_to=place.list_path,
            trouble=place.why_none,
        )
        for brand, place in zip(listed, places, strict=True)
    ]
    without = sum(not gap.takes_tasks for gap in gaps) + sum(not one.is_mapped for one in others)
    shown = f" {SHOWN_AT_MOST} of them are listed." if others else ""
    return MappingAudit(
        total=len(brands),
        linked=len(brands) - len(lacking),
        lacking=len(lacking),
        without_tasks=without,
        gaps=tuple(gaps),
        note=f"{len(lacking)} of {len(brands)} brands lack something;"
        f" {without} of them take no tasks.{shown}"
        if gaps
        else "All brands have both a list and a ClickUp space that is classified for brands.",
        reach="" if client and folded(client) else await reach_of(ctx.deps, clients),
    )


@reads(tier=Tier.ADMIN, on_demand=True)
async def cc_brand_mapping_remediation_preview(
    ctx: RunContext[Deps], client: Name | None = None
) -> RepairPlan | Ask:
    """Preview which missing ClickUp links (mappings) of brands can be repaired; changes nothing.

    Args:
        client: Only this client's brands; leave out for all.
    """
    found = await _scope(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    plan = await _plan(ctx.deps, *found)
    return RepairPlan(
        safe=tuple(repair.sentence for repair in plan.safe[:REPAIRS_AT_MOST]),
        blocked=shown_names(map(_blocked, plan.blocked), SHOWN_AT_MOST),
        note=_note(plan),
        reach="" if client and folded(client) else await reach_of(ctx.deps, found[0]),
    )


@proposes(
    ApplyRemediation, tier=Tier.ADMIN, skill_id="cc_brand_mapping_remediation_apply", on_demand=True
)
async def apply_remediation(
    ctx: RunContext[Deps], client: Name | None = None
) -> ApplyRemediation | Ask:
    """Prepare the repair of missing ClickUp mappings (links) of brands where it is safe.

    Args:
        client: Only this client's brands; leave out for all.
    """
    found = await _scope(ctx.deps, client)
    if isinstance(found, Ask):
        return found
    plan = await _plan(ctx.deps, *found)
    if not plan.safe:
        raise Refused(_note(plan), reason="no_changes")
    clients = {repair.client.id: repair.client for repair in plan.safe}
    only: Named | None = next(iter(clients.values())) if len(clients) == 1 else None
    left = len(plan.safe) - REPAIRS_AT_MOST
    more = (message("brands.more_repairs", count=left),) if left > 0 else ()
    return ApplyRemediation(
        client=only,
        repairs=plan.safe[:REPAIRS_AT_MOST],
        blocked=(*shown_names(map(_blocked, plan.blocked), SHOWN_AT_MOST), *more),
    )


async def _plan(deps: Deps, clients: list[Client], brands: list[Brand]) -> Repairs:
    """Plan repairs with the spaces in which ClickUp says that the lists lie."""
    lists = sorted(lists_to_locate(clients, brands))
    homes = await asyncio.gather(*(_home_of(deps, list_id) for list_id in lists))
    known = {list_id: home for list_id, home in zip(lists, homes, strict=True) if home}
    plan = plan_repairs(clients, brands, known)
    spaces = {space.id: space.name for space in await deps.directory.spaces()} if plan.safe else {}
    safe = [await _with_name(deps, repair, spaces) for repair in plan.safe]
    return plan.model_copy(update={"safe": tuple(safe)})


async def _with_name(deps: Deps, repair: Repair, spaces: Mapping[str, str]) -> Repair:
    """Return a repair with the name of its list, which was read just now, or of its space."""
    after = repair.after or ""
    name = spaces.get(after, "")
    if repair.field == "list":
        name = (await deps.board.list_ref(after)).path
    return repair.model_copy(update={"name": one_line(name, 120)})


async def _home_of(deps: Deps, list_id: str) -> str | None:
    """Return the space of a list; None if ClickUp does not say."""
    try:
        return (await deps.board.list_ref(list_id)).space_id
    except AgencyClawError:
        return None


async def _scope(deps: Deps, hint: str | None) -> tuple[list[Client], list[Brand]] | Ask:
    """Return one client with its brands, or all; raises NotFound where there is no brand."""
    if hint and folded(hint):
        found = await find_client(deps, hint)
        if isinstance(found, Ask):
            return found
        clients, brands = [found.client], found.brands
        none = message("refused.brands.none", client=found.client.name)
    else:
        clients = await listed_clients(deps)
        brands = await deps.directory.brands([client.id for client in clients])
        none = message("refused.mappings.no_brands")
    if not brands:
        raise NotFound(none, reason="brand_not_found")
    return clients, brands


def _blocked(one: Blocked) -> str:
    why = {
        "several values": "the other brands of the client differ",
        "no value": "no other brand of the client has one",
        "list unreadable": "the list of the client's other brands can't be read in ClickUp",
        "list elsewhere": "the list of the client's other brands lies in another ClickUp space",
        "space undecided": "it has no ClickUp space, and the client's other brands agree on none",
        "space unknown": "the brand's own list can't be read in ClickUp",
        "space differs": "the brand's own list lies in another ClickUp space",
        "space unusable": "that ClickUp space is not classified as one for a brand's tasks",
    }[one.why]
    return f"{one_line(one.brand, 80)} ({one_line(one.client, 80)}) lacks its {one.field}: {why}"


def _note(plan: Repairs) -> str:
    if not plan.safe and not plan.blocked:
        return message("refused.mappings.nothing_missing")
    if not plan.safe:
        return message("refused.mappings.only_guesses")
    return message("refused.mappings.repairs", safe=len(plan.safe), blocked=len(plan.blocked))
