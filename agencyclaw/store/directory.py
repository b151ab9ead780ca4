"""People, clients and brands, read as far as the person who asks may see them."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.clients import Assignment, Brand, Client, Person, SpaceRecord, SpaceStanding
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.people import Actor, ProfileFacts, Tier
from agencyclaw.domain.policy import Switches
from agencyclaw.domain.roles import Role
from agencyclaw.domain.text import folded
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.switches import read_switches
from agencyclaw.store.targets import active_targets

_PROFILE = """
select id, coalesce(nullif(trim(display_name), ''), nullif(trim(full_name), ''), email) as name,
  email, role, is_admin, employment_status, slack_user_id, clickup_user_id, timezone
from profiles
"""
_BY_SLACK_ID = _PROFILE + "where slack_user_id = $1 and slack_user_id <> '' order by id"
_BY_ID = _PROFILE + "where id = $1"
_BY_EMAIL = _PROFILE + "where lower(email) = lower(trim($1))"

# No assignment, no client: an empty list of one's own is never an open one.
_CLIENTS = """
select id, name, status from agency_clients c
where status = 'active' and ($2 or exists (
  select from client_assignments a where a.client_id = c.id and a.team_member_id = $1
))
"""

_BRANDS = """
select b.id, b.client_id, b.name, nullif(trim(b.clickup_space_id), '') as space_id,
  nullif(trim(b.clickup_list_id), '') as list_id, b.amazon_marketplaces, b.product_keywords,
  coalesce(s.classification = 'brand_scoped' and s.active, true) as is_routable
from brands b left join clickup_space_registry s on s.space_id = trim(b.clickup_space_id)
where b.client_id = any($1::uuid[])
"""

_ASSIGNMENTS = """
select a.team_member_id, a.brand_id, r.slug, r.name as role,
  coalesce(nullif(trim(p.display_name), ''), nullif(trim(p.full_name), ''), p.email) as person
from client_assignments a
join profiles p on p.id = a.team_member_id
join agency_roles r on r.id = a.role_id
where a.client_id = $1
order by a.brand_id nulls first, r.slug
"""

_PEOPLE = """
select id, coalesce(nullif(trim(full_name), ''), nullif(trim(display_name), ''), email) as name,
  coalesce(nullif(trim(display_name), ''), nullif(trim(full_name), ''), email) as display_name,
  email, clickup_user_id
from profiles where employment_status <> 'inactive'
"""

_BINDING = """
select scope, client_id from surface_bindings
where team_id = $1 and channel_id = $2 and (scope = 'internal' or client_id is not null)
"""

_SPACE = """
select case when active then classification else 'inactive' end
from clickup_space_registry where space_id = $1
"""


_SPACES = """
select space_id, name, case when active then classification else 'inactive' end as standing
from clickup_space_registry order by lower(name), space_id
"""

_OWNERS = """
select id, name, status from agency_clients
where id in (select client_id from brands where id = any($1::uuid[])) order by id
"""


async def clients_and_brands(
    conn: Connection, brand_ids: list[UUID]
) -> tuple[list[Client], list[Brand]]:
    """Return the clients of these brands and all the brands they have, in one transaction."""
    owners = await conn.fetch(_OWNERS, brand_ids)
    clients = [Client(id=row["id"], name=row["name"], status=row["status"]) for row in owners]
    rows = await conn.fetch(_BRANDS, [client.id for client in clients])
    return clients, [_brand(row) for row in rows]


class DirectoryReader:
    """The agency's own records; every method is one statement."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see, by name; admins see all."""
        sees_all = actor.tier >= Tier.ADMIN
        rows = await self._db.pool.fetch(_CLIENTS, actor.profile_id, sees_all)
        clients = [Client(id=row["id"], name=row["name"], status=row["status"]) for row in rows]
        return sorted(clients, key=_by_name)

    async def own_clients(self, profile_id: UUID) -> list[Client]:
        """Return the active clients that a person is assigned to, by name."""
        rows = await self._db.pool.fetch(_CLIENTS, profile_id, False)
        clients = [Client(id=row["id"], name=row["name"], status=row["status"]) for row in rows]
        return sorted(clients, key=_by_name)

    async def brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the brands of the given clients, by name."""
        rows = await self._db.pool.fetch(_BRANDS, client_ids)
        return sorted((_brand(row) for row in rows), key=_by_name)

    async def assignments(self, client_id: UUID) -> list[Assignment]:
        """Return who holds which role for a client, brand slots included."""
        rows = await self._db.pool.fetch(_ASSIGNMENTS, client_id)
        return [
            Assignment(
                profile_id=row["team_member_id"],
                person=row["person"],
                role_slug=row["slug"],
                role=row["role"],
                brand_id=row["brand_id"],
            )
            for row in rows
        ]

    async def roles(self) -> list[Role]:
        """Return the role slots the agency has, by name."""
        rows = await self._db.pool.fetch("select slug, name from agency_roles order by name, slug")
        return [Role(slug=row["slug"], name=row["name"]) for row in rows]

    async def spaces(self) -> list[SpaceRecord]:
        """Return the ClickUp spaces the agency knows, by name."""
        rows = await self._db.pool.fetch(_SPACES)
        return [
            SpaceRecord(
                id=row["space_id"], name=row["name"], standing=SpaceStanding(row["standing"])
            )
            for row in rows
        ]

    async def targets(self, brand_ids: list[UUID]) -> list[StoredTarget]:
        """Return the active targets of brands, whatever their period."""
        return await active_targets(self._db.pool, brand_ids)

    async def people(self) -> list[Person]:
        """Return the active team members, by name."""
        people = [_person(row) for row in await self._db.pool.fetch(_PEOPLE)]
        return sorted(people, key=lambda person: (folded(person.name), str(person.profile_id)))

    async def profiles_by_slack_id(self, slack_user_id: str) -> list[ProfileFacts]:
        """Return every profile that carries this Slack id; identity judges what several mean."""
        return [_profile(row) for row in await self._db.pool.fetch(_BY_SLACK_ID, slack_user_id)]

    async def profile_by_id(self, profile_id: UUID) -> ProfileFacts | None:
        """Return the profile with this id."""
        row = await self._db.pool.fetchrow(_BY_ID, profile_id)
        return _profile(row) if row else None

    async def profile_by_email(self, email: str) -> ProfileFacts | None:
        """Return the profile with this address, whatever its case."""
        row = await self._db.pool.fetchrow(_BY_EMAIL, email)
        return _profile(row) if row else None

    async def binding(self, team_id: str, channel_id: str) -> tuple[str, UUID | None] | None:
        """Return scope and client of a channel, or None when nobody bound it.

        A binding to a client that names none binds nothing.
        """
        row = await self._db.pool.fetchrow(_BINDING, team_id, channel_id)
        return (row["scope"], row["client_id"]) if row else None

    async def space_standing(self, space_id: str) -> SpaceStanding | None:
        """Return what a ClickUp space is for; None when the registry does not list it."""
        said: str | None = await self._db.pool.fetchval(_SPACE, space_id)
        return SpaceStanding(said) if said else None

    async def switches(self, team_id: str) -> Switches:
        """Return which tools are on, and what admins decided about them in this workspace."""
        return await read_switches(self._db, team_id)


def _by_name(thing: Client | Brand) -> tuple[str, str]:
    return (folded(thing.name), str(thing.id))


def _brand(row: Record) -> Brand:
    return Brand(
        id=row["id"],
        client_id=row["client_id"],
        name=row["name"],
        space_id=row["space_id"],
        list_id=row["list_id"],
        marketplaces=tuple(row["amazon_marketplaces"]),
        product_keywords=tuple(row["product_keywords"]),
        is_routable=row["is_routable"],
    )


def _person(row: Record) -> Person:
    return Person(
        profile_id=row["id"],
        name=row["name"],
        display_name=row["display_name"],
        email=row["email"],
        clickup_user_id=_clickup_id(row["clickup_user_id"]),
    )


def _profile(row: Record) -> ProfileFacts:
    return ProfileFacts(
        id=row["id"],
        name=row["name"],
        email=row["email"],
        role=row["role"],
        is_admin=row["is_admin"],
        employment_status=row["employment_status"],
        slack_user_id=row["slack_user_id"],
        clickup_user_id=_clickup_id(row["clickup_user_id"]),
        timezone=row["timezone"],
    )


def _clickup_id(text: str | None) -> str | None:
    """ClickUp takes whole numbers only; anything else is as good as none."""
    stripped = (text or "").strip()
    return stripped if stripped.isascii() and stripped.isdigit() else None
