"""Who holds which role where, what is open, and for whom the answer speaks."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest

from agencyclaw.domain.clients import Assignment
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Override
from agencyclaw.tools.results import Ask
from agencyclaw.tools.role_reports import (
    AssignmentMatrix,
    cc_assignment_matrix,
    cc_role_capacity_snapshot,
    cc_role_lookup,
)
from tests.fakes.ports import (
    Agency,
    FakeDirectory,
    a_client,
    a_person,
    a_slot,
    an_id,
    context,
    demo_agency,
)

SPECIALIST, STRATEGIST = "PPC Specialist", "PPC Strategist"


async def matrix(agency: Agency, client: str | None = None) -> AssignmentMatrix:
    found = await cc_assignment_matrix(context(agency.run()), client)
    assert not isinstance(found, Ask)
    return found


async def test_a_role_is_found_by_its_short_name_and_all_are_named_otherwise() -> None:
    deps = context(demo_agency().run())
    one = await cc_role_lookup(deps, "csl")
    unknown = await cc_role_lookup(deps, "astronaut")

    assert [role.role for role in one.roles] == ["Customer Success Lead"]
    assert [role.slug for role in one.roles] == ["customer_success_lead"]
    assert len(unknown.roles) > 1
    assert "There is no role of that name" in unknown.note


async def test_a_brand_has_a_row_of_its_own_where_it_has_slots() -> None:
    found = await matrix(demo_agency(), "Glintly Inc")

    whole, brand = found.rows
    assert (whole.brand, whole.held) == ("whole client", {SPECIALIST: "Miguel Duarte"})
    assert (brand.brand, brand.held) == ("Glintly", {STRATEGIST: "Sara Okafor"})
    assert STRATEGIST in whole.open
    assert SPECIALIST not in whole.open


async def test_a_brand_alone_is_shown_below_its_client_even_without_slots_of_its_own() -> None:
    agency = demo_agency()
    found = await cc_assignment_matrix(context(agency.run()), brand="Glintly")
    assert not isinstance(found, Ask)
    assert [(row.client, row.brand) for row in found.rows] == [
        ("Glintly Inc", "whole client"),
        ("Glintly Inc", "Glintly"),
    ]
    assert found.reach == ""

    other = agency.directory.all_brands[-1]
    bare = await cc_assignment_matrix(context(agency.run()), brand=other.name)
    assert not isinstance(bare, Ask)
    assert (bare.rows[-1].brand, bare.rows[-1].held) == (other.name, {})


async def test_a_table_of_all_clients_goes_on_where_it_is_long() -> None:
    agency = demo_agency()
    found = await matrix(agency)

    assert found.total == len(agency.directory.all_clients) + 1
    assert len(found.rows) == found.total


async def test_the_load_counts_slots_and_names_who_has_none() -> None:
    load = await cc_role_capacity_snapshot(context(demo_agency().run()), SPECIALIST)

    [role] = load.roles
    assert role.slots_by_person == {"Miguel Duarte": 1}
    assert "Glintly Inc" not in role.open_at
    assert "Pawtrail" in role.open_at
    assert "Ines Varga" in load.without_slots
    assert "Sara Okafor" not in load.without_slots
    assert "whole work" not in load.note


async def test_who_sees_a_part_of_the_clients_is_not_told_who_is_free() -> None:
    agency = demo_agency()
    agency.directory.visible = {"Pawtrail"}
    load = await cc_role_capacity_snapshot(context(agency.run(tier=Tier.MEMBER)), SPECIALIST)

    assert load.without_slots == ()
    assert load.roles[0].open_at == ("Pawtrail",)
    assert load.reach
    assert "so it does not measure anybody's whole work" in load.note


async def test_who_has_slots_only_where_this_is_restricted_is_not_called_free() -> None:
    closed = Override(
        tool="cc_role_capacity_snapshot",
        scope="client",
        scope_id=str(a_client("Glintly Inc").id),
        enabled=False,
    )
    deps = replace(demo_agency().run(overrides=(closed,)), calling=closed.tool)
    load = await cc_role_capacity_snapshot(context(deps), SPECIALIST)

    assert load.roles[0].slots_by_person == {}
    assert load.without_slots == ()
    assert load.reach == "Clients for which admins restrict this were not looked at."


async def test_names_beyond_the_first_are_counted() -> None:
    agency = demo_agency()
    agency.directory.all_clients = [a_client(f"Client {at:02}") for at in range(43)]
    agency.directory.staff = [a_person(f"Person {at:02}", None) for at in range(45)]
    load = await cc_role_capacity_snapshot(context(agency.run()), SPECIALIST)

    [role] = load.roles
    assert role.open_at[39:] == ("Client 39", "and 3 more")
    assert load.without_slots[39:] == ("Person 39", "and 5 more")


async def test_two_people_of_one_name_are_two() -> None:
    agency = demo_agency()
    twin = a_person("Miguel Duarte", None).model_copy(
        update={"profile_id": an_id("the other Miguel"), "email": "md@lanternfish.example"}
    )
    agency.directory.staff.append(twin)
    theirs = a_slot("Miguel Duarte", SPECIALIST).model_copy(update={"profile_id": twin.profile_id})
    agency.directory.slots[a_client("Pawtrail").id] = [theirs]
    load = await cc_role_capacity_snapshot(context(agency.run()), SPECIALIST)

    counted = load.roles[0].slots_by_person
    assert list(counted.values()) == [1, 1]
    assert "Miguel Duarte (md@lanternfish.example)" in counted
    shown = (await matrix(agency, "Pawtrail")).rows[0].held
    assert shown == {SPECIALIST: "Miguel Duarte (md@lanternfish.example)"}


class Counting(FakeDirectory):
    """Counts the reads of slots."""

    reads = 0

    async def assignments(self, client_ids: list[UUID]) -> list[Assignment]:
        self.reads += 1
        return await super().assignments(client_ids)


async def test_the_slots_of_all_clients_are_read_at_once() -> None:
    agency = demo_agency()
    known = agency.directory
    counting = Counting(known.all_clients, known.all_brands, known.slots, known.staff)
    agency.directory = counting
    await matrix(agency)
    await cc_role_capacity_snapshot(context(agency.run()))

    assert counting.reads == 2


async def test_the_load_of_an_unknown_role_is_refused_with_those_there_are() -> None:
    with pytest.raises(NotFound) as refused:
        await cc_role_capacity_snapshot(context(demo_agency().run()), "astronaut")
    assert SPECIALIST in refused.value.message
