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


async def test_blanks_around_a_clickup_id_are_no_part_of_it(agency: Database) -> None:
    blanks = "update profiles set clickup_user_id = ' 4711 ' where slack_user_id = 'U01INES'"
    await agency.pool.execute(blanks)

    assert "4711" in {person.clickup_user_id for person in await linked_people(agency)}
    new = AddPerson(email="new@lanternfish.example", after=PersonFacts(name="New", clickup="4711"))
    async with agency.transaction() as conn:
        refused = await PersonRecord(conn, new).write(None, a_proposal())
    assert isinstance(refused, NotWritten)
    assert refused.reason == "account_taken"
