"""The table of a record comes from its declaration."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, ClassVar, Literal
from uuid import uuid4

import pytest
from pydantic import Field
from sqlalchemy import MetaData
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.clients import Named
from agencyclaw.domain.records import Fields, Record, SetRecord
from agencyclaw.store.record_tables import table_of

Weight = Annotated[Decimal, Field(ge=0, max_digits=6, decimal_places=2)]


class Parcel(Fields):
    """What is recorded of a parcel."""

    sent: date
    seen: datetime | None = None
    weight: Annotated[Weight | None, Field(title="Weight in kg")] = None
    boxes: int = 1
    size: Literal["small", "large"] = "small"
    is_gift: bool = False
    packed: date = Field(default_factory=date.today)


class SendParcel(SetRecord[Parcel], ClientChange):
    """A parcel that somebody sends to a client."""

    record: ClassVar[Record] = Record(
        Parcel, "parcels", ("client", "sender", "code"), columns={"boxes": "box_count"}
    )

    sender: Named
    code: Annotated[str, Field(max_length=20)]


class Crate(Fields):
    """What would be recorded of a crate, with a person whom no column can give back."""

    packed_by: Named | None = None


class SendCrate(SetRecord[Crate], ClientChange):
    record: ClassVar[Record] = Record(Crate, "crates", ("client",))


class Pallet(Fields):
    """What would be recorded of a pallet, with several codes."""

    codes: tuple[str, ...] = ()


class SendPallet(SetRecord[Pallet], ClientChange):
    record: ClassVar[Record] = Record(Pallet, "pallets", ("client",))


class Shelf(Fields):
    """What would be recorded of a brand's shelf."""

    note: str = ""


class FillShelf(SetRecord[Shelf], ClientChange):
    record: ClassVar[Record] = Record(Shelf, "shelves", ("brand",))

    brand: Named


def test_a_record_with_a_brand_in_its_key_is_of_that_brand() -> None:
    brand, client = Named(id=uuid4(), name="Copperleaf"), Named(id=uuid4(), name="Brightkettle")

    assert FillShelf(client=client, brand=brand).of_brand == brand
    assert SendCrate(client=client).of_brand is None


def test_a_record_has_a_column_for_each_field_of_its_key_and_contents() -> None:
    table = table_of(SendParcel, MetaData())
    written = str(CreateTable(table, include_foreign_key_constraints=[]))
    lines = [line.strip().rstrip(",") for line in written.splitlines()]

    for line in (
        "client_id CHAR(32) NOT NULL",
        "sender_id CHAR(32) NOT NULL",
        "code VARCHAR NOT NULL",
        "sent DATE NOT NULL",
        "weight NUMERIC",
        "box_count BIGINT DEFAULT '1' NOT NULL",
        "size VARCHAR DEFAULT 'small' NOT NULL",
        "is_gift BOOLEAN DEFAULT 'False' NOT NULL",
        "packed DATE NOT NULL",
    ):
        assert line in lines, lines
    assert table.c["seen"].nullable


def test_whom_a_record_is_of_is_referred_to_and_takes_it_along() -> None:
    table = table_of(SendParcel, MetaData())

    for column, there in (("client_id", "agency_clients.id"), ("sender_id", "profiles.id")):
        [key] = table.c[column].foreign_keys
        assert (key.target_fullname, key.ondelete) == (there, "CASCADE")


def test_one_record_per_key_is_active() -> None:
    [index] = table_of(SendParcel, MetaData()).indexes

    assert str(CreateIndex(index).compile(dialect=postgresql.dialect())) == (
        "CREATE UNIQUE INDEX parcels_active ON parcels (client_id, sender_id, code) WHERE active"
    )


@pytest.mark.parametrize(("kind", "field"), [(SendCrate, "packed_by"), (SendPallet, "codes")])
def test_a_field_that_no_column_can_hold_is_refused(
    kind: type[SetRecord[Fields]], field: str
) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__}: no column holds its {field}"):
        table_of(kind, MetaData())
