"""State changes of documents: what waits for approval, is in use, or is retired."""

from __future__ import annotations

from agencyclaw.domain.library import DecideDocument, Decision, DocumentVersion
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.text import one_line
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.events import record_event

_SHELVED = """
select 'procedure' as kind, id::text as key, 'ClickUp Docs' as origin, version, name as title,
  state, length(content_md) as characters, left(content_md, 600) as begins, '' as added_by,
  coalesce(last_synced_at, created_at) as added_at
from playbook_sops where state in ('waiting', 'approved')
union all
select case tier when 'external' then 'external' else 'document' end, origin, origin, version,
  min(name) filter (where part = 1), state, sum(length(content_md))::int,
  left(min(content_md) filter (where part = 1), 600), min(added_by), min(created_at)
from knowledge_documents where state in ('waiting', 'approved')
group by tier, origin, version, state
order by 10, 5, 2
"""
_LOCK_PROCEDURE = "select version, state from playbook_sops where id = $1::uuid for update"
_LOCK_DOCUMENT = "select version, state from knowledge_documents where origin = $1 for update"
_MOVE_PROCEDURE = """
update playbook_sops set state = $4 where id = $1::uuid and version = $2 and state = $3
"""
_MOVE_DOCUMENT = """
update knowledge_documents set state = $4,
  approved_by = case when $4 = 'approved' then $5 else approved_by end,
  approved_at = case when $4 = 'approved' then now() else approved_at end
where origin = $1 and version = coalesce($2, version) and state = $3
"""
_PROCEDURE_TEXT = "select content_md from playbook_sops where id = $1::uuid and version = $2"
_DOCUMENT_TEXT = """
select string_agg(content_md, E'\n\n' order by part) from knowledge_documents
where origin = $1 and version = $2
"""
_BEGINNING = 300


async def shelved(db: Database) -> list[DocumentVersion]:
    """Return every version that waits or is in use, the oldest first."""
    return [_item(row) for row in await db.pool.fetch(_SHELVED)]


async def text_of(db: Database, document: DocumentVersion) -> str:
    """Return the full text of one version; empty if it no longer exists."""
    statement = _PROCEDURE_TEXT if document.kind == "procedure" else _DOCUMENT_TEXT
    return await db.pool.fetchval(statement, document.key, document.version) or ""


async def move_versions(
    conn: Connection,
    origin: str,
    before: str,
    after: str,
    *,
    version: str | None = None,
    by: str = "",
) -> bool:
    """Move a document's versions in one state, or only one of them; return whether any was."""
    status = await conn.execute(_MOVE_DOCUMENT, origin, version, before, after, by)
    return status != "UPDATE 0"


async def audit_decision(conn: Connection, key: str, decision: Decision, by: str) -> None:
    """Record what somebody decided about a document at the command line."""
    payload = {"document": key, "decision": decision, "by": by}
    await record_event(conn, "document_decided", payload=payload)


class DocumentRecord:
    """The versions of one document within the caller's transaction."""

    def __init__(self, conn: Connection, effect: DecideDocument) -> None:
        self._conn, self._effect, self._key = conn, effect, effect.document.key
        self._is_procedure = effect.document.kind == "procedure"

    async def read(self) -> dict[str, str]:
        """Return the states of the versions that move, and keep all from changing."""
        statement = _LOCK_PROCEDURE if self._is_procedure else _LOCK_DOCUMENT
        rows = await self._conn.fetch(statement, self._key)
        states: dict[str, str] = {row["version"]: row["state"] for row in rows}
        return {version: states[version] for version in self._effect.before if version in states}

    async def write(self, now: dict[str, str] | None, proposal: Proposal) -> str:
        """Move every version as was decided."""
        _ = now
        await self.move(proposal.actor_name)
        return self._key

    async def move(self, by: str) -> None:
        """Move every version; `by` is who approves it."""
        for move in self._effect.moves:
            if self._is_procedure:
                await self._conn.execute(
                    _MOVE_PROCEDURE, self._key, move.version, move.before, move.after
                )
            else:
                await move_versions(
                    self._conn, self._key, move.before, move.after, version=move.version, by=by
                )


def _item(row: Record) -> DocumentVersion:
    fields = dict(row)
    fields["title"] = one_line(fields["title"], 160)
    fields["begins"] = one_line(fields["begins"], _BEGINNING)
    return DocumentVersion(**fields)
