"""Who holds which role where, and how much: a table of slots, and the load by role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Assignment, Brand, Client
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import distinct_names
from agencyclaw.domain.people import Tier
from agencyclaw.domain.roles import Role
from agencyclaw.domain.sheets import SheetColumn
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name, Page
from agencyclaw.tools.assignments import find_brand
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.charts import add_chart
from agencyclaw.tools.clients import every_client, find_client, reach_of
from agencyclaw.tools.implied_clients import client_hint
from agencyclaw.tools.people import roles_in
from agencyclaw.tools.results import Ask, Listing, Result, shown_names

_ROWS_AT_MOST = 40
_NAMES_AT_MOST = 40
_CLIENT_LEVEL = "whole client"


class RoleItem(Result):
    """A role slot, with its slug and the short names people use for it."""

    role: str
    slug: str
    also_called: tuple[str, ...] = ()


class RoleList(Result):
    """The roles of the agency that fit."""

    roles: tuple[RoleItem, ...]
    note: str = ""


class SlotRow(Result):
    """Who holds which role of a client or of one of its brands."""

    client: str
    brand: str = _CLIENT_LEVEL
    held: dict[str, str]
    open: tuple[str, ...] = ()


class AssignmentMatrix(Listing):
    """A page of the slots, one row for each client and for each brand with slots of its own."""

    rows: tuple[SlotRow, ...]
    total: int
    note: str


class RoleLoad(Result):
    """Who holds a role how often, and where nobody does."""

    role: str
    slots_by_person: dict[str, int]
    open_at: tuple[str, ...] = ()


class CapacitySnapshot(Listing):
    """The load by role, and active people without any slot."""

    roles: tuple[RoleLoad, ...]
    without_slots: tuple[str, ...] = ()
    note: str


@dataclass(frozen=True)
class _Team:
    """A client with its brands and everybody's slots."""

    client: Client
    brands: Sequence[Brand]
    slots: Sequence[Assignment]

    def held(self, brand: Brand | None) -> dict[str, str]:
        """Return who holds which role, by its slug, of the whole client or of a brand alone."""
        wanted = brand.id if brand else None
        return {slot.role_slug: slot.person for slot in self.slots if slot.brand_id == wanted}


@reads(tier=Tier.MEMBER, on_demand=True)
async def cc_role_lookup(ctx: RunContext[Deps], role: Name | None = None) -> RoleList:
    """List the roles that people can hold, with their short names.

    Args:
        role: What the person called the role; leave out for all.
    """
    roles = await ctx.deps.directory.roles()
    found = roles_in(ctx.deps, role, roles).things if role and folded(role) else roles
    return RoleList(
        roles=tuple(
            RoleItem(role=one.name, slug=one.slug, also_called=one.short_names)
            for one in found or roles
        ),
        note="" if found else "There is no role of that name; these are all.",
    )


@reads(tier=Tier.MEMBER, on_demand=True)
async def cc_assignment_matrix(
    ctx: RunContext[Deps], client: Name | None = None, brand: Name | None = None, page: Page = 1
) -> AssignmentMatrix | Ask:
    """Show the assignments (matrix, table) of roles to people: of a client or of all, with gaps.

    Args:
        client: What the person called the client; leave out for all.
        brand: Only this brand and what holds for its whole client.
        page: Of a table that goes on.
    """
    wanted = await _wanted(ctx.deps, client, brand)
    if isinstance(wanted, Ask):
        return wanted
    clients, only = wanted
    roles = await ctx.deps.directory.roles()
    teams = await _teams(ctx.deps, clients, await _called(ctx.deps))
    rows = [row for team in teams for row in _rows(team, roles, only)]
    shown = rows[(page - 1) * _ROWS_AT_MOST : page * _ROWS_AT_MOST]
    goes_on = page * _ROWS_AT_MOST < len(rows)
    note = "A brand has what its own row says, else what the whole client's says."
    return AssignmentMatrix(
        rows=tuple(shown),
        total=len(rows),
        note=f"{note} Page {page + 1} has the next rows." if goes_on else note,
        reach="" if only or (client and folded(client)) else await reach_of(ctx.deps, clients),
    )


async def _wanted(
    deps: Deps, client: str | None, brand: str | None
) -> tuple[list[Client], Brand | None] | Ask:
    """Return the clients, and the one brand of them that is asked for, if there is one."""
    if not (brand and folded(brand)):
        if not (client and folded(client)):
            return await every_client(deps), None
        owner = await find_client(deps, client)
        return owner if isinstance(owner, Ask) else ([owner.client], None)
    found = await find_client(deps, client_hint(client, brand))
    if isinstance(found, Ask):
        return found
    chosen = find_brand(deps, found, brand)
    return chosen if isinstance(chosen, Ask) else ([found.client], chosen)


def _rows(team: _Team, roles: Sequence[Role], only: Brand | None) -> list[SlotRow]:
    """Return the row of the client and those of its brands; of a brand asked for in any case."""
    client = one_line(team.client.name, 120)
    own = team.held(None)
    missing = tuple(role.name for role in roles if role.slug not in own)
    rows = [SlotRow(client=client, held=_named(own, roles), open=missing)]
    for brand in [only] if only else team.brands:
        if (held := team.held(brand)) or only:
            name = one_line(brand.name, 80)
            rows.append(SlotRow(client=client, brand=name, held=_named(held, roles)))
    return rows


def _named(held: dict[str, str], roles: Sequence[Role]) -> dict[str, str]:
    return {role.name: held[role.slug] for role in roles if role.slug in held}


@reads(tier=Tier.MEMBER, on_demand=True, attaches=True)
async def cc_role_capacity_snapshot(
    ctx: RunContext[Deps], role: Name | None = None, chart: bool = False
) -> CapacitySnapshot:
    """Count role slots (capacity) per person and role: open slots, who has none. Not their tasks.

    Args:
        role: Only this role, as the person called it; leave out for all.
        chart: Also put the slots by person below the answer as a bar chart.
    """
    clients = await every_client(ctx.deps)
    called = await _called(ctx.deps)
    teams = await _teams(ctx.deps, clients, called)
    every = await ctx.deps.directory.roles()
    roles = roles_in(ctx.deps, role, every).things if role and folded(role) else every
    if not roles:
        known = ", ".join(one.name for one in every)
        raise NotFound(message("refused.role_reports.no_role", known=known), reason="no_role")
    reach = await reach_of(ctx.deps, clients)
    loads = tuple(_load(one, teams) for one in roles)
    note = "Slots are counted, not hours. One for a whole client is one slot."
    part = message("remarks.part_of_work") if reach else ""
    below = _add_chart(ctx.deps, loads) if chart else ""
    return CapacitySnapshot(
        roles=loads,
        without_slots=() if reach else _without_slots(called, teams),
        note=" ".join(filter(None, (note, part, below))),
        reach=reach,
    )


def _add_chart(deps: Deps, loads: Sequence[RoleLoad]) -> str:
    slots: Counter[str] = Counter()
    for load in loads:
        slots.update(load.slots_by_person)
    which = f" as {loads[0].role}" if len(loads) == 1 else ""
    title = f"Slots by person{which}, as of {deps.today}"
    return add_chart(deps, title, SheetColumn(title="Person"), "Slots", slots.most_common())


def _without_slots(called: Mapping[UUID, str], teams: Sequence[_Team]) -> tuple[str, ...]:
    """Return who holds no slot; that is known only where all clients were looked at."""
    busy = {slot.profile_id for team in teams for slot in team.slots}
    free = (name for profile_id, name in called.items() if profile_id not in busy)
    return shown_names(free, _NAMES_AT_MOST)


def _load(role: Role, teams: Sequence[_Team]) -> RoleLoad:
    slots = [slot for team in teams for slot in team.slots if slot.role_slug == role.slug]
    counted = Counter(slot.person for slot in slots)
    without = [
        one_line(team.client.name, 80)
        for team in teams
        if all(slot.role_slug != role.slug for slot in team.slots)
    ]
    return RoleLoad(
        role=role.name,
        slots_by_person=dict(counted.most_common()),
        open_at=shown_names(without, _NAMES_AT_MOST),
    )


async def _teams(deps: Deps, clients: Sequence[Client], called: Mapping[UUID, str]) -> list[_Team]:
    ids = [client.id for client in clients]
    brands = await deps.directory.brands(ids)
    slots = await deps.directory.assignments(ids)
    return [
        _Team(
            client,
            [one for one in brands if one.client_id == client.id],
            [_named_apart(slot, called) for slot in slots if slot.client_id == client.id],
        )
        for client in clients
    ]


async def _called(deps: Deps) -> dict[UUID, str]:
    """Return the active people's names; those of one name are told apart."""
    people = await deps.directory.people()
    names = (one_line(name, 120) for name in distinct_names(people))
    return {one.profile_id: name for one, name in zip(people, names, strict=True)}


def _named_apart(slot: Assignment, called: Mapping[UUID, str]) -> Assignment:
    name = called.get(slot.profile_id) or one_line(slot.person, 60)
    return slot.model_copy(update={"person": name})
