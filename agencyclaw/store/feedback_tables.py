"""The table of ratings of answers."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from agencyclaw.store.tables import id_column, time_column
from agencyclaw.store.work_tables import reference_index


class FeedbackRow(SQLModel, table=True):
    """One person's rating of one answer; deleted with its run."""

    __tablename__ = "answer_feedback"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("rating in ('up','down')", name="answer_feedback_rating"),
        UniqueConstraint("run_id", "slack_user_id", name="answer_feedback_once"),
        Index(
            "answer_feedback_waiting",
            "team_id",
            "rated_at",
            postgresql_where=text("handled_at is null"),
        ),
        reference_index("answer_feedback", "profile_id"),
        reference_index("answer_feedback", "handled_by"),
    )
    id: UUID = id_column()
    run_id: UUID = Field(foreign_key="agent_runs.id", ondelete="CASCADE")
    team_id: str
    slack_user_id: str
    profile_id: UUID | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL")
    rating: str
    comment: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    rated_at: datetime = time_column()
    handled_by: UUID | None = Field(default=None, foreign_key="profiles.id", ondelete="SET NULL")
    handled_at: datetime | None = time_column(optional=True)
