"""Notes about clients and people's preferences: reads them, and changes them in a transaction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.background import BackgroundWork
from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.clients import Named
from agencyclaw.domain.effects import kinds_of
from agencyclaw.domain.memory import (
    THRESHOLD,
    ClientNote,
    ClientRecord,
    PastEvent,
    Preferences,
)
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.remembering import (
    ForgetNote,
    NoteChange,
    PreferenceChange,
    PreferenceValue,
    RememberNote,
)
from agencyclaw.domain.schedules import OwnedSchedule, StoredSchedule
from agencyclaw.domain.text import folded
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection, Database, fetch_one, raises_records_away
from agencyclaw.store.going_on import works_of
from agencyclaw.store.person_names import DISPLAY_NAME
from agencyclaw.store.proposals import readable
from agencyclaw.store.schedules import schedules_of, schedules_of_others

_NOTES = f"""
select n.id, n.client_id, c.name as client, n.note, n.source, n.confidence::float8 as confidence,
  n.created_at, coalesce({DISPLAY_NAME}, 'somebody who left') as author
from client_memory_notes n
join agency_clients c on c.id = n.client_id
left join profiles p on p.id = n.author_profile_id
where n.client_id = any($1::uuid[]) and n.archived_at is null and n.confidence >= $2
order by n.created_at desc, n.id
"""  # noqa: S608

_LATELY = """
select * from proposals
where arguments -> 'client' ->> 'id' = $1::text and state in ('done', 'failed', 'unclear')
  and settled_at is not null and arguments ->> 'kind' = any($3)
order by settled_at desc, id limit $2
"""

PREFERENCES_OF = """
select jsonb_build_object('kept', p.preferences, 'client_id', c.id, 'client', c.name)
from agencyclaw_user_preferences p
left join agency_clients c on c.id = p.default_client_id and c.status = 'active'
where p.profile_id = {person}
"""
_PREFERENCES = PREFERENCES_OF.format(person="$1")

PREFERENCES_AT_MOST = 20

_KEEP = """
insert into client_memory_notes (client_id, author_profile_id, proposal_id, source, note,
  confidence)
values ($1, $2, $3, $4, $5, $6::float8::numeric(3, 2))
returning id
"""
_ARCHIVE = """
update client_memory_notes set archived_at = now() where id = $1 returning id
"""
_RESTORE = """
update client_memory_notes set archived_at = null
where id = $1 and archived_at is not null returning id
"""
_NOTE = """
select note from client_memory_notes
where id = $1 and client_id = $2 and archived_at is null for update
"""
_EVERY_NOTE = "select note from client_memory_notes where client_id = $1 and archived_at is null"
_BEGIN = """
insert into agencyclaw_user_preferences (profile_id) values ($1) on conflict do nothing
"""
_HOLD = """
select preferences, default_client_id as client_id,
  (select name from agency_clients where id = default_client_id) as client
from agencyclaw_user_preferences where profile_id = $1 for update
"""
_WRITE = """
update agencyclaw_user_preferences set preferences = $2, updated_at = now(),
  default_client_id = case when $3 then $4::uuid else default_client_id end
where profile_id = $1
"""

_EVENTS_READ = 20
# A person's default client concerns nobody else.
_OF_CLIENTS = kinds_of(ClientChange)
_OUTCOMES = {
    ProposalState.FAILED: "failed",
    ProposalState.UNCLEAR: "not known whether it happened",
}


class MemoryReader:
    """Notes and records of clients, and a person's own preferences."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @raises_records_away
    async def client_record(self, client_id: UUID) -> ClientRecord:
        """Return a client's notes and recent events, newest first."""
        notes = await self.notes([client_id])
        rows = await self._db.pool.fetch(_LATELY, str(client_id), _EVENTS_READ, _OF_CLIENTS)
        events = tuple(_event(proposal) for proposal in readable(rows))
        return ClientRecord(notes=tuple(notes), events=events)

    async def notes(self, client_ids: list[UUID]) -> list[ClientNote]:
        """Return all sufficiently certain notes about the given clients, newest first.

        They are counted and searched, so none is left out; a person confirmed each of them.
        """
        rows = await self._db.pool.fetch(_NOTES, client_ids, THRESHOLD)
        return [ClientNote(**row) for row in rows]

    async def preferences(self, profile_id: UUID) -> Preferences:
        """Return a person's preferences."""
        return preferences_of(await self._db.pool.fetchval(_PREFERENCES, profile_id))

    async def schedules(self, profile_id: UUID) -> list[StoredSchedule]:
        """Return a person's reminders and recurring questions, the next one first."""
        return await schedules_of(self._db.pool, profile_id)

    async def in_background(self, team_id: str, slack_user_id: str) -> list[BackgroundWork]:
        """Return a person's work in the background of a workspace, the oldest first."""
        return await works_of(self._db.pool, team_id, slack_user_id)

    async def schedules_of_others(self, team_id: str, profile_id: UUID) -> list[OwnedSchedule]:
        """Return everybody else's recurring questions and watches in a workspace, for admins."""
        return await schedules_of_others(self._db.pool, team_id, profile_id)


def preferences_of(stored: dict[str, Any] | None) -> Preferences:
    """Build preferences from a stored row; None has none."""
    if stored is None:
        return Preferences()
    client_id = stored["client_id"]
    default = Named(id=UUID(client_id), name=stored["client"]) if client_id else None
    return Preferences.model_validate({"default_client": default, "kept": stored["kept"]})


def _event(proposal: Proposal) -> PastEvent:
    headline = proposal.effect.preview().headline
    outcome = _OUTCOMES.get(proposal.state, proposal.effect.done)
    return PastEvent(
        at=proposal.settled_at or proposal.created_at,
        text=f"{headline}: {outcome} ({proposal.actor_name})",
    )


class NoteRecord:
    """A note within the caller's transaction."""

    def __init__(self, conn: Connection, effect: NoteChange) -> None:
        self._conn, self._effect = conn, effect

    async def read(self) -> str | None:
        """Lock and return the note to be forgotten, or an equal note that is stored already."""
        client_id = self._effect.client.id
        if isinstance(self._effect, ForgetNote):
            return await self._conn.fetchval(_NOTE, self._effect.note_id, client_id)
        # Else the same words could be stored twice.
        await lock_until_commit(self._conn, LockKind.CLIENT_NOTES, str(client_id))
        kept = [row["note"] for row in await self._conn.fetch(_EVERY_NOTE, client_id)]
        return next((one for one in kept if folded(one) == folded(self._effect.note)), None)

    async def write(self, now: str | None, proposal: Proposal) -> str | None:
        """Archive the note, store it, or restore an archived one."""
        _ = now
        match self._effect:
            case ForgetNote(note_id=note_id):
                kept = await self._conn.fetchval(_ARCHIVE, note_id)
            case RememberNote(note_id=note_id) as effect:
                restored = await self._conn.fetchval(_RESTORE, note_id)
                kept = restored or await self._keep(effect, proposal)
            case _:
                kept = None
        return str(kept) if kept else None

    async def _keep(self, effect: RememberNote, proposal: Proposal) -> UUID:
        """Insert a note by the person who confirmed it, and return its id."""
        author, source = proposal.actor_profile_id, "chat" if proposal.run_id else "manual"
        values = (effect.client.id, author, proposal.id, source, effect.note, effect.confidence)
        return await self._conn.fetchval(_KEEP, *values)


class PreferenceRecord:
    """A person's preference within the caller's transaction; there may be several `other`."""

    def __init__(self, conn: Connection, effect: PreferenceChange) -> None:
        self._conn, self._effect = conn, effect

    async def read(self) -> PreferenceValue | None:
        """Lock and return the preference that these words would replace."""
        kept, default = await _held(self._conn, self._effect.person.id)
        if self._effect.key == "default_client":
            return PreferenceValue(value=default.name, client=default) if default else None
        replaced = (one for one in kept if self._is_replaced(one))
        return next((PreferenceValue(value=one["value"]) for one in replaced), None)

    async def write(self, now: PreferenceValue | None, proposal: Proposal) -> str | None:
        """Store it in place of what it replaces; None if no more fit."""
        _ = now, proposal
        person_id, after = self._effect.person.id, self._effect.becomes
        kept, _ = await _held(self._conn, person_id)
        if is_default := self._effect.key == "default_client":
            left = kept
        else:
            left = [one for one in kept if not self._is_replaced(one)]
            if after and len(left) >= PREFERENCES_AT_MOST:
                return None
            left += [self._entry(after)] if after else []
        client_id = after.client.id if after and after.client else None
        await self._conn.execute(_WRITE, person_id, left, is_default, client_id)
        return str(person_id)

    def _entry(self, after: PreferenceValue) -> dict[str, Any]:
        now = datetime.now(UTC).isoformat()
        return {"key": self._effect.key, "value": after.value, "set_at": now}

    def _is_replaced(self, kept: dict[str, Any]) -> bool:
        key, value = self._effect.key, self._effect.value
        return kept["key"] == key and (key != "other" or folded(kept["value"]) == folded(value))


async def _held(conn: Connection, profile_id: UUID) -> tuple[list[dict[str, Any]], Named | None]:
    row = await conn.fetchrow(_HOLD, profile_id)
    if row is None:
        await conn.execute(_BEGIN, profile_id)
        row = await fetch_one(conn, _HOLD, profile_id)
    default = Named(id=row["client_id"], name=row["client"]) if row["client_id"] else None
    return row["preferences"], default
