"""Reads people, clients and brands, as far as the person who asks may see them.

Hot path: every message reads its person and channel, and whom it names.
"""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.channel_links import ChannelOwner
from agencyclaw.domain.clients import (
    Assignment,
    Brand,
    Client,
    Person,
    SpaceClassification,
    SpaceRecord,
)
from agencyclaw.domain.kpi import Goals, StoredTarget
from agencyclaw.domain.kpi_results import Results, StoredResult
from agencyclaw.domain.people import Actor, ChannelScope, ProfileFacts, Tier
from agencyclaw.domain.policy import Switches
from agencyclaw.domain.records import HeldFields, RecordT, SetRecord, StoredRecord
from agencyclaw.domain.roles import Role
from agencyclaw.domain.team import HeldSlot, TeamMember
from agencyclaw.domain.text import folded
from agencyclaw.store.bindings import read_binding
from agencyclaw.store.directory_cache import CLIENT, DirectoryCache, brands_of
from agencyclaw.store.engine import Connection, Database, Record, fetch_one, raises_records_away
from agencyclaw.store.people import CLICKUP_ID, PEOPLE, PEOPLE_AT_WORK, person_of, slots_of
from agencyclaw.store.person_names import DISPLAY_NAME, FULL_NAME
from agencyclaw.store.record_lists import read_records
from agencyclaw.store.switches import read_switches
from agencyclaw.store.table_rows import TableRow

_PROFILE = f"""
select id, {DISPLAY_NAME} as name, email, role, is_admin, employment_status, slack_user_id,
  timezone, {CLICKUP_ID}
from profiles p
"""  # noqa: S608
_BY_SLACK_ID = _PROFILE + "where slack_user_id = $1 order by id"
_BY_ID = _PROFILE + "where id = $1"
_BY_EMAIL = _PROFILE + "where lower(email) = lower(trim($1))"
_ARCHIVED_IN_CLICKUP = f"""
select {DISPLAY_NAME} as name from profiles p
where clickup_user_id = any($1) and employment_status = 'inactive'
"""  # noqa: S608

_ASSIGNMENTS = f"""
select a.client_id, a.team_member_id as profile_id, a.brand_id, r.slug as role_slug, r.name as role,
  {DISPLAY_NAME} as person
from client_assignments a
join profiles p on p.id = a.team_member_id
join agency_roles r on r.id = a.role_id
left join brands b on b.id = a.brand_id
where a.client_id = any($1::uuid[]) and (a.brand_id is null or b.status = 'active')
order by a.brand_id nulls first, r.slug
"""  # noqa: S608

_SPACE = """
select case when active then classification else 'inactive' end
from clickup_space_registry where space_id = $1
"""

_FORMER_CLIENTS = CLIENT + "where status <> 'active' order by lower(name)"

_SPACES = """
select space_id as id, name,
  case when active then classification else 'inactive' end as classification
from clickup_space_registry order by lower(name), space_id
"""

# Without an assignment a person sees no client: an empty list never means “all”.
_REACH = """
select stamp, array(
  select client_id from client_assignments where team_member_id = $1
) as own from directory_stamp
"""

_OWNERS = """
select id, name, status from agency_clients
where id in (select client_id from brands where id = any($1::uuid[])) order by id
"""
_TARGETS = """
select * from brand_market_kpi_targets where active and brand_id = any($1::uuid[])
order by brand_id, marketplace_code, period_granularity, period_start
"""
_RESULTS = f"""
select r.*, coalesce({FULL_NAME}, '') as brought_by
from brand_market_kpi_results r left join profiles p on p.id = r.updated_by
where r.active and r.brand_id = any($1::uuid[])
order by r.brand_id, r.marketplace, r.period, r.start, r.source
"""  # noqa: S608


async def clients_and_brands(
    conn: Connection, brand_ids: list[UUID]
) -> tuple[list[Client], list[Brand]]:
    """Return the clients of these brands and all their brands in use, in one transaction."""
    clients = [Client(**row) for row in await conn.fetch(_OWNERS, brand_ids)]
    brands = await brands_of(conn, [client.id for client in clients])
    return clients, [brand for brand in brands if brand.status == "active"]


_UNKNOWN_WRITERS = """
select r.slack_user_id from slack_event_receipts r
where r.team_id = $1 and r.reason = 'unlinked_actor' and r.received_at > now() - interval '14 days'
  and not exists (select from profiles p where p.slack_user_id = r.slack_user_id)
  and not exists (select from separate_accounts a
    where a.active and a.account = r.slack_user_id and a.not_of is null)
group by r.slack_user_id order by max(r.id) desc limit $2
"""
_HAS_WRITTEN = """
select exists (
  select from slack_event_receipts
  where team_id = $1 and slack_user_id = $2 and event_type = 'message'
)
"""


# An answer that went to their direct messages is counted there.
_WAS_ANSWERED = """
select exists (
  select from agent_runs
  where actor_profile_id = $1 and id <> $2 and status = 'completed'
    and output_payload ? 'text' and not output_payload ? 'answered'
)
"""


class DirectoryReader:
    """Reads the agency's own records, one statement for each.

    Clients and brands are cached until one of them changes. `super_admins` are those of the
    settings.
    """

    def __init__(self, db: Database, super_admins: frozenset[UUID] = frozenset()) -> None:
        self._db = db
        self._super_admins = super_admins
        self._cache = DirectoryCache(db)

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see, sorted by name; admins see all."""
        if actor.tier < Tier.ADMIN:
            return await self.own_clients(actor.profile_id)
        return [*(await self._cache.read()).clients]

    async def former_clients(self) -> list[Client]:
        """Return the clients that are not active, sorted by name; for admins only."""
        rows = await self._db.pool.fetch(_FORMER_CLIENTS)
        return [Client(**row) for row in rows]

    async def own_clients(self, profile_id: UUID) -> list[Client]:
        """Return the active clients a person is assigned to, sorted by name."""
        row = await fetch_one(self._db.pool, _REACH, profile_id)
        snapshot, own = await self._cache.as_of(row["stamp"]), set(row["own"])
        return [client for client in snapshot.clients if client.id in own]

    async def brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the brands of the given clients that are not archived, sorted by name."""
        return [one for one in await self._brands_of(client_ids) if one.status == "active"]

    async def former_brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the archived brands of the given clients, sorted by name; for admins only."""
        return [one for one in await self._brands_of(client_ids) if one.status != "active"]

    async def _brands_of(self, client_ids: list[UUID]) -> list[Brand]:
        snapshot, whose = await self._cache.read(), set(client_ids)
        return [brand for brand in snapshot.brands if brand.client_id in whose]

    async def brands_in_use(self) -> list[Brand]:
        """Return the brands in use of all active clients, whoever asks: never to be shown."""
        snapshot = await self._cache.read()
        active = {client.id for client in snapshot.clients}
        return [
            one for one in snapshot.brands if one.status == "active" and one.client_id in active
        ]

    async def all_brands(self) -> list[Brand]:
        """Return all brands, whoever asks: to tell whose a list is, never to be shown.

        An archived brand's list is its client's still.
        """
        return [*(await self._cache.read()).brands]

    @raises_records_away
    async def assignments(self, client_ids: list[UUID]) -> list[Assignment]:
        """Return who holds which role for clients, and for their brands that are not archived."""
        rows = await self._db.pool.fetch(_ASSIGNMENTS, client_ids)
        return [Assignment(**row) for row in rows]

    async def roles(self) -> list[Role]:
        """Return the agency's role slots, sorted by name."""
        rows = await self._db.pool.fetch("select slug, name from agency_roles order by name, slug")
        return [Role(**row) for row in rows]

    async def spaces(self) -> list[SpaceRecord]:
        """Return the ClickUp spaces the agency has registered, sorted by name."""
        return [SpaceRecord(**row) for row in await self._db.pool.fetch(_SPACES)]

    @raises_records_away
    async def targets(self, brand_ids: list[UUID]) -> list[StoredTarget]:
        """Return the active targets of brands, of all periods."""
        rows = await self._db.pool.fetch(_TARGETS, brand_ids)
        return [_target(row) for row in rows]

    @raises_records_away
    async def results(self, brand_ids: list[UUID]) -> list[StoredResult]:
        """Return what sources say that brands reached, in all periods."""
        rows = await self._db.pool.fetch(_RESULTS, brand_ids)
        return [_result(row) for row in rows]

    async def record(self, change: SetRecord[HeldFields]) -> HeldFields | None:
        """Return what the record of a change holds now; None where there is none."""
        return await TableRow(self._db.pool, change).read(is_locked=False)

    async def records(
        self, kind: type[RecordT], client_ids: list[UUID]
    ) -> list[StoredRecord[RecordT]]:
        """Return the records of a kind by their key: of these clients, where they are of clients.

        Those of archived clients, brands and people are left out.
        """
        return await read_records(self._db, kind, await self._cache.read(), client_ids)

    async def people(self) -> list[Person]:
        """Return the active team members, sorted by name."""
        rows = await self._db.pool.fetch(PEOPLE_AT_WORK)
        return sorted((person_of(row) for row in rows), key=_by_name)

    async def archived_in_clickup(self, user_ids: list[str]) -> list[str]:
        """Return the names of archived people who have one of these ClickUp accounts."""
        return [row["name"] for row in await self._db.pool.fetch(_ARCHIVED_IN_CLICKUP, user_ids)]

    async def team(self) -> list[TeamMember]:
        """Return everybody with a profile, archived people included, sorted by name."""
        rows = await self._db.pool.fetch(PEOPLE)
        return sorted((person_of(row, self._super_admins) for row in rows), key=_by_name)

    async def slots_of(self, profile_id: UUID) -> tuple[HeldSlot, ...]:
        """Return the roles that a person holds."""
        return await slots_of(self._db.pool, profile_id)

    async def profiles_by_slack_id(self, slack_user_id: str) -> list[ProfileFacts]:
        """Return every profile with this Slack id; the caller decides what several mean."""
        rows = await self._db.pool.fetch(_BY_SLACK_ID, slack_user_id)
        return [ProfileFacts(**row) for row in rows]

    async def unknown_writers(self, team_id: str, limit: int) -> list[str]:
        """Return the Slack accounts that wrote to us lately and may be of the team, the last first.

        They have no profile, and no admin said that they are nobody's.
        """
        rows = await self._db.pool.fetch(_UNKNOWN_WRITERS, team_id, limit)
        return [row["slack_user_id"] for row in rows]

    async def is_new(self, team_id: str, slack_user_id: str) -> bool:
        """Return whether somebody never wrote to us before."""
        return not await self._db.pool.fetchval(_HAS_WRITTEN, team_id, slack_user_id)

    async def was_answered(self, profile_id: UUID, *, apart_from: UUID) -> bool:
        """Return whether somebody got an answer before, other than of this run."""
        return await self._db.pool.fetchval(_WAS_ANSWERED, profile_id, apart_from)

    async def profile_by_id(self, profile_id: UUID) -> ProfileFacts | None:
        """Return the profile with this id."""
        row = await self._db.pool.fetchrow(_BY_ID, profile_id)
        return ProfileFacts(**row) if row else None

    async def profile_by_email(self, email: str) -> ProfileFacts | None:
        """Return the profile with this e-mail address, ignoring case."""
        row = await self._db.pool.fetchrow(_BY_EMAIL, email)
        return ProfileFacts(**row) if row else None

    async def channel_owner(self, team_id: str, channel_id: str) -> ChannelOwner | None:
        """Return whose a channel is, with names; None if nobody said so.

        A client's link without a client counts as none. A brand that was archived, or moved to
        another client, is left out.
        """
        binding = await read_binding(self._db, team_id, channel_id)
        return binding.owner if binding else None

    async def binding(self, team_id: str, channel_id: str) -> ChannelScope | None:
        """Return the same by ids."""
        owner = await self.channel_owner(team_id, channel_id)
        return owner.scope if owner else None

    async def space_classification(self, space_id: str) -> SpaceClassification | None:
        """Return what a ClickUp space is for; None if it is not registered."""
        value: str | None = await self._db.pool.fetchval(_SPACE, space_id)
        return SpaceClassification(value) if value else None

    async def switches(self, team_id: str) -> Switches:
        """Return which tools are enabled, and the admins' overrides for this workspace."""
        return await read_switches(self._db, team_id)


def _by_name(person: Person) -> tuple[str, str]:
    return (folded(person.name), str(person.profile_id))


def _target(row: Record) -> StoredTarget:
    return StoredTarget(
        brand_id=row["brand_id"],
        marketplace=row["marketplace_code"],
        period=row["period_granularity"],
        start=row["period_start"],
        goals=Goals(
            acos=row["acos_target_pct"],
            tacos=row["tacos_target_pct"],
            sales=row["sales_target"],
            currency=row["sales_currency"],
        ),
    )


def _result(row: Record) -> StoredResult:
    return StoredResult(
        brand_id=row["brand_id"],
        marketplace=row["marketplace"],
        period=row["period"],
        start=row["start"],
        source=row["source"],
        figures=Results(**{name: row[name] for name in Results.model_fields}),
        brought_by=row["brought_by"],
        brought_at=row["updated_at"],
    )
