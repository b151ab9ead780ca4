"""Adds and removes notes and preferences, inside the caller's transaction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.domain.memory import NoteSource, PreferenceKey
from agencyclaw.domain.text import folded
from agencyclaw.store.engine import Connection

PREFERENCES_AT_MOST = 20

_KEEP = """
insert into client_memory_notes (client_id, author_profile_id, proposal_id, source, note,
  confidence)
values ($1, $2, $3, $4, $5, $6::float8::numeric(3, 2))
returning id
"""
_ARCHIVE = """
update client_memory_notes set archived_at = now()
where id = $1 and client_id = $2 and archived_at is null returning id
"""
_RESTORE = """
update client_memory_notes set archived_at = null where id = $1 returning id
"""
_ARCHIVED = """
select client_id, note from client_memory_notes where id = $1 and archived_at is not null
"""
_NOTES = "select note from client_memory_notes where client_id = $1 and archived_at is null"
# Serialises notes of one client, so that the same words are not stored twice.
_HOLD_NOTES = "select pg_advisory_xact_lock(hashtextextended($1, 14))"
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


class Preferred(NamedTuple):
    """What a person prefers; of a default client, which one that is."""

    value: str
    client: Named | None = None


async def keep_note(
    conn: Connection,
    client_id: UUID,
    note: str,
    *,
    author: UUID | None,
    confidence: float,
    source: NoteSource,
    proposal_id: UUID | None = None,
) -> UUID | None:
    """Store a note about a client; None if the same words are stored already."""
    if await _is_kept(conn, client_id, note):
        return None
    return await conn.fetchval(_KEEP, client_id, author, proposal_id, source, note, confidence)


async def _is_kept(conn: Connection, client_id: UUID, note: str) -> bool:
    """Return whether a client has a note of the same words; locks the client's notes."""
    await conn.execute(_HOLD_NOTES, str(client_id))
    return any(_same(row["note"], note) for row in await conn.fetch(_NOTES, client_id))


async def archive_note(conn: Connection, note_id: UUID, client_id: UUID) -> bool:
    """Archive a note; False if it no longer exists."""
    return await conn.fetchval(_ARCHIVE, note_id, client_id) is not None


async def restore_note(conn: Connection, note_id: UUID) -> UUID | None:
    """Restore an archived note; None if it, or one like it, is active already."""
    gone = await conn.fetchrow(_ARCHIVED, note_id)
    if gone is None or await _is_kept(conn, gone["client_id"], gone["note"]):
        return None
    return await conn.fetchval(_RESTORE, note_id)


async def keep_preference(
    conn: Connection,
    profile_id: UUID,
    key: PreferenceKey,
    value: str,
    *,
    client_id: UUID | None = None,
) -> bool:
    """Store a preference, one per kind, several of kind `other`; False if there are too many."""
    kept, _ = await _held(conn, profile_id)
    if key == "default_client":
        await conn.execute(_WRITE, profile_id, kept, True, client_id)
        return True
    left = [one for one in kept if not _is_replaced(one, key, value)]
    if len(left) >= PREFERENCES_AT_MOST:
        return False
    new = {"key": key, "value": value, "set_at": datetime.now(UTC).isoformat()}
    await conn.execute(_WRITE, profile_id, [*left, new], False, None)
    return True


async def drop_preference(
    conn: Connection, profile_id: UUID, key: PreferenceKey, value: str
) -> Preferred | None:
    """Delete a preference and return it; None if it no longer exists."""
    gone = await preferred(conn, profile_id, key, value)
    if gone is None or not _same(gone.value, value):
        return None
    kept, _ = await _held(conn, profile_id)
    left = [one for one in kept if not _is_replaced(one, key, value)]
    await conn.execute(_WRITE, profile_id, left, gone.client is not None, None)
    return gone


async def preferred(
    conn: Connection, profile_id: UUID, key: PreferenceKey, value: str
) -> Preferred | None:
    """Lock and return the preference that keeping these words would replace."""
    kept, default = await _held(conn, profile_id)
    if key == "default_client":
        return Preferred(default.name, default) if default else None
    return next((Preferred(one["value"]) for one in kept if _is_replaced(one, key, value)), None)


async def _held(conn: Connection, profile_id: UUID) -> tuple[list[dict[str, Any]], Named | None]:
    row = await conn.fetchrow(_HOLD, profile_id)
    if row is None:
        await conn.execute(_BEGIN, profile_id)
        row = await conn.fetchrow(_HOLD, profile_id)
    default = Named(id=row["client_id"], name=row["client"]) if row["client_id"] else None
    return row["preferences"], default


def _is_replaced(kept: dict[str, Any], key: PreferenceKey, value: str) -> bool:
    return kept["key"] == key and (key != "other" or _same(kept["value"], value))


def _same(one: str, other: str) -> bool:
    return folded(one) == folded(other)
