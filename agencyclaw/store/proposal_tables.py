"""SQLModel tables of proposals: consent, execution, audit and delivery."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, text
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP
from sqlalchemy.dialects.postgresql import UUID as PgUUID
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
    times_column,
)


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
        partial_index("proposals_open", "place", "actor_profile_id", where="state='open'"),
        partial_index(
            "proposals_at_work", "entity", where="state in ('confirmed','executing','unclear')"
        ),
    )
    id: UUID = id_column()
    receipt_id: int = Field(
        sa_type=BigInteger, foreign_key="slack_event_receipts.id", nullable=False
    )
    run_id: UUID | None = reference_column("agent_runs.id", ondelete="SET NULL")
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
    press_only: bool = flag_column(default=True)
    words_until: datetime | None = time_column(optional=True)
    card_id: UUID | None = None
    suspended_by: int | None = Field(default=None, sa_type=BigInteger)
    suspended_until: datetime | None = time_column(optional=True)
    waiting_since: datetime | None = time_column(optional=True)
    confirmed_by: UUID | None = reference_column("profiles.id")
    confirming_receipt_id: int | None = Field(
        default=None, sa_type=BigInteger, foreign_key="slack_event_receipts.id"
    )
    settled_at: datetime | None = time_column(optional=True)
    settled_by: str | None = None
    superseded_by: UUID | None = reference_column("proposals.id")
    undo_of: UUID | None = reference_column("proposals.id")
    undone_by: UUID | None = reference_column("proposals.id")
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
    brand_id: UUID | None = reference_column("brands.id")
    clickup_list_id: str
    clickup_task_id: str | None = None
    clickup_url: str | None = None
    assignee_profile_id: UUID | None = reference_column("profiles.id")
    requested_by: UUID = Field(foreign_key="profiles.id")
    run_id: UUID | None = reference_column("agent_runs.id", ondelete="SET NULL")
    source: str = default_column("slack")
    skill_invoked: str = default_column("create_task")
    status: str = default_column("dispatching")
    sends: int = count_column()
    looks: int = count_column()
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
    proposal_id: UUID | None = reference_column("proposals.id")
    requested_by: UUID | None = reference_column("profiles.id")
    confirmed_by: UUID | None = reference_column("profiles.id")
    status: str = default_column("pending")
    result: dict[str, Any] | None = json_column(None)
    created_at: datetime = time_column()
    completed_at: datetime | None = time_column(optional=True)


class AgentEvent(SQLModel, table=True):
    """An audit row: a refusal, a consent, a lost message."""

    __tablename__ = "agent_events"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (reference_index("agent_events", "run_id"),)
    id: UUID = id_column()
    event_type: str = Field(index=True)
    reason: str | None = None
    actor_profile_id: UUID | None = reference_column("profiles.id")
    slack_user_id: str | None = None
    client_id: UUID | None = reference_column("agency_clients.id")
    run_id: UUID | None = reference_column("agent_runs.id", ondelete="SET NULL")
    proposal_id: UUID | None = reference_column("proposals.id")
    payload: dict[str, Any] = json_column()
    created_at: datetime = time_column()


class OutboxRow(SQLModel, table=True):
    """A message that must reach Slack once."""

    __tablename__ = "outbox"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "state in ('streaming','pending','sending','sent','dead')", name="outbox_state"
        ),
        reference_index("outbox", "run_id"),
        partial_index(
            "outbox_asking",
            "channel_id",
            where="kind = 'answer' and body -> 'choices' <> '[]' and body ->> 'answered' is null",
        ),
        Index("outbox_channel", "channel_id", "created_at"),
        Index("outbox_proposals", "proposal_ids", postgresql_using="gin"),
        partial_index("outbox_streams", "channel_id", "stream_ts", where="stream_text is not null"),
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
    run_id: UUID | None = reference_column("agent_runs.id", ondelete="SET NULL")
    proposal_ids: list[UUID] = Field(
        default=None,
        sa_column=Column(ARRAY(PgUUID), nullable=False, server_default=text("'{}'::uuid[]")),
    )
    body: dict[str, Any] = json_column()
    state: str = default_column("pending")
    attempts: int = count_column()
    failures: int = count_column()
    sending_at: datetime | None = time_column(optional=True)
    sent_ts: str | None = None
    sent_at: datetime | None = time_column(optional=True)
    shown_hash: str | None = None
    stream_ts: str | None = None
    stream_text: str | None = None
    stream_is_whole: bool = flag_column()
    stream_busy_since: datetime | None = time_column(optional=True)
    file_id: str | None = None
    error: str | None = None
    created_at: datetime = time_column()


class ConsentRule(SQLModel, table=True):
    """Where a yes in words is allowed, or a press is required for everything."""

    __tablename__ = "consent_rules"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("scope in ('workspace','client','channel')", name="consent_rules_scope"),
        CheckConstraint("policy in ('words','press')", name="consent_rules_policy"),
    )
    team_id: str = Field(primary_key=True)
    scope: str = Field(primary_key=True)
    scope_id: str = Field(primary_key=True)
    policy: str
    set_by: UUID = Field(foreign_key="profiles.id")
    set_at: datetime = time_column()


class ExecutionPause(SQLModel, table=True):
    """A pause of a workspace: while it lasts, no effect is carried out."""

    __tablename__ = "execution_pauses"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        partial_index(
            "execution_pauses_running", "team_id", where="resumed_at is null", unique=True
        ),
    )
    id: int = sequence_column()
    team_id: str
    paused_by: UUID = Field(foreign_key="profiles.id")
    paused_at: datetime = time_column()
    resumed_by: UUID | None = reference_column("profiles.id")
    resumed_at: datetime | None = time_column(optional=True)


class SkillCallMeter(SQLModel, table=True):
    """The times of a person's calls of a rate-limited tool, within the last hour."""

    __tablename__ = "skill_call_meter"  # pyright: ignore[reportAssignmentType]
    profile_id: UUID = Field(foreign_key="profiles.id", ondelete="CASCADE", primary_key=True)
    tool: str = Field(primary_key=True)
    calls: list[datetime] = times_column()


class ClickUpBudgetRow(SQLModel, table=True):
    """When requests of a ClickUp token were granted within the last minute, by the token's hash.

    `reads_from`: what was read before counts no more, because we changed something.
    """

    __tablename__ = "clickup_budgets"  # pyright: ignore[reportAssignmentType]
    token: str = Field(primary_key=True)
    grants: list[datetime] = times_column()
    held_until: datetime = time_column()
    reads_from: datetime = time_column()


class ClickUpReadRow(SQLModel, table=True):
    """A task list as it was read within the last minutes, by the token's hash and the question."""

    __tablename__ = "clickup_reads"  # pyright: ignore[reportAssignmentType]
    token: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    read_at: datetime = Field(sa_column=Column(TIMESTAMP(timezone=True), nullable=False))
    tasks: str
