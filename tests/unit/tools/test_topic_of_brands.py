"""What the talk is about once a brand was named."""

from __future__ import annotations

from agencyclaw.tools.brands import lookup_brand
from tests.fakes.ports import an_id, context, demo_agency


async def test_who_names_a_brand_has_named_its_client() -> None:
    deps = demo_agency().run()

    await lookup_brand(context(deps), brand="Copperleaf")

    assert deps.topic.after(an_id("client Glintly Inc")) == an_id("client Brightkettle Group")


async def test_a_look_at_all_brands_names_none() -> None:
    deps = demo_agency().run()

    await lookup_brand(context(deps))

    assert deps.topic.clients == set()
