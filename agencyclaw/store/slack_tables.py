"""Tables of what Slack says: how it shows threads, its members, its channels, long threads."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, text
from sqlmodel import Field, SQLModel

from agencyclaw.store.tables import time_column


class SlackSession(SQLModel, table=True):
    """How Slack shows a thread; since `changed_at` that may be wrong.

    `shown` is 'unclear' during a call and after one of unknown outcome.
    """

    __tablename__ = "slack_sessions"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index(
            "slack_sessions_changed",
            "team_id",
            "changed_at",
            postgresql_where=text("changed_at is not null"),
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
    is_shared: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    is_archived: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    asked_at: datetime | None = time_column(optional=True)
    changed_at: datetime | None = time_column(optional=True)


class ThreadDigest(SQLModel, table=True):
    """What the older part of a thread of people was condensed to, up to a message's stamp."""

    __tablename__ = "thread_digests"  # pyright: ignore[reportAssignmentType]
    team_id: str = Field(primary_key=True)
    channel_id: str = Field(primary_key=True)
    thread_ts: str = Field(primary_key=True)
    covers_until: str
    fingerprint: str
    left_out: int = Field(default=0, sa_column_kwargs={"server_default": text("0")})
    made_at: datetime = time_column()
    text: str
