"""Fills a database with the fictional agency; run again, it adds what is missing."""

from __future__ import annotations

from typing import Any

from pydantic import Field
from sqlalchemy import Insert
from sqlalchemy.dialects.postgresql import insert

from agencyclaw.domain.people import Value
from agencyclaw.store import lanternfish
from agencyclaw.store.catalogue import Row, install_catalogue
from agencyclaw.store.engine import Database
from agencyclaw.store.tables import (
    AgencyClient,
    BrandRow,
    CatalogProduct,
    ClickUpSpace,
    ClientAssignment,
    ClientMemoryNote,
    PlaybookSop,
    Profile,
    SurfaceBinding,
    UserPreferences,
)


class SeedReport(Value):
    """How many rows were written to which table."""

    counts: dict[str, int] = Field(default_factory=dict[str, int])

    @property
    def total(self) -> int:
        """All rows written."""
        return sum(self.counts.values())


async def seed(db: Database) -> SeedReport:
    """Load Lanternfish Commerce; what somebody has changed since stays as it is.

    Procedures follow the files: a newer version replaces the older text.
    """
    counts = await install_catalogue(db)
    async with db.session() as session:
        for table, rows in _agency():
            name = _name_of(table)
            statement = _keep_sops(rows) if table is PlaybookSop else _keep(table, rows)
            counts[name] = (await session.exec(statement)).rowcount
        await session.commit()
    return SeedReport(counts=counts)


def agency_rows() -> list[tuple[str, list[Row]]]:
    """Return what the fictional agency consists of, by table."""
    return [(_name_of(table), rows) for table, rows in _agency()]


def _name_of(table: Any) -> str:
    return table.__tablename__


def _agency() -> list[tuple[Any, list[Row]]]:
    """Return the tables in the order in which they refer to each other."""
    clients = lanternfish.read_clients()
    places = lanternfish.read_places()
    memory = lanternfish.read_memory()
    return [
        (Profile, lanternfish.person_rows()),
        (AgencyClient, lanternfish.client_rows(clients)),
        (BrandRow, lanternfish.brand_rows(clients)),
        (ClientAssignment, lanternfish.assignment_rows(clients)),
        (PlaybookSop, lanternfish.sop_rows()),
        (ClickUpSpace, lanternfish.space_rows(places)),
        (SurfaceBinding, lanternfish.channel_rows(places)),
        (CatalogProduct, lanternfish.product_rows()),
        (ClientMemoryNote, lanternfish.note_rows(memory)),
        (UserPreferences, lanternfish.preference_rows(memory)),
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
        # What was taken over from ClickUp since is newer than the file.
        where=old.version.is_distinct_from(new.version) & old.last_synced_at.is_(None),
    )
