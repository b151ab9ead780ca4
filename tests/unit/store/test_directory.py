"""Clients, brands and people as far as a person may see them."""

from uuid import uuid4

import pytest

from agencyclaw.domain.people import Actor, Tier
from agencyclaw.store.demo_agency import brand_id, client_id, person_id
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.tools import TOOLS

TEAM = "T0LANTERN"
ACTIVE = [
    "Brightkettle Group",
    "Casa Mundo",
    "Glintly Inc",
    "Hearthlane",
    "Northwater",
    "Pawtrail",
    "Roderick Ltd",
]


@pytest.fixture
def directory(agency: Database) -> DirectoryReader:
    return DirectoryReader(agency)


def actor(name: str, tier: Tier = Tier.MEMBER) -> Actor:
    return Actor(profile_id=person_id(name), name=name, tier=tier, slack_user_id="U")


async def names(directory: DirectoryReader, who: Actor) -> list[str]:
    return [client.name for client in await directory.clients(who)]


@pytest.mark.parametrize("tier", [Tier.ADMIN, Tier.SUPER_ADMIN])
async def test_an_admin_sees_every_active_client_by_name(
    directory: DirectoryReader, tier: Tier
) -> None:
    assert await names(directory, actor("Tomas Reed", tier)) == ACTIVE


@pytest.mark.parametrize(
    ("person", "clients"),
    [
        ("Yuki Tan", ["Hearthlane"]),
        (
            "Sara Lindqvist",
            ["Brightkettle Group", "Glintly Inc", "Northwater", "Pawtrail", "Roderick Ltd"],
        ),
        ("Miguel Duarte", ["Brightkettle Group", "Casa Mundo", "Glintly Inc", "Pawtrail"]),
    ],
)
async def test_a_member_sees_only_assigned_clients(
    directory: DirectoryReader, person: str, clients: list[str]
) -> None:
    assert await names(directory, actor(person)) == clients


@pytest.mark.parametrize("who", [actor("Paul Brandt", Tier.VIEWER), actor("Nobody Known")])
async def test_without_an_assignment_nothing_is_seen(
    directory: DirectoryReader, who: Actor
) -> None:
    assert await directory.clients(who) == []


async def test_an_archived_client_is_hidden_from_those_assigned_to_it(
    directory: DirectoryReader,
) -> None:
    assert await directory.clients(actor("Leo Ferri")) == []


async def test_a_slot_on_one_brand_shows_the_client(
    directory: DirectoryReader, agency: Database
) -> None:
    await agency.pool.execute(
        "update client_assignments set team_member_id = $1 where brand_id = $2",
        person_id("Paul Brandt"),
        brand_id("Pawtrail", "Pawtrail Pro"),
    )

    assert await names(directory, actor("Paul Brandt", Tier.VIEWER)) == ["Pawtrail"]


async def test_brands_of_other_clients_do_not_leak(directory: DirectoryReader) -> None:
    mine = [client.id for client in await directory.clients(actor("Yuki Tan"))]

    assert [brand.name for brand in await directory.brands(mine)] == [
        "Hearthlane",
        "Hearthlane Kids",
    ]
    assert await directory.brands([]) == []
    assert await directory.brands([uuid4()]) == []


async def test_brands_carry_their_mapping_as_it_is(directory: DirectoryReader) -> None:
    brands = await directory.brands([client_id("Hearthlane"), client_id("Northwater")])

    assert [(brand.name, brand.space_id, brand.list_id) for brand in brands] == [
        ("Hearthlane", "90100500004", None),
        ("Hearthlane Kids", None, "901005000051"),
        ("Northwater", None, None),
    ]


async def test_a_blank_mapping_is_no_mapping(directory: DirectoryReader, agency: Database) -> None:
    await agency.pool.execute("update brands set clickup_space_id = ' ', clickup_list_id = ''")

    brands = await directory.brands([client_id("Brightkettle Group")])

    assert not any(brand.is_mapped for brand in brands)


async def test_the_same_brand_name_under_two_clients_stays_two_brands(
    directory: DirectoryReader,
) -> None:
    brands = await directory.brands([client_id("Glintly Inc"), client_id("Casa Mundo")])

    assert [brand.name for brand in brands] == ["Glintly", "Glintly"]
    assert len({brand.id for brand in brands} | {brand.client_id for brand in brands}) == 4


async def test_assignments_name_people_and_roles_brand_slots_last(
    directory: DirectoryReader,
) -> None:
    slots = await directory.assignments([client_id("Glintly Inc")])

    assert [(slot.role_slug, slot.person, slot.brand_id is not None) for slot in slots] == [
        ("customer_success_lead", "Sara Lindqvist", False),
        ("ppc_strategist", "Miguel Duarte", False),
        ("report_specialist", "Hana Idris", False),
        ("strategy_director", "Ines Varga", False),
        ("ppc_strategist", "Sara Okafor", True),
    ]
    assert slots[0].role == "Customer Success Lead"


async def test_the_assignments_of_several_clients_are_read_together(
    directory: DirectoryReader,
) -> None:
    ids = [client_id("Glintly Inc"), client_id("Casa Mundo"), uuid4()]
    held = await directory.assignments(ids)

    for one in ids:
        theirs = [slot for slot in held if slot.client_id == one]
        assert theirs == await directory.assignments([one])
    assert {slot.client_id for slot in held} == set(ids[:2])


async def test_people_are_the_active_ones_with_the_clickup_ids_that_are_ids(
    directory: DirectoryReader,
) -> None:
    people = {person.name: person.clickup_user_id for person in await directory.people()}

    assert "Leo Ferri" not in people
    assert people["Yuki Tan"] is None
    assert people["Sara Okafor"] == "100004"
    assert list(people) == sorted(people)


@pytest.mark.parametrize("kept", ["abc", " ", "12.5", "-3", "١٢٣"])
async def test_a_clickup_id_that_is_no_whole_number_counts_as_none(
    directory: DirectoryReader, agency: Database, kept: str
) -> None:
    await agency.pool.execute("update profiles set clickup_user_id = $1", kept)

    assert {person.clickup_user_id for person in await directory.people()} == {None}


async def test_a_person_without_a_name_goes_by_the_address(
    directory: DirectoryReader, agency: Database
) -> None:
    await agency.pool.execute("update profiles set display_name = ' ', full_name = null")

    assert (await directory.people())[0].name == "hana.idris@lanternfish.example"


async def test_a_slack_id_names_one_profile(directory: DirectoryReader) -> None:
    [profile] = await directory.profiles_by_slack_id("U01PAUL")

    assert (profile.name, profile.role, profile.is_admin) == ("Paul Brandt", "viewer", False)
    assert (profile.timezone, profile.clickup_user_id) == ("Europe/Lisbon", "100007")


async def test_blanks_around_a_slack_id_belong_to_nobody(
    directory: DirectoryReader, agency: Database
) -> None:
    hana = person_id("Hana Idris")
    await agency.pool.execute(
        "update profiles set slack_user_id = ' U01HANA2 ' where id = $1", hana
    )
    [profile] = await directory.profiles_by_slack_id("U01HANA2")
    assert (profile.id, profile.slack_user_id) == (hana, "U01HANA2")

    await agency.pool.execute("update profiles set slack_user_id = ' ' where id = $1", hana)
    assert await directory.profiles_by_slack_id("") == []
    assert (
        await agency.pool.fetchval("select slack_user_id from profiles where id = $1", hana) is None
    )


async def test_a_slack_id_on_two_profiles_returns_both(
    directory: DirectoryReader, agency: Database
) -> None:
    await agency.pool.execute(
        "update profiles set slack_user_id = 'U01MIG' where id = $1", person_id("Hana Idris")
    )

    assert len(await directory.profiles_by_slack_id("U01MIG")) == 2


@pytest.mark.parametrize("slack_user_id", ["", "U404", "u01mig"])
async def test_an_unknown_slack_id_names_nobody(
    directory: DirectoryReader, slack_user_id: str
) -> None:
    assert await directory.profiles_by_slack_id(slack_user_id) == []


async def test_an_address_is_found_whatever_its_case(directory: DirectoryReader) -> None:
    profile = await directory.profile_by_email(" Sara.Okafor@Lanternfish.EXAMPLE ")

    assert profile is not None
    assert profile.id == person_id("Sara Okafor")
    assert await directory.profile_by_email("nobody@lanternfish.example") is None


async def test_channels_are_bound_or_unknown(directory: DirectoryReader) -> None:
    bright = client_id("Brightkettle Group")

    assert await directory.binding("T0LANTERN", "C01OPS") == ("internal", None, None)
    assert await directory.binding("T0LANTERN", "C01BRIGHT") == ("client_scoped", bright, None)
    assert await directory.binding("T0LANTERN", "C01RANDOM") is None
    assert await directory.binding("T0OTHER", "C01OPS") is None


async def test_a_binding_to_no_client_binds_nothing(
    directory: DirectoryReader, agency: Database
) -> None:
    await agency.pool.execute("update surface_bindings set client_id = null")

    assert await directory.binding("T0LANTERN", "C01BRIGHT") is None


async def test_the_tools_that_are_built_are_offered(directory: DirectoryReader) -> None:
    assert (await directory.switches(TEAM)).enabled == set(TOOLS)


async def test_a_tool_switched_off_is_not_offered(
    directory: DirectoryReader, agency: Database
) -> None:
    await agency.pool.execute(
        "update skill_catalog set enabled = false where tool_name = 'create_task'"
    )

    assert "create_task" not in (await directory.switches(TEAM)).enabled


async def test_a_tool_not_built_is_not_offered_even_if_switched_on(
    directory: DirectoryReader, agency: Database
) -> None:
    await agency.pool.execute("update skill_catalog set enabled = true")

    assert "meeting_parser" not in (await directory.switches(TEAM)).enabled


async def test_what_changes_about_clients_and_brands_is_seen_at_the_next_look(
    directory: DirectoryReader, agency: Database
) -> None:
    ines, casa = actor("Ines Varga", Tier.ADMIN), client_id("Casa Mundo")
    assert "Casa Mundo" in await names(directory, ines)
    [brand, *_] = await directory.brands([casa])
    for change in (
        "update agency_clients set name = 'Casa Nueva' where name = 'Casa Mundo'",
        f"update brands set name = 'Terra' where id = '{brand.id}'",
        "update brands set clickup_space_id = 's1', clickup_list_id = 'l1'"
        f" where id = '{brand.id}'",
        "insert into clickup_space_registry (space_id, team_id, name, classification, active)"
        " values ('s1', 't1', 'Shared', 'shared_service', true)",
    ):
        await agency.pool.execute(change)
    assert "Casa Nueva" in await names(directory, ines)
    changed = next(one for one in await directory.brands([casa]) if one.id == brand.id)
    assert (changed.name, changed.list_id, changed.is_routable) == ("Terra", "l1", False)


async def test_what_is_not_committed_is_not_seen_and_what_is_rolled_back_never_was(
    directory: DirectoryReader, agency: Database
) -> None:
    ines = actor("Ines Varga", Tier.ADMIN)
    conn = await agency.connect()
    change = conn.transaction()
    await change.start()
    await conn.execute("update agency_clients set name = 'Nowhere' where name = 'Casa Mundo'")
    assert await names(directory, ines) == ACTIVE
    await change.rollback()
    await conn.close()
    assert await names(directory, ines) == ACTIVE
