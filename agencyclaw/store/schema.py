"""Checks that a database has every table the code needs, whatever its revision says."""

from __future__ import annotations

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.record_kinds import RECORD_KINDS
from agencyclaw.store.engine import Database

# Listed here, because importing the table classes would add half a second to every start.
TABLES = (
    "agency_clients",
    "agency_roles",
    "agencyclaw_user_preferences",
    "agent_events",
    "agent_messages",
    "agent_runs",
    "agent_skill_events",
    "agent_tasks",
    "ai_token_usage",
    "answer_feedback",
    "brands",
    "catalog_products",
    "clickup_budgets",
    "clickup_reads",
    "clickup_space_registry",
    "client_assignments",
    "client_memory_notes",
    "consent_rules",
    "directory_stamp",
    "execution_pauses",
    "knowledge_documents",
    "knowledge_gap_notes",
    "knowledge_gaps",
    "outbox",
    "playbook_sessions",
    "playbook_sops",
    "procedure_vectors",
    "profiles",
    "proposals",
    "schedules",
    "search_words",
    "skill_call_meter",
    "skill_catalog",
    "skill_invocation_log",
    "skill_policy_overrides",
    "slack_channels",
    "slack_event_receipts",
    "slack_members",
    "slack_sessions",
    "surface_bindings",
    "thread_digests",
    "thread_summaries",
    *(kind.record.table for kind in RECORD_KINDS),
)


async def missing_tables(db: Database) -> list[str]:
    """Return the names of missing tables."""
    rows = await db.pool.fetch(
        "select name from unnest($1::text[]) as name where to_regclass(name) is null order by name",
        list(TABLES),
    )
    return [row["name"] for row in rows]


async def require_tables(db: Database) -> None:
    """Raise Misconfigured if a table is missing that migrations once created."""
    if missing := await missing_tables(db):
        raise Misconfigured(
            f"The database lacks what its revision promises: {', '.join(missing)}. A table was "
            "dropped, or a dump restored in part: restore a whole dump, or use another database."
        )
