"""A change of a record keeps what it does not name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from agencyclaw.domain.clients import Named
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.records import SetRecord
from agencyclaw.tools.records import with_stored
from tests.fakes.ports import FakeDirectory, demo_agency
from tests.unit.tools.test_text_sources import Packaging, SetPackaging

GLINTLY = Named(id=UUID(int=1), name="Glintly Inc")


class Storing(FakeDirectory):
    """A directory with one record."""

    async def record(self, change: SetRecord[Any]) -> Any:
        """Return the record."""
        return Packaging(supplier="Miguel's printers", boxes=4)


class Empty(FakeDirectory):
    """A directory without records."""

    async def record(self, change: SetRecord[Any]) -> Any:
        """Return that there is none."""
        return None


async def completed(directory: FakeDirectory, **fields: object) -> SetPackaging:
    deps = replace(demo_agency().run(request="set it"), directory=directory)
    return await with_stored(deps, SetPackaging(client=GLINTLY), fields)


async def test_fields_that_are_not_named_keep_their_value() -> None:
    change = await completed(Storing(), supplier="Hana's printers", boxes=None)

    assert change.after == Packaging(supplier="Hana's printers", boxes=4)
    assert change.wanted() == {"supplier": "Hana's printers"}


async def test_a_field_that_a_new_record_needs_may_be_left_out_of_a_change() -> None:
    change = await completed(Storing(), boxes=5)

    assert change.after == Packaging(supplier="Miguel's printers", boxes=5)


async def test_what_a_new_record_lacks_is_named() -> None:
    with pytest.raises(Refused, match="needs this too: Packed by"):
        await completed(Empty(), boxes=5)


async def test_without_any_field_the_record_is_removed() -> None:
    change = await completed(Storing(), supplier=None, boxes=None)

    assert (change.before is None, change.after) == (False, None)


async def test_what_is_recorded_already_is_refused() -> None:
    with pytest.raises(Refused, match="recorded already"):
        await completed(Storing(), supplier="Miguel's printers")


async def test_what_is_not_recorded_is_not_removed() -> None:
    with pytest.raises(Refused, match="no such record"):
        await completed(Empty())
