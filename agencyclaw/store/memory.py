"""Reads notes about clients and people's preferences."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from agencyclaw.domain.changes import OfClient
from agencyclaw.domain.clients import Named
from agencyclaw.domain.memory import (
    THRESHOLD,
    ClientNote,
    ClientRecord,
    PastEvent,
    Preferences,
    read_preferences,
)
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.schedules import KeptReminder
from agencyclaw.store.engine import Database, Record, raises_records_away
from agencyclaw.store.proposals import readable
from agencyclaw.store.reminders import reminders_of

_NOTES = """
select n.id, n.client_id, c.name as client, n.note, n.source, n.confidence::float8 as confidence,
  n.created_at,
  coalesce(nullif(trim(p.display_name), ''), nullif(trim(p.full_name), ''), p.email) as author
from client_memory_notes n
join agency_clients c on c.id = n.client_id
left join profiles p on p.id = n.author_profile_id
where n.client_id = any($1::uuid[]) and n.archived_at is null and n.confidence >= $2
order by n.created_at desc, n.id limit $3
"""

_LATELY = """
select * from proposals
where arguments -> 'client' ->> 'id' = $1::text and state in ('done', 'failed', 'unclear')
order by settled_at desc nulls last, id limit $2
"""

_PREFERENCES = """
select jsonb_build_object('kept', p.preferences, 'client_id', c.id, 'client', c.name)
from agencyclaw_user_preferences p
left join agency_clients c on c.id = p.default_client_id and c.status = 'active'
where p.profile_id = $1
"""

_NOTES_READ = 200
_EVENTS_READ = 20
_OUTCOMES = {
    ProposalState.DONE: "done",
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
        rows = await self._db.pool.fetch(_LATELY, str(client_id), _EVENTS_READ)
        # A person's default client concerns nobody else.
        ended = [
            one for one in readable(rows) if one.settled_at and isinstance(one.effect, OfClient)
        ]
        events = tuple(_event(proposal) for proposal in ended)
        return ClientRecord(notes=tuple(notes), events=events)

    async def notes(self, client_ids: list[UUID]) -> list[ClientNote]:
        """Return sufficiently certain notes about the given clients, newest first."""
        rows = await self._db.pool.fetch(_NOTES, client_ids, THRESHOLD, _NOTES_READ)
        return [_note(row) for row in rows]

    async def preferences(self, profile_id: UUID) -> Preferences:
        """Return a person's preferences."""
        return preferences_of(await self._db.pool.fetchval(_PREFERENCES, profile_id))

    async def reminders(self, profile_id: UUID) -> list[KeptReminder]:
        """Return a person's reminders, the next one first."""
        return await reminders_of(self._db.pool, profile_id)


def preferences_of(stored: dict[str, Any] | None) -> Preferences:
    """Build preferences from a stored row; None has none."""
    if stored is None:
        return Preferences()
    client_id = stored["client_id"]
    default = Named(id=UUID(client_id), name=stored["client"]) if client_id else None
    return read_preferences(stored["kept"], default)


def _note(row: Record) -> ClientNote:
    return ClientNote(
        id=row["id"],
        client_id=row["client_id"],
        client=row["client"],
        note=row["note"],
        author=row["author"] or "somebody who left",
        source=row["source"],
        confidence=row["confidence"],
        created_at=row["created_at"],
    )


def _event(proposal: Proposal) -> PastEvent:
    headline = proposal.effect.preview().headline
    outcome = _OUTCOMES[proposal.state]
    return PastEvent(
        at=proposal.settled_at or proposal.created_at,
        text=f"{headline}: {outcome} ({proposal.actor_name})",
    )
