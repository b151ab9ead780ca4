"""What `agencyclaw doctor` reads: the database's version and rights, people, brands' places."""

from __future__ import annotations

from typing import NamedTuple

from agencyclaw.store.engine import Database, fetch_one

_SERVER = """
select current_setting('server_version') as version,
  has_table_privilege(current_user, 'agent_events', 'update, delete, truncate') as may_edit_audit
"""
_BRANDS = """
select b.name, c.name as client, b.clickup_space_id, b.clickup_list_id
from brands b join agency_clients c on c.id = b.client_id
where b.status = 'active'
  and coalesce(b.clickup_space_id, b.clickup_list_id) is not null order by 2, 1
"""
_PEOPLE = """
select full_name, clickup_user_id, slack_user_id from profiles
where coalesce(clickup_user_id, slack_user_id) is not null and employment_status <> 'inactive'
order by 1
"""


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
    """Return the brands that have a space or a list, by client and name."""
    return [MappedBrand(*row) for row in await db.pool.fetch(_BRANDS)]


async def linked_people(db: Database) -> list[LinkedPerson]:
    """Return the people at work who have an account somewhere, by name."""
    return [LinkedPerson(*row) for row in await db.pool.fetch(_PEOPLE)]
