"""In any directory: nothing is prepared for a record that was not named, and doubt asks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import Choice, choice
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.names import plain_name
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.quotes import Fact
from agencyclaw.domain.task_creation import Assignee, CreateTask
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.people import find_assignee, find_member
from agencyclaw.tools.results import Ask
from agencyclaw.tools.tasks import create_task
from tests.fakes.ports import (
    Agency,
    FakeDirectory,
    a_brand,
    a_client,
    a_person,
    a_slot,
    an_id,
    context,
)

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


def an_address(name: str) -> str:
    return f"{name.replace(' ', '.')}@lanternfish.example"


def begins(hint: str, name: str) -> bool:
    """Whether a hint is the first words of a name, and no mere syllable."""
    words = plain_name(hint).split()
    return len(" ".join(words)) >= 3 and plain_name(name).split()[: len(words)] == words


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
        begun = [one for one in clients if begins(hint, one)]
        is_only = begun == [found.client.name] and not any(is_named(hint, one) for one in clients)
        assert is_named(hint, found.client.name) or is_only, (hint, found.client.name)
    else:
        assert isinstance(found, Ask)


@pytest.mark.parametrize(
    ("hint", "names"),
    [
        ("Rod Shop", ["Ltd Rod", "Rod Shop Lite"]),
        ("Rod", ["Ltd Rod", "Rod Lite"]),
        ("Ltd", ["Ltd Me", "Inc"]),
        ("Me Me", ["Me Me Me", "Me Ltd Me"]),
        ("PPC Sp", ["PPC", "Casa Mundo"]),
    ],
)
async def test_a_clients_or_brands_name_but_for_a_legal_form_within_it_is_asked_about(
    hint: str, names: list[str]
) -> None:
    deps = replace(an_agency(names).run(), calling="create_task")

    assert isinstance(await find_client(deps, hint), Ask)


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
    agency.directory.staff = [a_person(name) for name in team]
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
    is_said = bool(said & forms) or is_named(hint, person.name)
    full = f"{person.name} {an_address(person.name)}"
    assert own or is_said or begins(hint, full), (hint, person.name)


async def test_a_cut_role_is_nobody_whose_name_it_begins_with() -> None:
    agency = an_agency(["Glintly"])
    agency.directory.staff = [a_person("PPC Okafor"), a_person("Sara Lindqvist")]
    deps = replace(agency.run(who="Sara Lindqvist"), calling="create_task")

    asked = await find_assignee(deps, "PPC Sp", agency.directory.all_clients[0], None)
    assert isinstance(asked, Ask)
    assert isinstance(await find_member(deps, "PPC Sp", "Who?"), Ask)


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
    agency.directory.staff = [a_person("Miguel Duarte"), a_person("Sara Okafor")]
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
    agency.directory.staff = [a_person("Ines Varga"), a_person("Sara Okafor")]
    deps = replace(agency.run(who="Ines Varga"), calling="create_task")

    assert isinstance(await find_assignee(deps, hint, agency.directory.all_clients[0], None), Ask)


async def test_the_arguments_own_words_are_the_speaker_and_nobody() -> None:
    agency = an_agency(["Glintly"])
    agency.directory.staff = [a_person("Me Nguyen"), a_person("Ines Varga")]
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
    agency.board.lists = {"a": [], "b": []}
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


async def test_a_brand_of_the_very_name_is_taken_before_one_with_a_legal_form() -> None:
    agency = two_glintlys()
    other = agency.directory.all_brands[0].model_copy(update={"name": "Glintly Inc"})
    agency.directory.all_brands[0] = other
    task = {"title": "Order the samples", "objective": "Order three boxes of samples for a shoot"}
    made = await create_task(
        context(preparing(agency, "order the samples")), client="?", brand="Glintly", **task
    )

    assert isinstance(made, CreateTask)
    assert made.client.name == "Casa Mundo"


GLINTLYS = ("Glintly Inc", "Casa Mundo")


def preparing(agency: Agency, *said: str) -> Deps:
    """A run that prepares something, after people wrote so, the last of it just now."""
    deps = agency.run(request=said[-1])
    return replace(deps, calling="create_task", thread_texts=said[:-1])


async def a_waiting_task(agency: Agency, client: str) -> Proposal:
    task = {"title": "Order the samples", "objective": "Order three boxes of samples for a shoot"}
    deps = replace(agency.run(), calling="create_task")
    made = await create_task(context(deps), client=client, **task)
    assert isinstance(made, CreateTask)
    drafted = await agency.proposals.draft(made)
    return drafted.model_copy(update={"state": ProposalState.OPEN})


async def asks_which(deps: Deps, hint: str) -> bool:
    found = await find_client(deps, hint)
    return isinstance(found, Ask) and set(found.labels) == set(GLINTLYS)


@pytest.mark.parametrize("hint", GLINTLYS)
async def test_a_fuller_name_than_anybody_wrote_does_not_settle_which_client_is_meant(
    hint: str,
) -> None:
    said = "create a task for Glintly: a new main image for the screen wipes"

    assert await asks_which(preparing(two_glintlys(), said), hint)
    assert await asks_which(preparing(two_glintlys(), said, "due Friday please"), hint)


async def test_whoever_was_singled_out_last_is_meant_and_the_other_is_asked_about() -> None:
    agency = two_glintlys()
    for said in (["a task for Glintly Inc"], ["a task for Glintly", "Glintly Inc", "for Sara"]):
        found = await find_client(preparing(agency, *said), "Glintly Inc")
        assert isinstance(found, FoundClient), said
        assert found.namesakes == ()
    later = ["a task for Glintly Inc", "Casa Mundo", "one more for Glintly"]

    assert await asks_which(preparing(agency, *later), "Glintly Inc")
    assert isinstance(await find_client(preparing(agency, *later), "Casa Mundo"), FoundClient)


async def test_a_message_that_was_quoted_counts_as_what_was_written() -> None:
    mail = Material(origin=Origin.QUOTED, whose="Dana", text="Glintly needs a new main image")
    deps = replace(preparing(two_glintlys(), "make a task of this"), materials=(mail,))

    assert await asks_which(deps, "Glintly Inc")
    named = mail.model_copy(update={"text": "Casa Mundo needs a new main image for Glintly"})
    assert isinstance(
        await find_client(replace(deps, materials=(named,)), "Casa Mundo"), FoundClient
    )


async def test_what_nobody_called_by_a_name_that_several_have_is_not_asked_about() -> None:
    deps = preparing(two_glintlys(), "a lightning deal for the lens spray")

    assert isinstance(await find_client(deps, "Glintly Inc"), FoundClient)


async def test_a_card_that_waits_for_the_client_has_singled_it_out() -> None:
    agency = two_glintlys()
    waiting = (await a_waiting_task(agency, "Glintly Inc"),)
    deps = replace(preparing(agency, "the Glintly one: make it Friday"), revised=waiting)

    assert isinstance(await find_client(deps, "Glintly Inc"), FoundClient)
    assert await asks_which(deps, "Casa Mundo")


async def test_what_was_read_of_one_of_two_is_no_topic_of_the_talk() -> None:
    deps = replace(preparing(two_glintlys(), "what is open for Glintly?"), calling="list_tasks")
    found = await find_client(deps, "Glintly Inc")

    assert isinstance(found, FoundClient)
    assert found.namesakes == ("Casa Mundo",)
    assert deps.topic.clients == {an_id(f"client {name}") for name in GLINTLYS}
    assert deps.topic.after(an_id("client Glintly Inc")) is None


async def test_the_first_words_of_only_one_name_will_do_also_where_something_changes() -> None:
    agency = an_agency(["Brightkettle Group", "Casa Mundo"])
    found = await find_client(preparing(agency, "a task for Brightkettle"), "Brightkettle")
    assert isinstance(found, FoundClient)
    agency.directory.all_clients.append(a_client("Brightkettle Kids"))

    assert isinstance(await find_client(preparing(agency, "hi"), "Brightkettle"), Ask)
    assert isinstance(await find_client(preparing(agency, "hi"), "Brightketle Group"), Ask)


async def test_a_fuller_name_than_anybody_wrote_does_not_settle_which_colleague_is_meant() -> None:
    agency = an_agency(["Pawtrail"])
    agency.directory.staff = [a_person("Sara Okafor"), a_person("Sara Lindqvist")]
    client = agency.directory.all_clients[0]

    asked = await find_assignee(preparing(agency, "for Sara"), "Sara Okafor", client, None)
    assert isinstance(asked, Ask)
    assert set(asked.labels) == {"Sara Okafor", "Sara Lindqvist"}
    member = await find_member(preparing(agency, "for Sara"), "Sara Okafor", "Who?")
    assert isinstance(member, Ask)
    for said in ("for Sara Okafor", "for Sara O.", "for Okafor", "whoever does PPC"):
        given = await find_assignee(preparing(agency, said), "Sara Okafor", client, None)
        assert given is not None, said
        assert not isinstance(given, Ask), said


def answering(agency: Agency, said: str, *offered: Choice) -> Deps:
    """A run that prepares something after a question with these buttons was answered in words."""
    before = ("a task for Glintly, Sara should do it",)
    deps = agency.run(request=said)
    return replace(deps, calling="create_task", thread_texts=before, offered=(offered, ()))


async def test_an_answer_in_other_words_to_the_question_which_client_is_one_and_is_marked() -> None:
    agency = two_glintlys()
    mundo = choice("client", an_id("client Casa Mundo"), "Casa Mundo")
    deps = answering(agency, "the Mexican one", mundo)

    assert isinstance(await find_client(deps, "Casa Mundo"), FoundClient)
    [mark] = deps.picked
    assert (mark.origin, mark.quote, mark.whose) == ("offered", "Casa Mundo", "the Mexican one")
    assert mark.needs_press
    for said in ("The Mexican one I mean, of Glintly", "for Glintly in Mexico please"):
        told = answering(agency, said, mundo)
        assert isinstance(await find_client(told, "Casa Mundo"), FoundClient)
    # Not the name again that both have.
    assert await asks_which(answering(agency, "Glintly!", mundo), "Casa Mundo")
    # Neither what was not offered, nor what was before the last question, nor against their words.
    assert await asks_which(answering(agency, "the Mexican one", mundo), "Glintly Inc")
    older = replace(deps, offered=((), (mundo,)))
    assert await asks_which(older, "Casa Mundo")
    assert await asks_which(answering(agency, "no, Glintly Inc", mundo), "Casa Mundo")


async def test_an_answer_in_other_words_to_the_question_who_is_one_and_is_marked() -> None:
    agency = an_agency(["Pawtrail"])
    agency.directory.staff = [a_person("Sara Okafor"), a_person("Sara Lindqvist")]
    client = agency.directory.all_clients[0]
    deps = answering(agency, "the one in design", choice("person", an_id("Sara Okafor"), "Sara"))

    given = await find_assignee(deps, "Sara Okafor", client, None)
    assert given is not None
    assert not isinstance(given, Ask)
    assert [mark.field for mark in deps.picked] == ["Person"]
    sara = choice("person", an_id("Sara Okafor"), "Sara")
    said_again = answering(agency, "Sara from design", sara)
    assert not isinstance(await find_assignee(said_again, "Sara Okafor", client, None), Ask)
    bare = answering(agency, "Sara", sara)
    assert isinstance(await find_assignee(bare, "Sara Okafor", client, None), Ask)
    assert isinstance(await find_assignee(deps, "Sara Lindqvist", client, None), Ask)


@pytest.mark.parametrize(
    ("said", "is_held"),
    [
        ("the ppc specialist", True),
        ("PPC Spec", True),
        ("PPC Sp", False),
        ("whoever is PPC Specialist there", True),
        ("der ppc_specialist", True),
        ("the ppc specialist or the ppc strategist", False),
        ("Miguel, the ppc specialist", False),
        ("the specialist", False),
    ],
)
async def test_a_role_among_other_words_is_that_role_unless_more_is_named(
    said: str, is_held: bool
) -> None:
    agency = an_agency(["Glintly"])
    agency.directory.staff = [a_person("Miguel Duarte"), a_person("Sara Okafor")]
    slots = [a_slot("Sara Okafor", "PPC Specialist"), a_slot("Miguel Duarte", "PPC Strategist")]
    agency.directory.slots = {an_id("client Glintly"): slots}
    deps = replace(agency.run(), calling="create_task")
    found = await find_assignee(deps, said, agency.directory.all_clients[0], None)

    assert (isinstance(found, Assignee) and found.name == "Sara Okafor") is is_held


SARAS = ("Sara Lindqvist", "Sara Okafor")


def two_saras() -> Agency:
    agency = an_agency(["Pawtrail"])
    agency.directory.staff = [a_person(name) for name in SARAS]
    return agency


@pytest.mark.parametrize("said", ["Okafor", "Sara Okafor", "Sara O."])
async def test_an_answer_to_which_of_two_colleagues_settles_it_also_where_the_first_name_is_passed(
    said: str,
) -> None:
    agency = two_saras()
    client = agency.directory.all_clients[0]
    for texts in ((said,), (said, "due on Friday please")):
        deps = preparing(agency, "a task for Sara: order the samples", *texts)
        given = await find_assignee(deps, "Sara", client, None)
        assert isinstance(given, Assignee), texts
        assert given.name == "Sara Okafor"
        member = await find_member(deps, "Sara", "Who?")
        assert not isinstance(member, Ask)
        assert member.name == "Sara Okafor"


async def test_who_was_singled_out_in_another_thread_is_not_meant_in_this_one() -> None:
    agency = two_saras()
    client = agency.directory.all_clients[0]
    deps = replace(preparing(agency, "a task for Sara"), user_texts=("Sara Okafor",))

    assert isinstance(await find_assignee(deps, "Sara", client, None), Ask)
    assert isinstance(await find_assignee(deps, "Sara Okafor", client, None), Ask)


async def test_a_client_singled_out_in_another_thread_settles_nothing_in_this_one() -> None:
    elsewhere = Material(origin=Origin.TYPED, text="Glintly Inc", is_elsewhere=True)
    deps = replace(
        two_glintlys().run(request="task for Glintly: test new creatives"),
        calling="search_kb",
        user_texts=("Glintly Inc",),
        materials=(elsewhere,),
    )
    found = await find_client(deps, "Glintly")

    assert isinstance(found, FoundClient)
    assert deps.topic.in_thread == frozenset()
    assert await asks_which(replace(deps, calling="create_task"), "Glintly")


def sold_in(agency: Agency, **markets: tuple[str, ...]) -> Agency:
    agency.directory.all_brands = [
        one.model_copy(update={"marketplaces": markets[one.list_id or ""]})
        for one in agency.directory.all_brands
    ]
    return agency


@pytest.mark.parametrize(
    ("markets", "said", "client"),
    [
        ({"a": ("US", "CA"), "b": ("MX",)}, "in Mexico", "Casa Mundo"),
        ({"a": ("US", "MX"), "b": ("MX",)}, "in Mexico", None),
        # Where nothing is on record, it may be sold there, too.
        ({"a": (), "b": ("MX",)}, "in Mexico", None),
        ({"a": ("US", "CA"), "b": ("MX",)}, "soon", None),
    ],
)
async def test_a_marketplace_that_one_client_of_a_shared_name_has_tells_them_apart(
    markets: dict[str, tuple[str, ...]], said: str, client: str | None
) -> None:
    agency = sold_in(two_glintlys(), **markets)
    made = await create_task(
        context(preparing(agency, f"task for Glintly {said}: test new creatives, one a week")),
        client="Glintly",
        title="Test new creatives",
        objective="Test new creatives, one a week, and report on them",
        marketplace=Fact(value="MX", quote="in Mexico"),
    )

    if client is None:
        assert isinstance(made, Ask)
        return
    assert isinstance(made, CreateTask)
    assert made.client.name == client
    assert any("on record for MX" in one for one in made.remarks)


@pytest.mark.parametrize(
    "said", ["For Rodric: order the samples", "Order the samples, but not for Rodric Home"]
)
async def test_which_brand_a_sentence_means_is_never_read_by_code(said: str) -> None:
    agency = an_agency([])
    agency.directory.all_clients = [a_client("Roderick Ltd")]
    agency.directory.all_brands = [
        a_brand("Roderick Ltd", name, list_id=name) for name in ("Rodric", "Rodric Home")
    ]
    agency.board.lists = {"Rodric": [], "Rodric Home": []}
    made = await create_task(
        context(preparing(agency, said)),
        client="Roderick Ltd",
        title="Order the samples",
        objective="Order three boxes of samples for the photo shoot in spring",
    )

    assert isinstance(made, Ask)
    assert [one.label for one in made.options] == ["Rodric", "Rodric Home"]
