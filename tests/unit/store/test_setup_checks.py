"""What the doctor looks up, and who an account belongs to."""

from __future__ import annotations

from agencyclaw.domain.records import NotWritten
from agencyclaw.domain.team import AddPerson, PersonFacts
from agencyclaw.store.engine import Database
from agencyclaw.store.people import PersonRecord
from agencyclaw.store.setup_checks import linked_people, mapped_brands
from tests.fakes.slack_store import a_proposal


async def test_what_an_archived_clients_brands_lead_to_is_nobodys_concern(
    agency: Database,
) -> None:
    assert "Glintly Inc" in {brand.client for brand in await mapped_brands(agency)}

    archive = "update agency_clients set status = 'archived' where name = 'Glintly Inc'"
    await agency.pool.execute(archive)

    assert "Glintly Inc" not in {brand.client for brand in await mapped_brands(agency)}


async def test_a_brand_is_looked_up_by_its_ids_without_blanks_if_it_has_any(
    agency: Database,
) -> None:
    places = "update brands set clickup_space_id = ' 42 ', clickup_list_id = $1 where name = $2"
    await agency.pool.execute(places, " ", "Glintly")
    none = "update brands set clickup_space_id = ' ', clickup_list_id = '' where name = $1"
    await agency.pool.execute(none, "Copperleaf")

    found = {brand.name: brand for brand in await mapped_brands(agency)}
    assert (found["Glintly"].clickup_space_id, found["Glintly"].clickup_list_id) == ("42", None)
    assert "Copperleaf" not in found


async def test_blanks_around_a_clickup_id_are_no_part_of_it(agency: Database) -> None:
    blanks = "update profiles set clickup_user_id = ' 4711 ' where slack_user_id = 'U01INES'"
    await agency.pool.execute(blanks)

    assert "4711" in {person.clickup_user_id for person in await linked_people(agency)}
    new = AddPerson(email="new@lanternfish.example", after=PersonFacts(name="New", clickup="4711"))
    async with agency.transaction() as conn:
        refused = await PersonRecord(conn, new).write(None, a_proposal())
    assert isinstance(refused, NotWritten)
    assert refused.reason == "account_taken"
