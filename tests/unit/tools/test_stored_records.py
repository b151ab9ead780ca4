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


async def completed(after: Packaging) -> SetPackaging:
    deps = replace(demo_agency().run(request="set it"), directory=Storing())
    return await with_stored(deps, SetPackaging(client=GLINTLY, after=after))


async def test_fields_that_are_not_named_keep_their_value() -> None:
    change = await completed(Packaging(supplier="Hana's printers"))

    assert change.after == Packaging(supplier="Hana's printers", boxes=4)
    assert change.wanted() == {"supplier": "Hana's printers"}


async def test_what_is_recorded_already_is_refused() -> None:
    with pytest.raises(Refused, match="recorded already"):
        await completed(Packaging(supplier="Miguel's printers"))
