"""Tables of records that people change, each declared in the domain."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, Index, text
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlmodel import Field, SQLModel

from agencyclaw.store.columns import (
    NOW,
    count_column,
    default_column,
    flag_column,
    id_column,
    json_column,
    time_column,
)


def _moment() -> Any:
    return Field(
        default=None,
        sa_type=TIMESTAMP(timezone=True),  # pyright: ignore[reportArgumentType]
        sa_column_kwargs={"server_default": NOW},
    )


class RecordTable(SQLModel):
    """The columns of every record besides its own; a removed one is not `active`."""

    id: UUID = id_column()
    active: bool = flag_column(default=True)
    created_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    updated_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    created_at: datetime = _moment()
    updated_at: datetime = _moment()


def one_active(name: str, *key: str) -> Index:
    """Return the constraint that one record per key is active."""
    return Index(f"{name}_active", *key, unique=True, postgresql_where=text("active"))


class KpiTarget(RecordTable, table=True):
    """What a brand aims at in a marketplace, for a month or a year."""

    __tablename__ = "brand_market_kpi_targets"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint(
            "marketplace_code = upper(marketplace_code)", name="kpi_targets_marketplace"
        ),
        CheckConstraint("period_granularity in ('monthly','annual')", name="kpi_targets_period"),
        one_active(
            "kpi_targets", "brand_id", "marketplace_code", "period_granularity", "period_start"
        ),
    )
    brand_id: UUID = Field(foreign_key="brands.id", ondelete="CASCADE")
    marketplace_code: str
    period_granularity: str
    period_start: date
    tacos_target_pct: Decimal | None = Field(default=None, max_digits=6, decimal_places=2)
    acos_target_pct: Decimal | None = Field(default=None, max_digits=6, decimal_places=2)
    sales_target: Decimal | None = Field(default=None, max_digits=14, decimal_places=2)
    sales_currency: str | None = None
    notes: str | None = None


class SeparateAccountRow(RecordTable, table=True):
    """An account of Slack or ClickUp that an admin keeps apart from the team."""

    __tablename__ = "separate_accounts"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (one_active("separate_accounts", "account"),)
    account: str
    name: str
    not_of: str | None = None
    why: str = ""


class KpiResult(RecordTable, table=True):
    """What a source says that a brand reached in a marketplace in a month or a year."""

    __tablename__ = "brand_market_kpi_results"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("period in ('monthly','annual')", name="kpi_results_period"),
        one_active("kpi_results", "brand_id", "marketplace", "period", "start", "source"),
    )
    brand_id: UUID = Field(foreign_key="brands.id", ondelete="CASCADE")
    marketplace: str
    period: str
    start: date
    source: str = ""
    acos: Decimal | None = Field(default=None, max_digits=6, decimal_places=2)
    tacos: Decimal | None = Field(default=None, max_digits=6, decimal_places=2)
    sales: Decimal | None = Field(default=None, max_digits=14, decimal_places=2)
    currency: str | None = None
    is_delivered: bool = flag_column()


class AlertChannelRow(RecordTable, table=True):
    """The channel that admins of a workspace chose for what went wrong."""

    __tablename__ = "alert_channels"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (one_active("alert_channels", "team_id"),)
    team_id: str
    channel_id: str


class ScheduleRow(RecordTable, table=True):
    """What a person asked to happen; `timing` is a Timing, `next_at` None if it ended or is paused.

    `unsaid` counts times that came due and that no post has mentioned; `failures` those in a row.
    `watch` is a Watch, of which `reported` are the keys of findings that were reported and are so,
    the last of them at `reported_at`. One with `after_id` comes once that one has been answered.
    """

    __tablename__ = "schedules"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        CheckConstraint("work in ('remind','ask','watch')", name="schedules_work"),
        Index("reminders_person", "person_id", postgresql_where=text("active")),
        Index("schedules_client_id", "client_id", postgresql_where=text("client_id is not null")),
        Index("schedules_after_id", "after_id", postgresql_where=text("after_id is not null")),
    )
    person_id: UUID = Field(foreign_key="profiles.id", ondelete="CASCADE")
    team_id: str
    words: str
    timing: dict[str, Any] = json_column()
    next_at: datetime | None = time_column(optional=True)
    ended_because: str | None = None
    work: str = default_column("remind")
    channel_id: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    is_in_channel: bool = flag_column()
    paused_because: str | None = None
    unsaid: int = count_column()
    failures: int = count_column()
    client_id: UUID | None = Field(
        default=None, foreign_key="agency_clients.id", ondelete="CASCADE"
    )
    watch: dict[str, Any] = json_column()
    reported: list[str] = json_column("[]")
    reported_at: datetime | None = time_column(optional=True)
    after_id: UUID | None = Field(default=None, foreign_key="schedules.id", ondelete="SET NULL")
