"""Changes of roles at the same time as changes of people and of their other roles."""

from __future__ import annotations

import asyncio
from uuid import UUID

from agencyclaw.domain.assignments import AssignPerson, RemoveAssignment, SlotChange
from agencyclaw.domain.clients import Named
from agencyclaw.domain.roles import Role
from agencyclaw.domain.team import ArchivePerson
from agencyclaw.store.assignments import SlotRecord
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.people import archive
from tests.fakes.slack_store import a_proposal

YUKI = Named(id=person_id("Yuki Tan"), name="Yuki Tan")
GLINTLY = Named(id=client_id("Glintly Inc"), name="Glintly Inc")
PAWTRAIL = Named(id=client_id("Pawtrail"), name="Pawtrail")
_WAITS = """
select exists (select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock')
"""
_ROLES = "select count(*) from client_assignments where team_member_id = $1"
_OF_PERSON = "select employment_status, bench_status from profiles where id = $1"
_ROLE = "select slug, name from agency_roles order by slug limit 1"


async def write(db: Database, effect: SlotChange) -> str | None:
    """Change a role in a transaction of its own."""
    async with db.transaction() as conn:
        row = SlotRecord(conn, effect)
        return await row.write(await row.read(), a_proposal())


async def waits(db: Database) -> None:
    """Return once a transaction waits for another."""
    async with asyncio.timeout(20):
        while not await db.pool.fetchval(_WAITS):  # noqa: ASYNC110  (nobody tells)
            await asyncio.sleep(0.01)


async def role_of_nobody(db: Database) -> Role:
    """Return a role that is open at both clients, after Yuki was taken off all of theirs."""
    await db.pool.execute("delete from client_assignments where team_member_id = $1", YUKI.id)
    row = await db.pool.fetchrow(_ROLE)
    assert row
    await db.pool.execute(
        "delete from client_assignments where client_id = any($1) and brand_id is null",
        [GLINTLY.id, PAWTRAIL.id],
    )
    return Role(slug=row["slug"], name=row["name"])


async def standing(db: Database, profile_id: UUID) -> tuple[str, str, int]:
    """Return whether somebody is employed, whether they are available, and how many roles."""
    row = await db.pool.fetchrow(_OF_PERSON, profile_id)
    assert row
    return *row.values(), await db.pool.fetchval(_ROLES, profile_id)


async def test_who_is_being_archived_gets_no_role(agency: Database) -> None:
    role = await role_of_nobody(agency)
    async with agency.transaction() as conn:
        assert await archive(conn, ArchivePerson(person=YUKI), a_proposal()) is None
        assigning = asyncio.create_task(
            write(agency, AssignPerson(client=GLINTLY, role=role, person=YUKI))
        )
        await waits(agency)

    assert await assigning is None
    assert await standing(agency, YUKI.id) == ("inactive", "available", 0)


async def test_a_role_given_while_another_is_taken_counts(agency: Database) -> None:
    role = await role_of_nobody(agency)
    given, taken = (
        AssignPerson(client=client, role=role, person=YUKI) for client in (GLINTLY, PAWTRAIL)
    )
    assert await write(agency, taken)
    async with agency.transaction() as conn:
        row = SlotRecord(conn, given)
        assert await row.write(await row.read(), a_proposal())
        removing = asyncio.create_task(
            write(agency, RemoveAssignment(client=PAWTRAIL, role=role, person=YUKI))
        )
        await waits(agency)

    assert await removing
    assert (await standing(agency, YUKI.id))[1:] == ("assigned", 1)


async def test_of_two_who_are_given_an_open_role_at_once_the_second_finds_it_held(
    agency: Database,
) -> None:
    role = await role_of_nobody(agency)
    effect = AssignPerson(client=GLINTLY, role=role, person=YUKI)

    async def held() -> Named | None:
        async with agency.transaction() as conn:
            return await SlotRecord(conn, effect).read()

    async with agency.transaction() as conn:
        row = SlotRecord(conn, effect)
        assert await row.write(await row.read(), a_proposal())
        reading = asyncio.create_task(held())
        await waits(agency)

    assert await reading == YUKI
