"""In any directory: nothing is prepared for a record that was not named, and doubt asks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.names import plain_name
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.people import find_assignee
from agencyclaw.tools.results import Ask
from tests.fakes.ports import Agency, FakeDirectory, a_brand, a_client, a_person, a_slot, an_id

WORDS = st.sampled_from(
    ["Me", "It", "In", "S", "Os", "Roderick", "Rod", "Casa", "Mundo", "Paw", "Pawtrail", "Lite",
     "Café", "Cafe", "Müller", "Muller", "Glint", "Glintly", "Inc", "Ltd", "O'Neil", "Ño"]
)  # fmt: skip
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
HINTS = st.one_of(
    NAMES, WORDS, st.sampled_from(["me", "it", "in", "s", "?", "", "…", "e", "rod", "casa m"])
)


def an_agency(clients: list[str]) -> Agency:
    brands = [a_brand(name, f"{name} Shop", list_id=f"l{at}") for at, name in enumerate(clients)]
    directory = FakeDirectory(all_clients=[a_client(name) for name in clients], all_brands=brands)
    return Agency(directory)


def is_named(hint: str, name: str) -> bool:
    """A name as it was written: equal without case, accents and marks, or but for "Inc"."""
    forms = (name, f"{name} Shop")
    wanted = plain_name(hint)
    bare = {without_form(one) for one in forms}
    named = wanted in map(plain_name, forms) or without_form(hint) in bare or wanted in bare
    return bool(wanted) and named


def without_form(name: str) -> str:
    return " ".join(word for word in plain_name(name).split() if word not in ("inc", "ltd"))


@settings(max_examples=300, deadline=None)
@given(clients=st.lists(NAMES, min_size=2, max_size=6, unique_by=plain_name), hint=HINTS)
async def test_an_effect_is_never_prepared_for_a_client_that_was_not_named(
    clients: list[str], hint: str
) -> None:
    deps = replace(an_agency(clients).run(), calling="create_task")
    try:
        found = await find_client(deps, hint)
    except NotFound:
        assert not any(plain_name(hint) == plain_name(one) for one in clients)
        return
    if isinstance(found, FoundClient):
        assert is_named(hint, found.client.name), (hint, found.client.name)
    else:
        assert isinstance(found, Ask)


@pytest.mark.parametrize("hint", ["me", "it", "in", "s", "?"])
async def test_a_part_of_a_name_names_nobody(hint: str) -> None:
    agency = an_agency(["Roderick Ltd", "Pawtrail Lite", "Glintly", "Casa Mundo"])
    deps = replace(agency.run(), calling="create_task")

    try:
        found = await find_client(deps, hint)
    except NotFound:
        return
    assert isinstance(found, Ask)


@settings(max_examples=200, deadline=None)
@given(team=st.lists(NAMES, min_size=2, max_size=6, unique_by=plain_name), hint=HINTS)
async def test_a_task_is_never_given_to_somebody_who_was_not_named(
    team: list[str], hint: str
) -> None:
    agency = an_agency(["Glintly"])
    agency.directory.team = [a_person(name) for name in team]
    deps = replace(agency.run(who=team[0]), calling="create_task")
    client = agency.directory.all_clients[0]
    person = await find_assignee(deps, hint, client, None)

    if person is None or isinstance(person, Ask):
        return
    words = person.name.split()
    own = hint == "me" and person.name == team[0]
    initial = f"{words[0]} {words[-1][0]}"
    forms = set(map(plain_name, (person.name, words[0], words[-1], initial)))
    said = {plain_name(hint), without_form(hint)}
    assert own or said & forms or is_named(hint, person.name), (hint, person.name)


async def test_two_brands_of_one_name_are_asked_about_and_told_apart() -> None:
    agency = an_agency(["Glintly Inc", "Casa Mundo"])
    agency.directory.all_brands = [
        a_brand("Glintly Inc", "Lumen", list_id="a"),
        a_brand("Casa Mundo", "Lumen", list_id="b"),
    ]
    found = await find_client(replace(agency.run(), calling="create_task"), "lumen")

    assert isinstance(found, Ask)
    assert set(found.labels) == {"Glintly Inc", "Casa Mundo"}


async def test_a_role_is_whoever_holds_it_for_the_client_and_nobody_else() -> None:
    agency = an_agency(["Glintly", "Casa Mundo"])
    agency.directory.team = [a_person("Miguel Duarte"), a_person("Sara Okafor")]
    agency.directory.slots = {
        an_id("client Glintly"): [a_slot("Sara Okafor", "PPC Specialist")],
    }
    deps = replace(agency.run(), calling="create_task")
    glintly, casa = agency.directory.all_clients
    held = await find_assignee(deps, "PPC Specialist", glintly, None)
    nobody = await find_assignee(deps, "PPC Specialist", casa, None)

    assert held is not None
    assert not isinstance(held, Ask)
    assert held.name == "Sara Okafor"
    assert isinstance(nobody, Ask)


@pytest.mark.parametrize("hint", ["I", "myself", "self", "Me", "ME", "@me", "none", "unassigned"])
async def test_no_word_but_the_arguments_own_stands_for_the_speaker_or_for_nobody(
    hint: str,
) -> None:
    agency = an_agency(["Glintly"])
    agency.directory.team = [a_person("Ines Varga"), a_person("Sara Okafor")]
    deps = replace(agency.run(who="Ines Varga"), calling="create_task")

    assert isinstance(await find_assignee(deps, hint, agency.directory.all_clients[0], None), Ask)


async def test_the_arguments_own_words_are_the_speaker_and_nobody() -> None:
    agency = an_agency(["Glintly"])
    agency.directory.team = [a_person("Me Nguyen"), a_person("Ines Varga")]
    deps = replace(agency.run(who="Ines Varga"), calling="create_task")
    glintly = agency.directory.all_clients[0]

    own = await find_assignee(deps, "me", glintly, None)
    assert own is not None
    assert not isinstance(own, Ask)
    assert own.name == "Ines Varga"
    assert await find_assignee(deps, "nobody", glintly, None) is None


def two_glintlys() -> Agency:
    agency = an_agency([])
    agency.directory.all_clients = [a_client("Glintly Inc"), a_client("Casa Mundo")]
    agency.directory.all_brands = [
        a_brand("Glintly Inc", "Glintly", list_id="a"),
        a_brand("Casa Mundo", "Glintly", list_id="b"),
    ]
    return agency


async def test_a_name_without_the_companys_form_that_is_anothers_brand_is_asked_about() -> None:
    deps = two_glintlys().run()
    preparing = replace(deps, calling="create_task")
    found = await find_client(preparing, "Glintly")

    assert isinstance(found, Ask)
    assert set(found.labels) == {"Glintly Inc", "Casa Mundo"}
    for label in found.labels:
        chosen = await find_client(preparing, label)
        assert isinstance(chosen, FoundClient)
        assert chosen.client.name == label
    assert isinstance(await find_client(deps, "Glintly"), FoundClient)


async def test_a_client_of_the_very_name_is_taken_and_the_other_brand_is_told() -> None:
    agency = two_glintlys()
    agency.directory.all_clients.append(a_client("Glintly"))
    found = await find_client(replace(agency.run(), calling="create_task"), "Glintly")

    assert isinstance(found, FoundClient)
    assert (found.client.name, found.namesakes) == ("Glintly", ("Glintly Inc", "Casa Mundo"))
