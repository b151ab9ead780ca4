"""SQLModel tables of work in progress: receipts, runs, proposals, deliveries."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Column, Identity, Index, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql import UUID as PgUUID
from sqlmodel import Field, SQLModel

from agencyclaw.store.tables import default_column, id_column, json_column, time_column

_WAITS = text("status = 'received'")


def sequence_column() -> Any:
    """A bigint identity primary key, in insertion order."""
    key = Column(BigInteger, Identity(always=True), primary_key=True)
    return Field(default=None, sa_column=key)


def reference_index(table: str, column: str) -> Index:
    """Return an index on a foreign key, for deleting the row it refers to."""
    return Index(f"{table}_{column}", column, postgresql_where=text(f"{column} is not null"))


class ReceiptRow(SQLModel, table=True):
    """Something a person did, stored before it is acknowledged."""

    __tablename__ = "slack_event_receipts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("status in ('received','done','ignored','dead')", name="receipts_status"),
        Index("receipts_open_lane", "lane", "slack_ts", postgresql_where=_WAITS),
        Index("receipts_received_at", "received_at"),
        Index("receipts_thread", "channel_id", "thread_ts"),
        Index("receipts_by_person", "slack_user_id", "received_at"),
        Index("receipts_open_person", "slack_user_id", postgresql_where=_WAITS),
    )
    id: int = sequence_column()
    event_key: str = Field(unique=True)
    event_source: str
    event_type: str
    team_id: str
    channel_id: str
    thread_ts: str
    slack_ts: str
    is_direct: bool
    slack_user_id: str
    lane: str
    payload: dict[str, Any] = json_column()
    status: str = default_column("received")
    reason: str | None = None
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    failures: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    waits: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    waiting_since: datetime | None = time_column(optional=True)
    received_at: datetime = time_column()
    processed_at: datetime | None = time_column(optional=True)
    edited_at: datetime | None = time_column(optional=True)


class PlaybookSession(SQLModel, table=True):
    """One stretch of conversation between a person and the assistant."""

    __tablename__ = "playbook_sessions"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("playbook_sessions_place", "team_id", "place", "slack_user_id", "last_message_at"),
    )
    id: UUID = id_column()
    team_id: str
    place: str
    slack_user_id: str
    profile_id: UUID | None = Field(default=None, foreign_key="profiles.id")
    active_client_id: UUID | None = Field(default=None, foreign_key="agency_clients.id")
    context: dict[str, Any] = json_column()
    last_message_at: datetime = time_column()
    created_at: datetime = time_column()


class AgentRun(SQLModel, table=True):
    """One execution of an agent."""

    __tablename__ = "agent_runs"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "run_type in ('main','planner','child','heartbeat','ingestion')", name="agent_runs_type"
        ),
        CheckConstraint(
            "status in ('queued','running','awaiting_confirmation','needs_clarification',"
            "'completed','failed','cancelled','blocked')",
            name="agent_runs_status",
        ),
        Index("agent_runs_place", "team_id", "place", "started_at"),
        Index("agent_runs_started_at", "started_at"),
        reference_index("agent_runs", "parent_run_id"),
        reference_index("agent_runs", "session_id"),
    )
    id: UUID = id_column()
    run_type: str = default_column("main")
    run_key: str = Field(unique=True)
    status: str = default_column("running")
    parent_run_id: UUID | None = Field(
        default=None, foreign_key="agent_runs.id", ondelete="SET NULL"
    )
    receipt_id: int | None = Field(
        default=None, sa_type=BigInteger, foreign_key="slack_event_receipts.id", index=True
    )
    actor_profile_id: UUID | None = Field(default=None, foreign_key="profiles.id")
    client_id: UUID | None = Field(default=None, foreign_key="agency_clients.id")
    team_id: str
    place: str
    channel_id: str
    thread_ts: str
    source: str
    session_id: UUID | None = Field(
        default=None, foreign_key="playbook_sessions.id", ondelete="SET NULL"
    )
    trace_id: str
    input_payload: dict[str, Any] = json_column()
    output_payload: dict[str, Any] | None = json_column(None)
    error_message: str | None = None
    started_at: datetime = time_column()
    completed_at: datetime | None = time_column(optional=True)


class AgentMessage(SQLModel, table=True):
    """A complete message of a run, as the agent framework serialises it."""

    __tablename__ = "agent_messages"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "role in ('user','assistant','system','planner_report')", name="agent_messages_role"
        ),
    )
    id: int = sequence_column()
    run_id: UUID = Field(foreign_key="agent_runs.id", ondelete="CASCADE", index=True)
    role: str
    content: dict[str, Any] = json_column()
    summary: str | None = None
    created_at: datetime = time_column()


class ThreadSummary(SQLModel, table=True):
    """The summary of a thread's older part for one person; deleted with the last run it covers."""

    __tablename__ = "thread_summaries"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("thread_summaries_thread", "team_id", "place", "thread_ts", "profile_id"),
    )
    id: UUID = id_column()
    team_id: str
    place: str
    thread_ts: str
    profile_id: UUID = Field(foreign_key="profiles.id", ondelete="CASCADE")
    standing: dict[str, Any] = json_column()
    text: str
    covers_until: datetime = time_column()
    last_run_id: UUID = Field(foreign_key="agent_runs.id", ondelete="CASCADE", index=True)
    created_at: datetime = time_column()


class AgentSkillEvent(SQLModel, table=True):
    """A complete tool call or result."""

    __tablename__ = "agent_skill_events"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "event_type in ('skill_call','skill_result')", name="agent_skill_events_type"
        ),
    )
    id: UUID = id_column()
    run_id: UUID = Field(foreign_key="agent_runs.id", ondelete="CASCADE", index=True)
    event_type: str
    skill_id: str
    tool_call_id: str | None = None
    payload: dict[str, Any] = json_column()
    payload_summary: str | None = None
    created_at: datetime = time_column()


class AgentEvent(SQLModel, table=True):
    """An audit row: a refusal, a consent, a lost message."""

    __tablename__ = "agent_events"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (reference_index("agent_events", "run_id"),)
    id: UUID = id_column()
    event_type: str = Field(index=True)
    reason: str | None = None
    actor_profile_id: UUID | None = Field(default=None, foreign_key="profiles.id")
    slack_user_id: str | None = None
    client_id: UUID | None = Field(default=None, foreign_key="agency_clients.id")
    run_id: UUID | None = Field(default=None, foreign_key="agent_runs.id", ondelete="SET NULL")
    proposal_id: UUID | None = Field(default=None, foreign_key="proposals.id")
    payload: dict[str, Any] = json_column()
    created_at: datetime = time_column()


class ProposalRow(SQLModel, table=True):
    """A stored effect that waits for consent."""

    __tablename__ = "proposals"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "state in ('draft','open','confirmed','executing','done','unclear','failed',"
            "'cancelled','expired','superseded')",
            name="proposals_state",
        ),
        reference_index("proposals", "run_id"),
        reference_index("proposals", "confirming_receipt_id"),
        reference_index("proposals", "suspended_by"),
        Index("proposals_ordinal", "receipt_id", "ordinal", unique=True),
        Index("proposals_place", "place", "actor_profile_id"),
        Index("proposals_of_person", "actor_slack_user_id", "settled_at"),
        Index("proposals_of_actor", "channel_id", "actor_profile_id", "settled_at"),
        Index("proposals_open", "place", "actor_profile_id", postgresql_where=text("state='open'")),
        Index(
            "proposals_at_work",
            "entity",
            postgresql_where=text("state in ('confirmed','executing','unclear')"),
        ),
    )
    id: UUID = id_column()
    receipt_id: int = Field(
        sa_type=BigInteger, foreign_key="slack_event_receipts.id", nullable=False
    )
    run_id: UUID | None = Field(default=None, foreign_key="agent_runs.id", ondelete="SET NULL")
    ordinal: int
    team_id: str
    place: str
    channel_id: str
    thread_ts: str
    is_direct: bool
    actor_profile_id: UUID = Field(foreign_key="profiles.id")
    actor_slack_user_id: str
    actor_name: str
    skill_id: str
    arguments: dict[str, Any] = json_column()
    entity: str = default_column("")
    fingerprint: str
    state: str = default_column("draft")
    created_at: datetime = time_column()
    opened_at: datetime | None = time_column(optional=True)
    expires_at: datetime | None = time_column(optional=True)
    press_only: bool = Field(default=True, sa_column_kwargs={"server_default": text("true")})
    words_until: datetime | None = time_column(optional=True)
    card_id: UUID | None = None
    suspended_by: int | None = Field(default=None, sa_type=BigInteger)
    suspended_until: datetime | None = time_column(optional=True)
    waiting_since: datetime | None = time_column(optional=True)
    confirmed_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    confirming_receipt_id: int | None = Field(
        default=None, sa_type=BigInteger, foreign_key="slack_event_receipts.id"
    )
    settled_at: datetime | None = time_column(optional=True)
    settled_by: str | None = None
    superseded_by: UUID | None = Field(default=None, foreign_key="proposals.id")
    undo_of: UUID | None = Field(default=None, foreign_key="proposals.id")
    undone_by: UUID | None = Field(default=None, foreign_key="proposals.id")
    result: dict[str, Any] | None = json_column(None)
    reason: str | None = None


class AgentTask(SQLModel, table=True):
    """The intent to create a ClickUp task, written before the request, and its outcome."""

    __tablename__ = "agent_tasks"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('dispatching','created','unclear','failed','undone')",
            name="agent_tasks_status",
        ),
        reference_index("agent_tasks", "run_id"),
        Index("agent_tasks_content", "content_key", "created_at"),
        Index("agent_tasks_client", "client_id", "created_at"),
    )
    id: UUID = id_column()
    proposal_id: UUID = Field(foreign_key="proposals.id", unique=True)
    marker: str = Field(unique=True)
    content_key: str
    title: str
    client_id: UUID = Field(foreign_key="agency_clients.id")
    brand_id: UUID | None = Field(default=None, foreign_key="brands.id")
    clickup_list_id: str
    clickup_task_id: str | None = None
    clickup_url: str | None = None
    assignee_profile_id: UUID | None = Field(default=None, foreign_key="profiles.id")
    requested_by: UUID = Field(foreign_key="profiles.id")
    run_id: UUID | None = Field(default=None, foreign_key="agent_runs.id", ondelete="SET NULL")
    source: str = default_column("slack")
    skill_invoked: str = default_column("create_task")
    status: str = default_column("dispatching")
    sends: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    looks: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    dispatched_at: datetime = time_column()
    created_at: datetime = time_column()
    updated_at: datetime = time_column()


class SkillInvocation(SQLModel, table=True):
    """One row per confirmed effect, and one marked duplicate per repeated confirmation."""

    __tablename__ = "skill_invocation_log"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "status in ('pending','success','failed','duplicate')", name="skill_invocation_status"
        ),
    )
    id: UUID = id_column()
    skill_id: str
    idempotency_key: str = Field(unique=True)
    proposal_id: UUID | None = Field(default=None, foreign_key="proposals.id")
    requested_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    confirmed_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    status: str = default_column("pending")
    result: dict[str, Any] | None = json_column(None)
    created_at: datetime = time_column()
    completed_at: datetime | None = time_column(optional=True)


class OutboxRow(SQLModel, table=True):
    """A message that must reach Slack once."""

    __tablename__ = "outbox"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "state in ('streaming','pending','sending','sent','dead')", name="outbox_state"
        ),
        reference_index("outbox", "run_id"),
        Index(
            "outbox_asking",
            "channel_id",
            postgresql_where=text(
                "kind = 'answer' and body -> 'choices' <> '[]' and body ->> 'answered' is null"
            ),
        ),
        Index("outbox_channel", "channel_id", "created_at"),
        Index("outbox_proposals", "proposal_ids", postgresql_using="gin"),
        Index("outbox_unsent", "seq", postgresql_where=text("state in ('pending','sending')")),
        Index(
            "outbox_streams",
            "channel_id",
            "stream_ts",
            postgresql_where=text("stream_text is not null"),
        ),
    )
    seq: int = sequence_column()
    id: UUID = Field(
        default=None, unique=True, sa_column_kwargs={"server_default": text("gen_random_uuid()")}
    )
    key: str = Field(unique=True)
    kind: str
    team_id: str
    channel_id: str
    thread_ts: str | None = None
    slack_user_id: str | None = None
    receipt_id: int | None = Field(
        default=None, sa_type=BigInteger, foreign_key="slack_event_receipts.id", index=True
    )
    run_id: UUID | None = Field(default=None, foreign_key="agent_runs.id", ondelete="SET NULL")
    proposal_ids: list[UUID] = Field(
        default=None,
        sa_column=Column(ARRAY(PgUUID), nullable=False, server_default=text("'{}'::uuid[]")),
    )
    body: dict[str, Any] = json_column()
    state: str = default_column("pending")
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    failures: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    sending_at: datetime | None = time_column(optional=True)
    sent_ts: str | None = None
    sent_at: datetime | None = time_column(optional=True)
    shown_hash: str | None = None
    stream_ts: str | None = None
    stream_text: str | None = None
    stream_is_whole: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    stream_busy_since: datetime | None = time_column(optional=True)
    file_id: str | None = None
    error: str | None = None
    created_at: datetime = time_column()


class TokenUsage(SQLModel, table=True):
    """The cost of one model request."""

    __tablename__ = "ai_token_usage"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (reference_index("ai_token_usage", "run_id"),)
    id: int = sequence_column()
    tool: str
    user_id: UUID | None = Field(default=None, foreign_key="profiles.id")
    run_id: UUID | None = Field(default=None, foreign_key="agent_runs.id", ondelete="SET NULL")
    stage: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cost_usd: float | None = None
    meta: dict[str, Any] = json_column()
    created_at: datetime = time_column()
