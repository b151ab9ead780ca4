"""What the talk is about once a brand was named, or a task by its link."""

from __future__ import annotations

from agencyclaw.tools.brands import lookup_brand
from agencyclaw.tools.task_texts import read_task
from tests.fakes.ports import a_row, an_id, context, demo_agency


async def test_who_names_a_brand_has_named_its_client() -> None:
    deps = demo_agency().run()

    await lookup_brand(context(deps), brand="Copperleaf")

    assert deps.topic.after(an_id("client Glintly Inc")) == an_id("client Brightkettle Group")


async def test_a_look_at_all_brands_names_none() -> None:
    deps = demo_agency().run()

    await lookup_brand(context(deps))

    assert deps.topic.clients == set()


async def test_a_link_to_a_task_names_the_client_whose_task_it_is() -> None:
    agency = demo_agency()
    agency.board.lists = {"h-inbox": [a_row("Fix listing", id="86h")]}
    deps = agency.run()

    await read_task(context(deps), "https://app.clickup.com/t/9015/86h")

    assert deps.topic.after(an_id("client Glintly Inc")) == an_id("client Hearthlane")
