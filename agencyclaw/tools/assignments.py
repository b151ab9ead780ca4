"""Assigning people to the roles of clients and brands, and taking them off."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.assignments import AssignPerson, RemoveAssignment
from agencyclaw.domain.clients import Brand, Client, Named
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.roles import Role
from agencyclaw.domain.text import one_line
from agencyclaw.tools.arguments import Name, Whom
from agencyclaw.tools.brands import ask_brand, brand_hint
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.people import find_member, roles_in
from agencyclaw.tools.results import Ask, ask_which


@proposes(AssignPerson, tier=Tier.ADMIN, skill_id="cc_assignment_upsert", on_demand=True)
async def assign_person(
    ctx: RunContext[Deps], person: Whom, role: Name, client: Name, brand: Name | None = None
) -> AssignPerson | Ask:
    """Prepare giving a person a role of a client or brand (team); who holds it now is replaced.

    Args:
        person: Who, by name or e-mail; "me" for the person asking.
        role: The role, such as PPC Strategist or CSL.
        client: What the person called the client.
        brand: Only if the role is for one brand and not for the whole client.
    """
    lacking = Lacking()
    slot = await _find_slot(ctx.deps, role, client, brand, lacking)
    called = slot.role.name if slot else one_line(role, 60)
    member = await lacking.settle(find_member(ctx.deps, person, f"Who should be {called}?"))
    if slot is None or member is None:
        return lacking.as_ask()
    if slot.holder and slot.holder.id == member.id:
        owner = slot.brand or slot.client
        words = message(
            "refused.assignments.held_already",
            member=member.name,
            role=slot.role.name,
            owner=owner.name,
        )
        raise Refused(words, reason="no_changes")
    return AssignPerson(
        client=slot.client.named,
        brand=slot.brand.named if slot.brand else None,
        role=slot.role,
        person=member,
        previous=slot.holder,
    )


@proposes(RemoveAssignment, tier=Tier.ADMIN, skill_id="cc_assignment_remove", on_demand=True)
async def remove_assignment(
    ctx: RunContext[Deps], person: Whom, role: Name, client: Name, brand: Name | None = None
) -> RemoveAssignment | Ask:
    """Prepare taking a person off a role of a client or brand (unassign); the role is open then.

    Args:
        person: Who, by name or e-mail; "me" for the person asking.
        role: The role they hold.
        client: What the person called the client.
        brand: Only if they hold the role for one brand.
    """
    lacking = Lacking()
    slot = await _find_slot(ctx.deps, role, client, brand, lacking)
    called = slot.role.name if slot else one_line(role, 60)
    question = f"Who should be taken off {called}?"
    member = await lacking.settle(find_member(ctx.deps, person, question))
    if slot is None or member is None:
        return lacking.as_ask()
    if slot.holder is None or slot.holder.id != member.id:
        raise NotFound(_not_assigned(slot, member), reason="not_assigned")
    return RemoveAssignment(
        client=slot.client.named,
        brand=slot.brand.named if slot.brand else None,
        role=slot.role,
        person=member,
    )


@dataclass(frozen=True)
class _Slot:
    """A role of a client, or of one of its brands, which one person holds or nobody."""

    client: Client
    brand: Brand | None
    role: Role
    holder: Named | None


def _not_assigned(slot: _Slot, member: Named) -> str:
    client_level = message("refused.assignments.client_level", client=slot.client.name)
    owner = slot.brand.name if slot.brand else client_level
    now = message("assignments.role_open")
    if slot.holder:
        now = message("built.holds", name=slot.holder.name)
    return message(
        "refused.assignments.not_assigned",
        member=member.name,
        role=slot.role.name,
        owner=owner,
        now=now,
    )


async def _find_slot(
    deps: Deps, role: str, client: str, brand: str | None, lacking: Lacking
) -> _Slot | None:
    """Return the role of a client or brand; None where something of it is lacking."""
    chosen: Brand | None = None
    found = await lacking.settle(find_client(deps, client))
    if found:
        chosen = lacking.tried(lambda: find_brand(deps, found, brand))
    named = await lacking.settle(find_role(deps, role))
    if lacking or found is None or named is None:
        return None
    wanted = named.slug, chosen.id if chosen else None
    slots = await deps.directory.assignments([found.client.id])
    held = (one for one in slots if (one.role_slug, one.brand_id) == wanted)
    holder = next((Named(id=one.profile_id, name=one.person) for one in held), None)
    return _Slot(found.client, chosen, named, holder)


def find_brand(deps: Deps, found: FoundClient, hint: str | None) -> Brand | Ask | None:
    """Return the named brand of a client, linked or not; None if none was named."""
    name = brand_hint(found, hint)
    if not name:
        return None
    named = find_named(deps, name, found.brands)
    if not named.things:
        words = message(
            "refused.assignments.brand_not_found", client=found.client.name, name=one_line(name, 60)
        )
        raise NotFound(words, reason="brand_not_found")
    return decide(deps, named) or ask_brand(found.client, named.things)


async def find_role(deps: Deps, hint: str) -> Role | Ask:
    """Return the role a hint means; raises NotFound with the existing roles."""
    roles = await deps.directory.roles()
    found = roles_in(deps, hint, roles)
    if found.things:
        which = ask_which("Which role do you mean?", as_choices("role", found.things))
        return decide(deps, found) or which
    listed = ", ".join(role.name for role in roles)
    words = message("refused.assignments.role_not_found", hint=one_line(hint, 60), listed=listed)
    raise NotFound(words, reason="role_not_found")
