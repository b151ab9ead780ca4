"""What `agencyclaw doctor` reads: the database's version and rights, people, brands' places."""

from __future__ import annotations

from typing import NamedTuple

from agencyclaw.store.engine import Database, fetch_one
from agencyclaw.store.person_names import FULL_NAME

_SERVER = """
select current_setting('server_version') as version,
  has_table_privilege(current_user, 'agent_events', 'update, delete, truncate') as may_edit_audit
"""
_BRANDS = """
select b.name, c.name as client, space.id, list.id
from brands b join agency_clients c on c.id = b.client_id,
  nullif(trim(b.clickup_space_id), '') as space(id), nullif(trim(b.clickup_list_id), '') as list(id)
where b.status = 'active' and c.status <> 'archived' and coalesce(space.id, list.id) is not null
order by 2, 1
"""
_PEOPLE = f"""
select {FULL_NAME}, nullif(trim(clickup_user_id), ''), slack_user_id from profiles p
where coalesce(clickup_user_id, slack_user_id) is not null and employment_status <> 'inactive'
order by 1
"""  # noqa: S608


class DatabaseServer(NamedTuple):
    """The Postgres server, and whether our role could change the audit."""

    version: str
    may_edit_audit: bool


class MappedBrand(NamedTuple):
    """A brand with its place in ClickUp."""

    name: str
    client: str
    clickup_space_id: str | None
    clickup_list_id: str | None


class LinkedPerson(NamedTuple):
    """A person at work with their accounts."""

    name: str
    clickup_user_id: str | None
    slack_user_id: str | None


async def read_server(db: Database) -> DatabaseServer:
    """Return the server's version and what our role may do."""
    return DatabaseServer(*await fetch_one(db.pool, _SERVER))


async def mapped_brands(db: Database) -> list[MappedBrand]:
    """Return the brands in use that have a space or a list, by client and name."""
    return [MappedBrand(*row) for row in await db.pool.fetch(_BRANDS)]


async def linked_people(db: Database) -> list[LinkedPerson]:
    """Return the people at work who have an account somewhere, by name."""
    return [LinkedPerson(*row) for row in await db.pool.fetch(_PEOPLE)]
