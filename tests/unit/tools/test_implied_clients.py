"""Which client is meant if none is named: the thread's, what was named, the default; never last."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Named
from agencyclaw.domain.memory import Preferences
from agencyclaw.domain.people import Session
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.tools.clients import FoundClient, find_client
from agencyclaw.tools.implied_clients import find_by_market, find_unnamed_client
from agencyclaw.tools.results import Ask
from agencyclaw.tools.tasks import create_task
from tests.fakes.ports import Agency, a_brand, a_client, an_id, context, demo_agency
from tests.unit.tools.test_task_drafts import SILVER, a_catalog

WISH: dict[str, Any] = {
    "client": "",
    "title": "Ask for more reviews",
    "objective": "Ask the buyers of the last month for reviews of what they bought",
}


def a_run(
    agency: Agency, *, thread: str = "", elsewhere: str = "", default: str = "", said: str = ""
) -> Deps:
    known = Preferences(
        default_client=Named(id=an_id(f"client {default}"), name=default) if default else None
    )
    session = Session(
        id=an_id("session"),
        active_client_id=an_id(f"client {elsewhere}") if elsewhere else None,
        thread_client_id=an_id(f"client {thread}") if thread else None,
    )
    run = agency.run(request=said, preferences=known)
    return replace(run, session=session, calling="create_task")


async def test_the_threads_client_goes_before_the_default() -> None:
    deps = a_run(demo_agency(), thread="Glintly Inc", default="Pawtrail", elsewhere="Pawtrail")

    made = await create_task(context(deps), **WISH)

    assert isinstance(made, CreateTask), made
    assert (made.client.name, made.remarks) == ("Glintly Inc", ())


async def test_the_default_is_taken_and_said() -> None:
    deps = a_run(demo_agency(), default="Glintly Inc", elsewhere="Brightkettle Group")

    made = await create_task(context(deps), **WISH)

    assert isinstance(made, CreateTask), made
    assert made.client.name == "Glintly Inc"
    assert made.remarks == ("No client was named: Glintly Inc is your default client.",)


async def test_the_client_of_another_thread_is_offered_and_never_taken() -> None:
    asked = await create_task(context(a_run(demo_agency(), elsewhere="Pawtrail")), **WISH)

    assert isinstance(asked, Ask)
    assert asked.question.startswith("Which client is this for? Pawtrail, ")


async def test_a_product_or_brand_that_one_client_has_names_the_client() -> None:
    said = "the silver garlic press B0CF7GARL2 of Copperleaf"
    by_product, by_brand = {"product_identifiers": ["B0CF7GARL2"]}, {"brand": "Copperleaf"}
    for named in (by_product, by_brand):
        for default in ("", "Pawtrail"):
            deps = a_run(a_catalog(SILVER), default=default, elsewhere="Pawtrail", said=said)

            made = await create_task(context(deps), **{**WISH, **named})

            assert isinstance(made, CreateTask), made
            assert made.client.name == "Brightkettle Group"


@pytest.mark.parametrize("named", ["B0CF7XXXX9", "the summer ones", ""])
async def test_a_product_that_no_catalog_has_takes_no_client_from_a_named_brand(named: str) -> None:
    deps = a_run(a_catalog(SILVER), elsewhere="Pawtrail", said=f"reviews of {named}, Copperleaf")
    found = await find_unnamed_client(deps, "Copperleaf", [named])
    both = await find_unnamed_client(deps, "Copperleaf", [named, "silver garlic press"])
    of_another = await find_unnamed_client(deps, "Pawtrail", [named, "silver garlic press"])

    assert isinstance(found, FoundClient)
    assert isinstance(both, FoundClient)
    assert isinstance(of_another, FoundClient)
    assert (found.client.name, both.client.name) == ("Brightkettle Group", "Brightkettle Group")
    assert of_another.client.name == "Pawtrail"


async def test_an_identifier_no_catalog_has_leaves_client_and_brand_to_the_known_one() -> None:
    given = ["B0CF7GARL2", "B0XXXXXXX9"]
    deps = a_run(a_catalog(SILVER), said="reviews of B0CF7GARL2 and B0XXXXXXX9")

    made = await create_task(context(deps), **WISH, product_identifiers=given)

    assert isinstance(made, CreateTask), made
    assert made.brand is not None
    assert (made.client.name, made.brand.name) == ("Brightkettle Group", "Copperleaf")
    assert made.identifiers == tuple(given)
    assert dict(made.preview().fields)["Brand"] == "Copperleaf (found by the product)"
    assert any("B0XXXXXXX9 is not in" in one for one in made.unresolved)
    alone = a_run(a_catalog(SILVER), said="reviews of B0XXXXXXX9")
    asked = await create_task(context(alone), **WISH, product_identifiers=["B0XXXXXXX9"])
    assert isinstance(asked, Ask)


LTD, GMBH = "Brio Ltd", "Brio GmbH"


async def client_by(markets: tuple[str, ...], *sells: tuple[str, str, tuple[str, ...]]) -> str:
    """Which of two clients of a name is taken by marketplaces; each brand says where it sells."""
    agency = demo_agency()
    agency.directory.all_clients = [a_client(LTD), a_client(GMBH)]
    agency.directory.all_brands = [
        a_brand(client, name, marketplaces=marketplaces) for client, name, marketplaces in sells
    ]
    deps = agency.run(request="A task for Brio")
    asked = await find_client(deps, "Brio")
    assert isinstance(asked, Ask)

    found = await find_by_market(deps, "Brio", asked, markets)
    return found.client.name if isinstance(found, FoundClient) else found.kind


async def test_the_only_client_on_record_for_a_marketplace_is_taken() -> None:
    sells = ((LTD, "Lamps", ("US",)), (LTD, "Rugs", ("CA",)), (GMBH, "Desks", ("DE", "FR")))

    assert await client_by(("US",), *sells) == LTD
    assert await client_by(("US", "CA"), *sells) == LTD
    assert await client_by(("US", "DE"), *sells) == "ask"
    assert await client_by((), *sells) == "ask"


async def test_a_client_that_sells_there_by_several_brands_or_may_do_so_is_asked_about() -> None:
    both = ((LTD, "Lamps", ("US",)), (LTD, "Rugs", ("CA",)), (GMBH, "Desks", ("US", "CA")))
    unknown = ((LTD, "Lamps", ("DE",)), (LTD, "Rugs", ()), (GMBH, "Desks", ("US",)))

    assert await client_by(("US", "CA"), *both) == "ask"
    assert await client_by(("US",), *unknown) == "ask"
