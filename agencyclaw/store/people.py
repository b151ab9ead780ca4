"""Profiles of people, changed inside the caller's transaction."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.clients import Named, Person
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.records import NotWritten
from agencyclaw.domain.roles import Role
from agencyclaw.domain.team import (
    ArchiveAdmin,
    Archiving,
    BringBack,
    HeldSlot,
    PersonChange,
    PersonFacts,
    TeamMember,
    account_taken,
    last_admin,
    yourself,
)
from agencyclaw.store.assignments import SlotKey, fill_slot, holder_of, update_benches
from agencyclaw.store.engine import Connection, Executor, Record
from agencyclaw.store.people_lock import lock_people
from agencyclaw.store.person_names import DISPLAY_NAME, FULL_NAME

# A ClickUp id is a number; ClickUp would refuse anything else.
CLICKUP_ID = r"substring(clickup_user_id from '^\s*([0-9]+)\s*$') as clickup_user_id"
PEOPLE = f"""
select id as profile_id, {FULL_NAME} as name, {DISPLAY_NAME} as display_name, email, is_admin,
  slack_user_id, {CLICKUP_ID},
  nullif(trim(display_name), '') as called,
  case when is_admin then 'admin' when role = 'viewer' then 'viewer' else 'member' end as access,
  employment_status as employment, slack_user_id as slack,
  nullif(trim(clickup_user_id), '') as clickup, timezone
from profiles p
"""  # noqa: S608
PEOPLE_AT_WORK = PEOPLE + "where employment_status <> 'inactive'"
_BY_EMAIL = PEOPLE + "where lower(email) = lower($1)"
_BY_ID = PEOPLE + "where id = $1"
_TAKEN = f"""
select {FULL_NAME} as name, slack_user_id = $2 as is_slack
from profiles p
where lower(email) <> lower($1) and (slack_user_id = $2 or trim(clickup_user_id) = $3)
limit 1
"""  # noqa: S608
_HAS_OTHER_ADMIN = """
select exists (
  select from profiles where is_admin and employment_status <> 'inactive' and id <> $1
)
"""
_WRITE = """
insert into profiles (email, full_name, display_name, is_admin, role, employment_status,
  slack_user_id, clickup_user_id, timezone)
values (trim($1), $2, $3, $4 = 'admin', $4, $5, $6, $7, $8)
on conflict (lower(email)) do update set full_name = $2, display_name = $3,
  is_admin = $4 = 'admin', role = $4, employment_status = $5, slack_user_id = $6,
  clickup_user_id = $7, timezone = $8, updated_at = now()
returning id
"""
_SET_EMPLOYMENT = """
update profiles set employment_status = $2, updated_at = now() where id = $1
"""
_SLOTS = """
select a.id, c.id as client_id, c.name as client, b.id as brand_id, b.name as brand,
  r.slug, r.name as role
from client_assignments a join agency_clients c on c.id = a.client_id
left join brands b on b.id = a.brand_id join agency_roles r on r.id = a.role_id
where a.team_member_id = $1 order by c.name, b.name nulls first, r.slug
"""
_HAND_OVER = """
update client_assignments set team_member_id = $2, assigned_by = $3, assigned_at = now()
where team_member_id = $1
"""
_LEAVE_OPEN = "delete from client_assignments where team_member_id = $1"


def person_of(row: Record, super_admins: frozenset[UUID] = frozenset()) -> TeamMember:
    """Return the person in a row of `PEOPLE`."""
    fields = {name: row[name] for name in Person.model_fields}
    is_super = row["profile_id"] in super_admins
    return TeamMember(**fields, facts=facts_of(row), is_super=is_super)


def facts_of(row: Record) -> PersonFacts:
    """Return what is recorded of a person in a row of `PEOPLE`."""
    return PersonFacts(**{name: row[name] for name in PersonFacts.model_fields})


async def slots_of(conn: Executor, profile_id: UUID) -> tuple[HeldSlot, ...]:
    """Return the roles that a person holds."""
    return tuple(_slot(row) for row in await conn.fetch(_SLOTS, profile_id))


def _slot(row: Record) -> HeldSlot:
    return HeldSlot(
        client=Named(id=row["client_id"], name=row["client"]),
        brand=Named(id=row["brand_id"], name=row["brand"]) if row["brand_id"] else None,
        role=Role(slug=row["slug"], name=row["role"]),
    )


class PersonRecord:
    """A person's profile; reading it lets nobody else change people until the transaction ends."""

    def __init__(self, conn: Connection, effect: PersonChange) -> None:
        self._conn, self._effect = conn, effect
        self._id: UUID | None = None

    async def read(self) -> PersonFacts | None:
        """Return what is recorded; None if there is no such person."""
        await lock_people(self._conn)
        row = await self._conn.fetchrow(_BY_EMAIL, self._effect.email)
        self._id = row["profile_id"] if row else None
        return facts_of(row) if row else None

    async def write(self, now: PersonFacts | None, proposal: Proposal) -> str | NotWritten | None:
        """Write the profile, unless an account is taken or no admin would remain."""
        after = self._effect.becomes
        if after is None:
            return None
        if refusal := await self._refusal(now, after, proposal):
            return refusal
        values = (after.access, after.employment, after.slack, after.clickup)
        zone = after.timezone or "UTC"
        email = self._effect.email
        row_id = await self._conn.fetchval(_WRITE, email, after.name, after.called, *values, zone)
        return str(row_id)

    async def _refusal(
        self, now: PersonFacts | None, after: PersonFacts, proposal: Proposal
    ) -> NotWritten | None:
        taken = await self._conn.fetchrow(_TAKEN, self._effect.email, after.slack, after.clickup)
        if taken:
            account = after.slack if taken["is_slack"] else after.clickup
            return account_taken(account or "", taken["name"])
        if now and self._id and now.is_admin_at_work and not after.is_admin_at_work:
            return await _rights_refusal(self._conn, self._id, after.name, proposal)
        return None


async def _rights_refusal(
    conn: Connection, profile_id: UUID, name: str, proposal: Proposal
) -> NotWritten | None:
    """Return why an admin can't lose their rights: by themselves, or as the last one."""
    if proposal.confirmed_by == profile_id:
        return yourself(name)
    if not await conn.fetchval(_HAS_OTHER_ADMIN, profile_id):
        return last_admin(name)
    return None


async def archive(conn: Connection, effect: Archiving, proposal: Proposal) -> NotWritten | None:
    """Archive a person and hand over their roles; returns why not, having written nothing."""
    await lock_people(conn)
    person, successor = effect.person, effect.successor
    facts = await _read(conn, person.id)
    slots = await slots_of(conn, person.id)
    if facts is None or facts.employment == "inactive" or slots != effect.slots:
        return effect.changed_since()
    if person.id == proposal.confirmed_by:
        return yourself(person.name)
    if facts.is_admin_at_work and not isinstance(effect, ArchiveAdmin):
        return effect.changed_since()
    if facts.is_admin_at_work:
        refusal = await _rights_refusal(conn, person.id, person.name, proposal)
        if refusal:
            return refusal
    if successor:
        heir = await _read(conn, successor.id)
        if heir is None or heir.employment == "inactive":
            return effect.changed_since()
        await conn.execute(_HAND_OVER, person.id, successor.id, proposal.confirmed_by)
    else:
        await conn.execute(_LEAVE_OPEN, person.id)
    await conn.execute(_SET_EMPLOYMENT, person.id, "inactive")
    await update_benches(conn, [one.id for one in (person, successor) if one])
    return None


async def bring_back(conn: Connection, effect: BringBack, proposal: Proposal) -> NotWritten | None:
    """Undo an archiving; returns why not if a role is not as the archiving left it."""
    await lock_people(conn)
    person, successor = effect.person, effect.successor
    facts = await _read(conn, person.id)
    if facts is None or facts.employment != "inactive":
        return effect.changed_since()
    slots = [SlotKey.of(slot) for slot in effect.slots]
    holders = [await holder_of(conn, slot) for slot in slots]
    expected = successor and successor.id
    if any((holder and holder.id) != expected for holder in holders):
        return effect.changed_since()
    await conn.execute(_SET_EMPLOYMENT, person.id, effect.employment)
    for slot, holder in zip(slots, holders, strict=True):
        await fill_slot(conn, slot, holder, person, by=proposal.confirmed_by)
    await update_benches(conn, [one.id for one in (person, successor) if one])
    return None


async def _read(conn: Connection, profile_id: UUID) -> PersonFacts | None:
    row = await conn.fetchrow(_BY_ID, profile_id)
    return facts_of(row) if row else None
