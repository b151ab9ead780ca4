"""Loads the demo agency into a database; run again, it adds what is missing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import Field
from sqlalchemy import Insert, delete, func, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from agencyclaw.domain.people import Value
from agencyclaw.store import demo_agency
from agencyclaw.store.catalogue import Row, install_roles
from agencyclaw.store.engine import Database
from agencyclaw.store.tables import (
    AgencyClient,
    BrandRow,
    CatalogProduct,
    ClientAssignment,
    ClientMemoryNote,
    PlaybookSop,
    Profile,
    RegisteredSpace,
    SurfaceBinding,
    UserPreferences,
)

_LEFT = {
    "employment_status": "inactive",
    "is_admin": False,
    "role": "viewer",
    "slack_user_id": None,
    "clickup_user_id": None,
}


class SeedReport(Value):
    """The number of rows written or removed, by table."""

    counts: dict[str, int] = Field(default_factory=dict[str, int])

    @property
    def total(self) -> int:
        """The number of all rows."""
        return sum(self.counts.values())


async def seed(db: Database) -> SeedReport:
    """Load Lanternfish Commerce; rows that somebody changed are left alone.

    Procedures follow the files: a newer version replaces the older text.
    """
    counts = {"agency_roles": await install_roles(db)}
    async with db.session() as session:
        for table, rows in _agency():
            name = _name_of(table)
            statement = _keep_sops(rows) if table is PlaybookSop else _keep(table, rows)
            counts[name] = (await session.exec(statement)).rowcount
        await session.commit()
    return SeedReport(counts=counts)


async def remove_seeded(db: Database) -> SeedReport:
    """Remove Lanternfish Commerce with what hangs on its clients; returns the rows removed.

    A procedure that was copied from ClickUp stays. A person whom the audit names stays, archived
    and without accounts.
    """
    counts: dict[str, int] = {}
    async with db.session() as session:
        for table, rows in reversed(_agency()):
            ids = [row["id"] for row in rows]
            counts[_name_of(table)] = sum([await _remove(session, table, one) for one in ids])
        seeded = col(Profile.id).in_([row["id"] for row in demo_agency.person_rows()])
        await session.exec(update(Profile).where(seeded).values(**_LEFT))
        await session.commit()
    return SeedReport(counts=counts)


async def count_seeded(db: Database) -> SeedReport:
    """Return how many rows of Lanternfish Commerce are there."""
    counts: dict[str, int] = {}
    async with db.session() as session:
        for table, rows in _agency():
            ids = [row["id"] for row in rows]
            present = select(func.count()).select_from(table).where(table.id.in_(ids))
            counts[_name_of(table)] = (await session.exec(present)).one()
    return SeedReport(counts=counts)


async def _remove(session: AsyncSession, table: Any, row_id: UUID) -> int:
    """Remove a row; returns 0 if it is not there or has to stay."""
    statement = delete(table).where(table.id == row_id)
    if table is PlaybookSop:
        statement = statement.where(col(PlaybookSop.last_synced_at).is_(None))
    try:
        async with session.begin_nested():
            return (await session.exec(statement)).rowcount
    except IntegrityError:
        return 0


def agency_rows() -> list[tuple[str, list[Row]]]:
    """Return the demo agency's rows by table."""
    return [(_name_of(table), rows) for table, rows in _agency()]


def _name_of(table: Any) -> str:
    return table.__tablename__


def _agency() -> list[tuple[Any, list[Row]]]:
    """Return the tables in the order of their references."""
    clients = demo_agency.read_clients()
    places = demo_agency.read_places()
    memory = demo_agency.read_memory()
    return [
        (Profile, demo_agency.person_rows()),
        (AgencyClient, demo_agency.client_rows(clients)),
        (BrandRow, demo_agency.brand_rows(clients)),
        (ClientAssignment, demo_agency.assignment_rows(clients)),
        (PlaybookSop, demo_agency.sop_rows()),
        (RegisteredSpace, demo_agency.space_rows(places)),
        (SurfaceBinding, demo_agency.channel_rows(places)),
        (CatalogProduct, demo_agency.product_rows()),
        (ClientMemoryNote, demo_agency.note_rows(memory)),
        (UserPreferences, demo_agency.preference_rows(memory)),
    ]


def _keep(table: Any, rows: list[Row]) -> Insert:
    return insert(table).values(rows).on_conflict_do_nothing()


def _keep_sops(rows: list[Row]) -> Insert:
    statement = insert(PlaybookSop).values(rows)
    old: Any = PlaybookSop
    new = statement.excluded
    return statement.on_conflict_do_update(
        index_elements=["clickup_doc_id", "clickup_page_id"],
        set_={"name": new.name, "content_md": new.content_md, "version": new.version},
        # A procedure copied from ClickUp is newer than the file.
        where=old.version.is_distinct_from(new.version) & old.last_synced_at.is_(None),
    )
