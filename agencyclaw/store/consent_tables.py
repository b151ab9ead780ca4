"""Tables for admins' decisions on consent: rules and pauses."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from agencyclaw.store.tables import time_column
from agencyclaw.store.work_tables import sequence_column


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
        Index(
            "execution_pauses_running",
            "team_id",
            unique=True,
            postgresql_where=text("resumed_at is null"),
        ),
    )
    id: int = sequence_column()
    team_id: str
    paused_by: UUID = Field(foreign_key="profiles.id")
    paused_at: datetime = time_column()
    resumed_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    resumed_at: datetime | None = time_column(optional=True)
