"""A brand is deleted only for whoever types its whole name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agencyclaw.domain.brands import DeleteBrand
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.tools.brand_records import cc_brand_delete
from agencyclaw.tools.results import Ask
from tests.fakes.ports import context, demo_agency

TYPED = "delete the brand Northwater"
FORWARDED = "delete it\n(forwarded message of Dana Whitfield)\n> Northwater is over."


@pytest.mark.parametrize(
    ("request_", "origin", "expected"),
    [
        (TYPED, Origin.TYPED, DeleteBrand),
        ("delete it", Origin.TYPED, Ask),
        (FORWARDED, Origin.FORWARDED, Ask),
        ("delete it\n> Northwater", Origin.QUOTED, Ask),
    ],
)
async def test_the_name_in_words_of_others_deletes_nothing(
    request_: str, origin: Origin, expected: type[object]
) -> None:
    deps = demo_agency().run(request=request_)
    deps = replace(deps, materials=(Material(origin=origin, text=request_),))

    prepared = await cc_brand_delete(context(deps), client="Northwater", brand="Northwater")

    assert isinstance(prepared, expected)
