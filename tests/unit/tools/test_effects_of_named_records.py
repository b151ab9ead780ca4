"""In any directory, through the tools: an effect is only for records that were named."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agencyclaw.domain.assignments import AssignPerson
from agencyclaw.domain.clients import Assignment, Brand, Client, Person
from agencyclaw.domain.errors import NotFound, NotMapped, Refused
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.tools.assignments import assign_person
from agencyclaw.tools.results import Ask
from agencyclaw.tools.tasks import create_task
from tests.fakes.ports import ROLES, Agency, FakeDirectory, an_id, context

# Short ones, one inside another, accents, forms of companies, words that are everywhere.
WORDS = st.sampled_from(
    ["Me", "It", "In", "S", "Rod", "Roderick", "Casa", "Mundo", "Paw", "Pawtrail", "Lite", "Café",
     "Cafe", "Müller", "Muller", "Glint", "Glintly", "Inc", "Ltd", "O'Neil", "Ño", "PPC"]
)  # fmt: skip
NAMES = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)
PEOPLE = st.lists(WORDS, min_size=2, max_size=2).map(" ".join)
# Of fewer letters, a beginning names nothing.
SHORTEST = 3
ROLE_NAMES = [role.name for role in ROLES]
NOISE = [
    "me",
    "it",
    "in",
    "s",
    "?",
    "…",
    "e",
    "rod",
    "casa m",
    "a",
    "PPC",
    "Specialist",
    *ROLE_NAMES,
]


@dataclass(frozen=True)
class Wanted:
    """What somebody called the records of one effect."""

    client: str
    brand: str | None
    person: str


def spelled(text: str) -> str:
    """Without case, accents and marks, by another way than the product's."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in bare).casefold().split())


def namesakes(hint: str, names: list[str]) -> list[str]:
    """Those that a name is in equal measure: as it is written, else without accents and marks."""
    exact = [one for one in names if one.casefold().strip() == hint.casefold().strip(" .,;:!?")]
    return exact or [one for one in names if spelled(one) == spelled(hint)]


def short(text: str) -> str:
    return " ".join(word for word in spelled(text).split() if word not in ("inc", "ltd"))


def means(hint: str, names: Sequence[str]) -> bool:
    """Whether a hint is one of the names as a whole, but for the form of a company."""
    said = {spelled(hint), short(hint)} - {""}
    return any(said & {spelled(name), short(name)} for name in names)


def meant_by(hint: str, names: Sequence[str]) -> list[str]:
    """Those that a hint names; where it names none, those of which it is the first words."""
    words = spelled(hint).split()
    begun = [one for one in names if words and spelled(one).split()[: len(words)] == words]
    named = [one for one in names if means(hint, [one])]
    return named or (begun if len(" ".join(words)) >= SHORTEST else [])


@st.composite
def directories(draw: st.DrawFn) -> FakeDirectory:
    clients = [
        Client(id=an_id(f"client {at}"), name=name)
        for at, name in enumerate(draw(st.lists(NAMES, min_size=1, max_size=4)))
    ]
    brands = [
        Brand(id=an_id(f"brand {at}"), client_id=client.id, name=name, list_id=f"l{at}")
        for at, (client, name) in enumerate(
            draw(st.lists(st.tuples(st.sampled_from(clients), NAMES), min_size=1, max_size=6))
        )
    ]
    team = [
        Person(
            profile_id=an_id(f"person {at}"),
            name=name,
            display_name=name.split()[0],
            email=f"p{at}@lanternfish.example",
            clickup_user_id=str(100 + at),
        )
        for at, name in enumerate(draw(st.lists(PEOPLE, min_size=1, max_size=5)))
    ]
    directory = FakeDirectory(clients, brands, {}, team)
    for client in clients:
        own = [None, *(one.id for one in brands if one.client_id == client.id)]
        held = draw(
            st.lists(
                st.tuples(st.sampled_from(team), st.sampled_from(ROLES), st.sampled_from(own)),
                max_size=3,
            )
        )
        directory.slots[client.id] = [
            Assignment(
                client_id=client.id,
                profile_id=who.profile_id,
                person=who.name,
                role_slug=role.slug,
                role=role.name,
                brand_id=brand_id,
            )
            for who, role, brand_id in held
        ]
    return directory


@st.composite
def hints(draw: st.DrawFn, names: Sequence[str]) -> str:
    """A name as it is, another way of writing it, a piece of it, or noise."""
    name = draw(st.sampled_from([*names, *NOISE]))
    written = draw(st.sampled_from([name, name.upper(), spelled(name), f" {name}!"]))
    if draw(st.booleans()):
        return written
    begin = draw(st.integers(0, len(name) - 1))
    return name[begin : draw(st.integers(begin + 1, len(name)))]


@st.composite
def requests(draw: st.DrawFn) -> tuple[FakeDirectory, Wanted]:
    directory = draw(directories())
    clients = [one.name for one in directory.all_clients]
    brands = [one.name for one in directory.all_brands]
    people = [name for one in directory.staff for name in (one.name, one.display_name, one.email)]
    return directory, Wanted(
        client=draw(st.sampled_from(clients) | hints([*clients, *brands])),
        brand=draw(st.none() | st.sampled_from(brands) | hints(brands)),
        person=draw(st.sampled_from(ROLE_NAMES) | hints([*people, *ROLE_NAMES])),
    )


async def outcome(agency: Agency, tool: Any, **args: Any) -> Any:
    """What a tool makes of it; a refusal prepares nothing."""
    deps = replace(agency.run(who="Nobody Here"), calling=tool.__name__)
    try:
        return await tool(context(deps), **args)
    except (NotFound, NotMapped, Refused):
        return None


def is_of(directory: FakeDirectory, wanted: Wanted, client_id: Any) -> bool:
    """Whether the client was named, or a brand of it; where nothing was, it is the only one."""
    if not spelled(wanted.client):
        brands = [one.name for one in directory.all_brands]
        # A brand of the very name comes before one that has a legal form, too.
        named = namesakes(wanted.brand or "", brands) or meant_by(wanted.brand or "", brands)
        owners = {one.client_id for one in directory.all_brands if one.name in named}
        return len(directory.all_clients) == 1 or owners == {client_id}
    names = [one.name for one in (*directory.all_clients, *directory.all_brands)]
    meant = meant_by(wanted.client, names)
    own = {one.id for one in directory.all_clients if one.name in meant}
    owners = own | {one.client_id for one in directory.all_brands if one.name in meant}
    is_named = any(means(wanted.client, [name]) for name in names)
    return client_id in owners and (is_named or len(owners) == 1)


def check_place(
    directory: FakeDirectory, wanted: Wanted, effect: CreateTask | AssignPerson
) -> None:
    assert is_of(directory, wanted, effect.client.id), (wanted, effect.client.name)
    if spelled(wanted.client):
        same = namesakes(wanted.client, [one.name for one in directory.all_clients])
        assert len(same) <= 1, "namesakes were not asked about"
    own = [one for one in directory.all_brands if one.client_id == effect.client.id]
    if effect.brand is None:
        return
    brand = next(one for one in own if one.id == effect.brand.id)
    hint = wanted.brand if wanted.brand and spelled(wanted.brand) else wanted.client
    names = [one.name for one in own]
    is_named = brand.name in meant_by(hint, names)
    assert is_named or (len(own) == 1 and hint is wanted.client), (wanted, brand.name)
    if is_named:
        alike = namesakes(hint, names) or meant_by(hint, names)
        assert len(alike) == 1, "brands of one name were not asked about"


def called(person: Person) -> list[str]:
    words = person.name.split()
    initial = f"{words[0]} {words[-1][0]}"
    return [person.name, person.display_name, person.email, words[0], words[-1], initial]


def roles_of(person: Person, held: list[Assignment]) -> list[str]:
    """All names of the roles that a person holds, short ones too: "PPC Spec" is one."""
    slugs = {one.role_slug for one in held if one.profile_id == person.profile_id}
    return [name for role in ROLES if role.slug in slugs for name in role.names]


def fits(hint: str, person: Person) -> bool:
    return bool(meant_by(hint, [*called(person), person.full_name]))


@settings(max_examples=400, deadline=None)
@given(request=requests())
async def test_a_task_is_only_for_the_client_the_brand_and_the_person_that_were_named(
    request: tuple[FakeDirectory, Wanted],
) -> None:
    directory, wanted = request
    made = await outcome(
        Agency(directory),
        create_task,
        client=wanted.client,
        brand=wanted.brand,
        assignee=wanted.person,
        title="Order the samples",
        objective="Order three boxes of samples for the photo shoot in spring",
    )

    assert made is None or isinstance(made, CreateTask | Ask)
    if not isinstance(made, CreateTask):
        return
    check_place(directory, wanted, made)
    assert made.assignee is not None or spelled(wanted.person) in ("", "nobody"), wanted
    if made.assignee is None or wanted.person == "me":
        return
    person = next(one for one in directory.staff if one.profile_id == made.assignee.profile_id)
    held = directory.slots[made.client.id]
    if not fits(wanted.person, person):
        assert means(wanted.person, roles_of(person, held)), (wanted, person.name)
        return
    meant = [one for one in directory.staff if fits(wanted.person, one)]
    holders = [one for one in meant if one.profile_id in {slot.profile_id for slot in held}]
    exact = namesakes(wanted.person, [one.name for one in meant])
    assert 1 in (len(meant), len(holders), len(exact)) or _one_on_brand(made, holders, held)


def _one_on_brand(made: CreateTask, holders: list[Person], held: list[Assignment]) -> bool:
    """Of several namesakes, one alone works for the brand."""
    brand = made.brand.id if made.brand else None
    on_brand = {slot.profile_id for slot in held if brand and slot.brand_id == brand}
    return len([one for one in holders if one.profile_id in on_brand]) == 1


@settings(max_examples=300, deadline=None)
@given(request=requests(), role=st.sampled_from([*ROLE_NAMES, "PPC", "csl", "Spec", "Lead", "?"]))
async def test_a_role_is_only_given_to_who_was_named_for_the_slot_that_was_named(
    request: tuple[FakeDirectory, Wanted], role: str
) -> None:
    directory, wanted = request
    made = await outcome(
        Agency(directory),
        assign_person,
        client=wanted.client,
        brand=wanted.brand,
        person=wanted.person,
        role=role,
    )

    assert made is None or isinstance(made, AssignPerson | Ask)
    if not isinstance(made, AssignPerson):
        return
    check_place(directory, wanted, made)
    every = {name for one in ROLES for name in one.names}
    meant = meant_by(role, sorted(every))
    assert not set(made.role.names).isdisjoint(meant), (role, made.role.name)
    assert len({one.slug for one in ROLES if not set(one.names).isdisjoint(meant)}) == 1, role
    if wanted.person == "me":
        return
    person = next(one for one in directory.staff if one.profile_id == made.person.id)
    assert fits(wanted.person, person), (wanted, person.name)
    same = namesakes(wanted.person, [one.name for one in directory.staff])
    assert len(same) <= 1, "namesakes were not asked about"
