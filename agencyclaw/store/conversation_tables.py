"""SQLModel tables of conversations: messages, runs, answers, and what Slack shows of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from agencyclaw.store.columns import (
    count_column,
    default_column,
    flag_column,
    id_column,
    json_column,
    partial_index,
    reference_column,
    reference_index,
    sequence_column,
    time_column,
)

_WAITS = "status = 'received'"


class ReceiptRow(SQLModel, table=True):
    """Something a person did, stored before it is acknowledged."""

    __tablename__ = "slack_event_receipts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("status in ('received','done','ignored','dead')", name="receipts_status"),
        partial_index("receipts_open_lane", "lane", "slack_ts", where=_WAITS),
        Index("receipts_received_at", "received_at"),
        Index("receipts_thread", "channel_id", "thread_ts"),
        Index("receipts_by_person", "slack_user_id", "received_at"),
        partial_index("receipts_open_person", "slack_user_id", where=_WAITS),
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
    attempts: int = count_column()
    failures: int = count_column()
    waits: int = count_column()
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
    profile_id: UUID | None = reference_column("profiles.id")
    active_client_id: UUID | None = reference_column("agency_clients.id")
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
        reference_index("agent_runs", "schedule_id"),
    )
    id: UUID = id_column()
    run_type: str = default_column("main")
    run_key: str = Field(unique=True)
    status: str = default_column("running")
    parent_run_id: UUID | None = reference_column("agent_runs.id", ondelete="SET NULL")
    receipt_id: int | None = Field(
        default=None, sa_type=BigInteger, foreign_key="slack_event_receipts.id", index=True
    )
    actor_profile_id: UUID | None = reference_column("profiles.id")
    client_id: UUID | None = reference_column("agency_clients.id")
    team_id: str
    place: str
    channel_id: str
    thread_ts: str
    source: str
    session_id: UUID | None = reference_column("playbook_sessions.id", ondelete="SET NULL")
    trace_id: str
    input_payload: dict[str, Any] = json_column()
    output_payload: dict[str, Any] | None = json_column(None)
    error_message: str | None = None
    started_at: datetime = time_column()
    completed_at: datetime | None = time_column(optional=True)
    schedule_id: UUID | None = reference_column("schedules.id", ondelete="SET NULL")


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
        partial_index(
            "agent_skill_events_compared",
            "created_at",
            where="skill_id = 'compare_accounts' and event_type = 'skill_result'",
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


class TokenUsage(SQLModel, table=True):
    """The cost of one model request; it outlives its run, whose workspace and client it keeps."""

    __tablename__ = "ai_token_usage"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        reference_index("ai_token_usage", "run_id"),
        Index("ai_token_usage_created_at", "created_at"),
    )
    id: int = sequence_column()
    tool: str
    user_id: UUID | None = reference_column("profiles.id")
    run_id: UUID | None = reference_column("agent_runs.id", ondelete="SET NULL")
    team_id: str | None = None
    client_id: UUID | None = reference_column("agency_clients.id", ondelete="SET NULL")
    stage: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    cost_usd: float | None = None
    meta: dict[str, Any] = json_column()
    created_at: datetime = time_column()


class FeedbackRow(SQLModel, table=True):
    """One person's rating of one answer; deleted with its run."""

    __tablename__ = "answer_feedback"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("rating in ('up','down')", name="answer_feedback_rating"),
        UniqueConstraint("run_id", "slack_user_id", name="answer_feedback_once"),
        partial_index("answer_feedback_waiting", "team_id", "rated_at", where="handled_at is null"),
        reference_index("answer_feedback", "profile_id"),
        reference_index("answer_feedback", "handled_by"),
    )
    id: UUID = id_column()
    run_id: UUID = Field(foreign_key="agent_runs.id", ondelete="CASCADE")
    team_id: str
    slack_user_id: str
    profile_id: UUID | None = reference_column("profiles.id", ondelete="SET NULL")
    rating: str
    comment: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    rated_at: datetime = time_column()
    handled_by: UUID | None = reference_column("profiles.id", ondelete="SET NULL")
    handled_at: datetime | None = time_column(optional=True)


class ThreadDigest(SQLModel, table=True):
    """What the older part of a thread of people was condensed to, up to a message's stamp."""

    __tablename__ = "thread_digests"  # pyright: ignore[reportAssignmentType]
    team_id: str = Field(primary_key=True)
    channel_id: str = Field(primary_key=True)
    thread_ts: str = Field(primary_key=True)
    covers_until: str
    fingerprint: str
    left_out: int = count_column()
    made_at: datetime = time_column()
    text: str


class SlackSession(SQLModel, table=True):
    """How Slack shows a thread; since `changed_at` that may be wrong.

    `shown` is 'unclear' during a call and after one of unknown outcome.
    """

    __tablename__ = "slack_sessions"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        partial_index(
            "slack_sessions_changed", "team_id", "changed_at", where="changed_at is not null"
        ),
    )
    team_id: str = Field(primary_key=True)
    channel_id: str = Field(primary_key=True)
    thread_ts: str = Field(primary_key=True)
    place: str
    shown: str | None = None
    changed_at: datetime | None = time_column(optional=True)
    busy_until: datetime | None = time_column(optional=True)
    shown_at: datetime = time_column()


class SlackMember(SQLModel, table=True):
    """How a person belongs to a workspace, as Slack reported last."""

    __tablename__ = "slack_members"  # pyright: ignore[reportAssignmentType]
    team_id: str = Field(primary_key=True)
    slack_user_id: str = Field(primary_key=True)
    membership: str | None = None
    asked_at: datetime | None = time_column(optional=True)


class SlackChannel(SQLModel, table=True):
    """What Slack reported last about a channel; its kind comes with every message."""

    __tablename__ = "slack_channels"  # pyright: ignore[reportAssignmentType]
    team_id: str = Field(primary_key=True)
    channel_id: str = Field(primary_key=True)
    kind: str | None = None
    name: str = Field(default="", sa_column_kwargs={"server_default": ""})
    is_shared: bool = flag_column()
    is_archived: bool = flag_column()
    asked_at: datetime | None = time_column(optional=True)
    changed_at: datetime | None = time_column(optional=True)
