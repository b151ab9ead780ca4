"""Columns and indexes that many tables have."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Identity, Index, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP
from sqlalchemy.types import Text
from sqlmodel import Field

GEN_ID = text("gen_random_uuid()")
NOW = text("now()")


def id_column() -> Any:
    """A uuid primary key that Postgres fills in."""
    return Field(default=None, primary_key=True, sa_column_kwargs={"server_default": GEN_ID})


def sequence_column() -> Any:
    """A bigint identity primary key, in insertion order."""
    key = Column(BigInteger, Identity(always=True), primary_key=True)
    return Field(default=None, sa_column=key)


def time_column(*, optional: bool = False) -> Any:
    """A timestamp with zone, now by default unless optional."""
    column = Column(
        TIMESTAMP(timezone=True), nullable=optional, server_default=None if optional else NOW
    )
    return Field(default=None, sa_column=column)


def json_column(default: str | None = "{}") -> Any:
    """A jsonb column."""
    server = None if default is None else text(f"'{default}'::jsonb")
    return Field(
        default=None, sa_column=Column(JSONB, nullable=default is None, server_default=server)
    )


def texts_column() -> Any:
    """A text[] column, empty by default."""
    return Field(
        default=None,
        sa_column=Column(ARRAY(Text), nullable=False, server_default=text("'{}'::text[]")),
    )


def default_column(value: str) -> Any:
    """A text column with a server default."""
    return Field(default=value, sa_column=Column(Text, nullable=False, server_default=value))


def flag_column(*, default: bool = False) -> Any:
    """A boolean column with a server default."""
    value = text(str(default).lower())
    return Field(default=default, sa_column_kwargs={"server_default": value})


def count_column() -> Any:
    """An integer column, 0 by default."""
    return Field(default=0, sa_column_kwargs={"server_default": text("0")})


def reference_column(key: str, **options: Any) -> Any:
    """A foreign key that may be null; `ondelete` as in SQL."""
    return Field(default=None, foreign_key=key, **options)


def times_column() -> Any:
    """A timestamptz[] column, empty by default."""
    column = Column(
        ARRAY(TIMESTAMP(timezone=True)),
        nullable=False,
        server_default=text("'{}'::timestamptz[]"),
    )
    return Field(default=None, sa_column=column)


def partial_index(name: str, *columns: Any, where: str, unique: bool = False) -> Index:
    """Return an index on the rows that fulfil a condition."""
    return Index(name, *columns, unique=unique, postgresql_where=text(where))


def reference_index(table: str, column: str) -> Index:
    """Return an index on a foreign key, for deleting the row it refers to."""
    return partial_index(f"{table}_{column}", column, where=f"{column} is not null")
