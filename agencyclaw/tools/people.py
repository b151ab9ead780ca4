"""Resolves people: a typed name becomes a team member, or a question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Assignment, Brand, Client, Named, Person, admins_among
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import (
    Match,
    also_meant,
    distinct_names,
    may_single_out,
    names_in,
    plain_name,
)
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.policy import help_with, is_up_to_admins
from agencyclaw.domain.roles import Role
from agencyclaw.domain.task_changes import TaskAssignee
from agencyclaw.domain.task_creation import Assignee
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import ME, NOBODY
from agencyclaw.tools.names import (
    as_choices,
    decide,
    find_named,
    pick,
    spoken_in,
    was_offered,
    would_change,
)
from agencyclaw.tools.results import Ask, ask_which

_MENTION = re.compile(r"<@([A-Z0-9]{3,20})(?:\|[^<>\n]*)?>")


def name_mentions(text: str, people: list[Person]) -> str:
    """Return a message with colleagues' mentions as names; others stay as they are.

    An id that several profiles have is not replaced.
    """
    times = Counter(person.slack_user_id for person in people)
    named = zip(people, distinct_names(people), strict=True)
    called = {one.slack_user_id: name for one, name in named if times[one.slack_user_id] == 1}
    return _MENTION.sub(lambda m: f"@{called[m[1]]}" if m[1] in called else m[0], text)


async def admin_names(deps: Deps) -> list[str]:
    """Return the names of some admins; none where people of another company read along."""
    return [] if deps.surface.is_shared else admins_among(await deps.directory.people())


async def who_can_help(deps: Deps, reason: str) -> str:
    """Say after a refusal what an admin can change, and by name which; "" to admins themselves."""
    if deps.actor.tier >= Tier.ADMIN or not is_up_to_admins(reason):
        return ""
    return help_with(reason, deps.actor, deps.surface, await admin_names(deps))


async def find_assignee(
    deps: Deps, hint: str | None, client: Client, brand: Brand | None, *, team_decides: bool = False
) -> Assignee | Ask | None:
    """Return the one person a name means, or the question who.

    With `team_decides`, the only one of several namesakes who works for the client is taken; the
    card then names the others and offers them.
    """
    wanted = folded(hint or "").removeprefix("@")
    if not wanted or hint == NOBODY:
        return None
    if hint == ME:
        return as_assignee(deps.actor)
    people = await deps.directory.people()
    found = find_named(deps, wanted, people)
    held = await deps.directory.assignments([client.id])
    if not found.is_sure and (role := await role_named(deps, wanted, people)):
        return _holder_of(role, people, held, client, brand)
    called = one_line(hint or "", 60)
    person = decide(deps, found) or _singled_out(deps, found, people)
    namesakes = _namesakes(deps, person, people) if person else ()
    if person and not namesakes:
        return as_assignee(person)
    if person:
        found = Match((person, *namesakes), is_sure=True)
        called = _shared_name(person, namesakes)
    preferred = _preferred(found.things, held) if found.is_sure and team_decides else None
    if preferred and person in (None, preferred):
        return _of_several(called, found.things, preferred)
    return _ask(called, found, people, held)


async def find_member(deps: Deps, hint: str, question: str) -> Named | Ask:
    """Return the one active team member a name means; raises NotFound."""
    wanted = folded(hint).removeprefix("@")
    if hint == ME:
        return Named(id=deps.actor.profile_id, name=deps.actor.name)
    people = await deps.directory.people()
    found = find_named(deps, wanted, people)
    if person := decide(deps, found) or _singled_out(deps, found, people):
        namesakes = _namesakes(deps, person, people)
        if not namesakes:
            return Named(id=person.profile_id, name=person.name)
        return ask_which(question, as_choices("person", (person, *namesakes)))
    if found.things:
        return ask_which(question, as_choices("person", found.things))
    words = message("refused.people.person_not_found", hint=one_line(hint, 60))
    raise NotFound(words, reason="person_not_found")


def _namesakes(deps: Deps, person: Person, people: Sequence[Person]) -> tuple[Person, ...]:
    """Return their namesakes where people here wrote no more than the name that they share.

    A fuller name than anybody wrote is the model's choice, or a tool's, and not the person's.
    """
    namesakes = also_meant(person, people, spoken_in(deps)) if would_change(deps) else ()
    is_answer = was_offered(deps, "person", person, just_now=True)
    if namesakes and is_answer and may_single_out(deps.request, person, namesakes):
        pick(deps, "Person", person.full_name)
        return ()
    return namesakes


def _shared_name(person: Person, namesakes: Sequence[Person]) -> str:
    """Return the name by which all of them are called."""
    called = [set(map(plain_name, one.names)) for one in namesakes]
    shared = (name for name in person.names if all(plain_name(name) in one for one in called))
    return next(shared, person.name)


def as_assignee(person: Person | Actor) -> Assignee:
    """Return a person as assignee; a ClickUp id that is no number counts as none."""
    number = (person.clickup_user_id or "").strip()
    usable = number if number.isascii() and number.isdigit() else None
    return Assignee(profile_id=person.profile_id, name=person.name, clickup_user_id=usable)


def _preferred(found: Sequence[Person], held: list[Assignment]) -> Person | None:
    """Return the only namesake who has a role for the client or one of its brands."""
    on_client: set[UUID] = {slot.profile_id for slot in held}
    known = [person for person in found if person.profile_id in on_client]
    return known[0] if len(known) == 1 else None


def _singled_out(deps: Deps, found: Match[Person], people: Sequence[Person]) -> Person | None:
    """Return the one of several namesakes whom people here singled out, by words or a press.

    They answered a question, and the argument still has the name that several share.
    """
    several = found.things if found.is_sure and len(found.things) > 1 else ()
    alone = [one for one in several if not also_meant(one, people, spoken_in(deps))]
    return alone[0] if len(alone) == 1 else None


def _of_several(called: str, found: Sequence[Person], taken: Person) -> Assignee:
    """Return the person the client's team decides on, with the others distinguished."""
    named = list(zip(found, distinct_names(found), strict=True))
    return as_assignee(taken).model_copy(
        update={
            "called": called,
            "distinct_name": next(name for one, name in named if one is taken),
            "others": tuple(name for one, name in named if one is not taken),
        }
    )


async def role_named(deps: Deps, wanted: str, people: list[Person]) -> Role | None:
    """Return the role that was named instead of a person; beside a person's name it is none."""
    roles = await deps.directory.roles()
    is_beside = bool(names_in(wanted, people))
    named = find_named(deps, wanted, roles) if is_beside else roles_in(deps, wanted, roles)
    return named.things[0] if named.is_sure and len(named.things) == 1 else None


def roles_in(deps: Deps, hint: str, roles: Sequence[Role]) -> Match[Role]:
    """Return the role of this name, else the only one whose name is among the words."""
    named = find_named(deps, hint, roles)
    within = () if named.is_sure else names_in(hint, roles)
    return Match(within, is_sure=True) if len(within) == 1 else named


def _holder_of(
    role: Role, people: list[Person], held: list[Assignment], client: Client, brand: Brand | None
) -> Assignee | Ask:
    """Return who holds a role of the brand, else of the client; nobody replaces them."""
    slots = [slot for slot in held if slot.role_slug == role.slug]
    own = [slot for slot in slots if brand and slot.brand_id == brand.id]
    ids = {slot.profile_id for slot in own or slots if own or slot.brand_id is None}
    holders = [person for person in people if person.profile_id in ids]
    if len(holders) == 1:
        where = brand.name if own and brand else client.name
        return as_assignee(holders[0]).model_copy(update={"role": f"{role.name} of {where}"})
    if holders:
        question = f"Several people are {role.name} there. Who should do it?"
        return ask_which(question, as_choices("person", holders))
    return _ask_team(f"Nobody is {role.name} there. Who should do it?", people, held)


def _ask(hint: str, found: Match[Person], people: list[Person], held: list[Assignment]) -> Ask:
    if found.is_sure:
        return ask_which(f"Which {hint} should do it?", as_choices("person", found.things))
    if found.things:
        question = f"I don't know a “{hint}”. Do you mean one of these?"
        return ask_which(question, as_choices("person", found.things))
    return _ask_team(f"I don't know a “{hint}” in the team. Who should do it?", people, held)


def _ask_team(question: str, people: list[Person], held: list[Assignment]) -> Ask:
    """Ask with the client's team as buttons, unless they are too many."""
    ids = {slot.profile_id for slot in held}
    team = [person for person in people if person.profile_id in ids]
    return Ask(question=question, options=ask_which(question, as_choices("person", team)).options)


async def find_holder(deps: Deps, hint: str, client: Client) -> TaskAssignee | Ask | None:
    """Return who is to have a client's task, or the question who; None for nobody.

    Raises Refused for somebody without an account in ClickUp.
    """
    person = await find_assignee(deps, hint, client, None)
    if person is None or isinstance(person, Ask):
        return person
    if person.clickup_user_id is None:
        words = message("refused.task_changes.no_clickup_id", person=person.name)
        raise Refused(words, reason="no_clickup_id")
    return TaskAssignee(id=int(person.clickup_user_id), name=person.name, role=person.role)
