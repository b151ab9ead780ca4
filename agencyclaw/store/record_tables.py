"""Tables of records that people change: those of the declared kinds, and schedules."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from uuid import UUID

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    ForeignKey,
    Index,
    MetaData,
    Numeric,
    String,
    Table,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import TIMESTAMP
from sqlmodel import Field, SQLModel

from agencyclaw.domain.clients import Named
from agencyclaw.domain.record_kinds import RECORD_KINDS
from agencyclaw.domain.records import SetRecord
from agencyclaw.store.columns import (
    GEN_ID,
    NOW,
    count_column,
    default_column,
    flag_column,
    id_column,
    json_column,
    time_column,
)

_REFERENCES = {"client": "agency_clients.id", "brand": "brands.id"}
_TYPES: tuple[tuple[type, Any], ...] = (
    (bool, Boolean()),
    (int, BigInteger()),
    (Decimal, Numeric()),
    (datetime, TIMESTAMP(timezone=True)),
    (date, Date()),
    (UUID, Uuid()),
    (str, String()),
)


def table_of(kind: type[SetRecord[Any]], metadata: MetaData) -> Table:
    """Return the table of a kind of record; one record per key is active.

    Raises TypeError, naming the field, for a value that no column holds.
    """
    record, names = kind.record, kind.columns()
    fields = {name: kind.model_fields[name] for name in record.key} | record.holds.model_fields
    key = (names[name] for name in record.key)
    return Table(
        record.table,
        metadata,
        Column("id", Uuid(), primary_key=True, server_default=GEN_ID),
        Column("active", Boolean(), nullable=False, server_default=text("true")),
        Column("created_by", Uuid(), ForeignKey("profiles.id")),
        Column("updated_by", Uuid(), ForeignKey("profiles.id")),
        Column("created_at", TIMESTAMP(timezone=True), nullable=False, server_default=NOW),
        Column("updated_at", TIMESTAMP(timezone=True), nullable=False, server_default=NOW),
        *(_column(kind, name, info) for name, info in fields.items()),
        Index(f"{record.table}_active", *key, unique=True, postgresql_where=text("active")),
    )


def _column(kind: type[SetRecord[Any]], field: str, info: FieldInfo) -> Column[Any]:
    """Return the column of a field, with its default for rows from before there was one."""
    column = kind.columns()[field]
    if info.annotation is Named:
        there = ForeignKey(_REFERENCES.get(field, "profiles.id"), ondelete="CASCADE")
        return Column(column, Uuid(), there, nullable=False)
    plain = _plain(info.annotation)
    held = next((one for known, one in _TYPES if issubclass(plain, known)), None)
    if held is None:
        raise TypeError(f"{kind.__name__}: no column holds its {field}")
    is_fixed = info.default not in (None, PydanticUndefined)
    is_optional = NoneType in get_args(info.annotation)
    default = str(info.default) if is_fixed else None
    return Column(column, held, nullable=is_optional, server_default=default)


def _plain(hint: Any) -> Any:
    """Return the type of a field's values, apart from its limits and None."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return type(parts[0])  # pyright: ignore[reportUnknownVariableType]
    if origin in (Annotated, Union, UnionType):
        return _plain(next(one for one in parts if one is not NoneType))
    return origin or hint


for _kind in RECORD_KINDS:
    table_of(_kind, SQLModel.metadata)


class ScheduleRow(SQLModel, table=True):
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
    id: UUID = id_column()
    active: bool = flag_column(default=True)
    created_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    updated_by: UUID | None = Field(default=None, foreign_key="profiles.id")
    created_at: datetime = time_column()
    updated_at: datetime = time_column()
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
