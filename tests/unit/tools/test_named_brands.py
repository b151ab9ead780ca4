"""What is said of a brand that has no list, that is archived, or that nobody named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agencyclaw.domain.conversations import Channel
from agencyclaw.domain.errors import NotFound, NotMapped
from agencyclaw.domain.people import ChannelKind, Scope, ScopeKind
from agencyclaw.tools.brand_records import update_brand
from agencyclaw.tools.brands import SHOWN_AT_MOST, BrandList, choose_brand, lookup_brand
from agencyclaw.tools.clients import FoundClient, find_client, lookup_client
from agencyclaw.tools.kpi import kpi_target_lookup
from agencyclaw.tools.messages import find_conversation
from agencyclaw.tools.readiness import clickup_task_duplicate_check
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_lookup import find_task
from agencyclaw.tools.tasks import list_tasks
from tests.fakes.ports import Agency, FakeMessages, a_brand, an_id, context, demo_agency

GROUP = "Brightkettle Group"


async def listed(agency: Agency, client: str) -> BrandList:
    found = await lookup_brand(context(agency.run()), client=client)
    assert isinstance(found, BrandList)
    return found


async def test_who_looks_for_tasks_where_none_can_be_is_not_told_of_a_new_one() -> None:
    deps = demo_agency().run()
    run = context(deps)
    looks = (
        list_tasks(run, client="Roderick", brand="Rodric Home"),
        clickup_task_duplicate_check(run, "Roderick", "Fix the banner", "Rodric Home"),
        find_task(deps, "Fix the banner", "Northwater"),
    )
    for look in looks:
        with pytest.raises(NotMapped, match="there are no tasks to look at"):
            await look


async def test_a_client_without_brands_has_none_of_any_name() -> None:
    agency = demo_agency()
    agency.directory.all_brands = []
    found = await listed(agency, "Northwater")

    assert (found.brands, found.note) == ((), "There are no brands that this person may see.")


async def test_which_brand_is_not_asked_of_a_client_that_has_none() -> None:
    agency = demo_agency()
    agency.directory.all_brands = []
    run = context(agency.run())
    for look in (kpi_target_lookup(run, "Northwater"), update_brand(run, "Northwater", "")):
        with pytest.raises(NotFound, match="Northwater has no brands"):
            await look


async def test_archived_brands_that_are_not_listed_are_counted() -> None:
    agency = demo_agency()
    names = [f"Old {number}" for number in range(SHOWN_AT_MOST + 1)]
    gone = [a_brand("Northwater", name, status="archived") for name in names]
    agency.directory.all_brands += gone[1:]
    assert (await listed(agency, "Northwater")).archived == tuple(names[1:])

    agency.directory.all_brands.append(gone[0])
    assert (await listed(agency, "Northwater")).archived[SHOWN_AT_MOST:] == ("and 1 more",)


async def test_a_brand_that_is_archived_is_not_said_to_be_none_that_an_admin_may_see() -> None:
    agency = demo_agency()
    agency.directory.all_brands = [a_brand("Northwater", "Old", status="archived")]
    found = await lookup_brand(context(agency.run()), brand="Old")

    assert isinstance(found, BrandList)
    assert (found.archived, found.note) == (("Old",), None)


async def test_names_that_are_not_listed_are_counted() -> None:
    agency = demo_agency()
    agency.directory.all_brands = [a_brand("Northwater", f"B{number}") for number in range(26)]
    names = [f"lamps-{number}" for number in range(26)]
    known = tuple(Channel(id=name, name=name, kind=ChannelKind.PUBLIC) for name in names)
    agency.messages = FakeMessages(known=known)
    deps = agency.run()
    [client] = (await lookup_client(context(deps), "Northwater")).clients
    asked = await find_conversation(deps, "lamps", set())

    assert client.brands[-2:] == ("B24", "and 1 more")
    assert isinstance(asked, Ask)
    assert asked.question.endswith("#lamps-24, and 1 more?")


async def test_the_clients_name_in_a_brands_channel_is_no_brand_that_nobody_knows() -> None:
    about = Scope(
        client_id=an_id(f"client {GROUP}"),
        client_name=GROUP,
        brand_id=an_id(f"brand {GROUP} Tessera"),
        brand_name="Tessera",
    )
    run = demo_agency().run(scope=ScopeKind.CLIENT_SCOPED, client=GROUP, about=about)
    deps = replace(run, calling="create_task")
    found = await find_client(deps, GROUP)
    assert isinstance(found, FoundClient)
    asked = choose_brand(deps, found, GROUP, is_about_products=True)

    assert isinstance(asked, Ask)
    assert asked.question == f"Which brand of {GROUP} is it for?"
    assert asked.labels == ("Copperleaf", "Nordvent", "Tessera")


async def test_which_of_several_brands_without_a_list_is_meant_is_asked() -> None:
    agency = demo_agency()
    agency.directory.all_brands += [a_brand(GROUP, "Alpha Pro"), a_brand(GROUP, "Alpha Lite")]
    deps = agency.run()
    found = await find_client(deps, GROUP)
    assert isinstance(found, FoundClient)
    asked = choose_brand(deps, found, "alpha", is_about_products=False)

    assert isinstance(asked, Ask)
    assert set(asked.labels) == {"Alpha Pro", "Alpha Lite"}
    with pytest.raises(NotMapped, match="Alpha Lite isn't linked"):
        choose_brand(deps, found, "Alpha Lite", is_about_products=False)
