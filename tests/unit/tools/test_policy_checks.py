"""One client's tool may be closed: for it nothing is read or listed, for the others all is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fakes.ports import Agency, a_brand, a_client, a_row, context, demo_agency

from agencyclaw.deps import Deps
from agencyclaw.domain.brands import CreateBrand
from agencyclaw.domain.clients import SpaceClassification
from agencyclaw.domain.errors import NotAllowed
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.policy import Limit, Override
from agencyclaw.tools.brand_records import create_brand
from agencyclaw.tools.brands import BrandList, lookup_brand
from agencyclaw.tools.clients import FoundClient, find_client, lookup_client
from agencyclaw.tools.mappings import audit_brand_mappings, cc_brand_mapping_remediation_preview
from agencyclaw.tools.results import Ask, Proposed, Refusal
from agencyclaw.tools.spaces import cc_clickup_space_list
from tests.unit.tools.test_gate import called

GLINTLY = a_client("Glintly Inc").id


def closed(tool: str, **decided: Any) -> Override:
    return Override(tool=tool, scope="client", scope_id=str(GLINTLY), **decided)


def calling(tool: str, *overrides: Override) -> Deps:
    return replace(demo_agency().run(overrides=overrides), calling=tool)


async def test_a_closed_client_is_found_by_no_name_of_its_own() -> None:
    deps = calling("list_tasks", closed("list_tasks", enabled=False))

    for hint in ("Glintly Inc", "glintly"):
        with pytest.raises(NotAllowed) as refused:
            await find_client(deps, hint)
        assert refused.value.reason == "skill_disabled"
    other = await find_client(deps, "Northwater")
    assert isinstance(other, FoundClient)
    assert other.client.name == "Northwater"
    assert await find_client(calling("search_kb", closed("list_tasks", enabled=False)), "Glintly")


async def test_lists_leave_a_closed_client_out() -> None:
    clients = await lookup_client(
        context(calling("lookup_client", closed("lookup_client", enabled=False)))
    )
    brands = await lookup_brand(
        context(calling("lookup_brand", closed("lookup_brand", enabled=False)))
    )

    assert clients.total == 6
    for one in (clients, brands):
        assert one.reach == "Clients for which admins restrict this were not looked at."
    assert "without those for which admins restrict this, are listed" in (clients.scope_note or "")
    assert "Glintly Inc" not in [one.name for one in clients.clients]
    assert isinstance(brands, BrandList)
    assert "Glintly Inc" not in [one.client for one in brands.brands]
    assert "Casa Mundo" in [one.client for one in brands.brands]


@pytest.mark.parametrize(
    "tool", [audit_brand_mappings, cc_brand_mapping_remediation_preview, cc_clickup_space_list]
)
async def test_a_report_over_all_clients_says_that_a_closed_one_is_left_out(tool: Any) -> None:
    whole = await tool(context(calling(tool.__name__)))
    less = await tool(context(calling(tool.__name__, closed(tool.__name__, enabled=False))))

    assert whole.reach == ""
    assert less.reach == "Clients for which admins restrict this were not looked at."


async def test_a_clients_own_limit_counts_calls_about_it_and_no_others() -> None:
    agency = demo_agency()
    limited = closed("list_tasks", calls_per_hour=1)

    def a_call() -> Deps:
        return replace(agency.run(overrides=(limited,)), calling="list_tasks")

    await find_client(a_call(), "Northwater")
    first = a_call()
    await find_client(first, "Glintly Inc")
    await find_client(first, "Glintly")
    with pytest.raises(NotAllowed, match="used that once within the last hour") as refused:
        await find_client(a_call(), "Glintly Inc")

    assert refused.value.reason == "rate_limited"
    assert agency.meter.used == {("list_tasks", Limit(1, GLINTLY).client_id): 1}


def sharing() -> Agency:
    """Space g is Glintly's and Casa Mundo's, space p is Pawtrail's alone."""
    agency = demo_agency()
    spaces = {"Glintly": "g", "Pawtrail": "p"}
    agency.directory.standings = {
        key: SpaceClassification.BRAND_SCOPED for key in ("g", "p", "free")
    }
    agency.directory.all_brands = [
        brand.model_copy(update={"space_id": spaces.get(brand.name), "list_id": None})
        for brand in agency.directory.all_brands
    ]
    return agency


async def test_of_more_brands_in_a_space_than_are_named_it_says_how_many_more() -> None:
    agency = sharing()
    agency.directory.all_brands += [
        a_brand("Casa Mundo", f"Casa {number}", space_id="g") for number in range(6)
    ]
    made = await create_brand(context(agency.run()), "Glintly Inc", "Glintly Pro", home="Space g")

    assert isinstance(made, CreateBrand)
    [told] = made.remarks
    assert told.count("Casa Mundo") + told.count("Glintly Inc") == 5
    assert "more" in told


async def test_a_list_is_also_used_by_a_brand_whose_space_puts_its_tasks_there() -> None:
    agency = demo_agency()
    agency.directory.standings = {"h": SpaceClassification.BRAND_SCOPED}
    place = {"home": "Space h", "list_name": "Inbox"}
    made = await create_brand(context(agency.run()), "Pawtrail", "Pawtrail Home", **place)

    assert isinstance(made, CreateBrand)
    assert made.remarks == ("Also used by: Hearthlane (Hearthlane).",)


async def test_a_clients_channel_names_no_space_and_no_sharing_of_others() -> None:
    agency = sharing()
    bound = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Glintly Inc")
    bound = replace(bound, calling="create_brand")
    own = await create_brand(context(bound), "Glintly Inc", "Glintly Pro", home="Space g")
    everywhere = await create_brand(
        context(agency.run()), "Glintly Inc", "Glintly Pro", home="Space g"
    )

    assert isinstance(own, CreateBrand)
    assert isinstance(everywhere, CreateBrand)
    assert "Casa Mundo" not in str(own.remarks)
    assert "Casa Mundo" in str(everywhere.remarks)
    foreign = await create_brand(context(bound), "Glintly Inc", "Glintly Pro", home="Space p")
    assert isinstance(foreign, Ask)
    assert "Space p" not in foreign.labels
    assert await create_brand(context(bound), "Glintly Inc", "Glintly Pro", home="Space free")


@pytest.mark.parametrize(
    ("decided", "reason"),
    [({"enabled": False}, "skill_disabled"), ({"calls_per_hour": 0}, "rate_limited")],
)
@pytest.mark.parametrize("task", ["Fix listing", "https://app.clickup.com/t/86h"])
async def test_a_closed_clients_task_is_read_neither_by_title_nor_by_link(
    task: str, decided: dict[str, Any], reason: str
) -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Fix listing", id="86h")]}
    deps = agency.run(overrides=(closed("read_task", **decided),))

    refused = (await called(deps, "read_task", {"task": task, "client": "Glintly Inc"})).content

    assert isinstance(refused, Refusal)
    assert refused.reason == reason


@pytest.mark.parametrize("named", [{"client": "Glintly Inc"}, {}])
async def test_a_change_counts_once_for_the_one_client_it_touches_named_or_not(
    named: dict[str, str],
) -> None:
    agency = demo_agency()
    agency.directory.all_brands = [
        a_brand("Glintly Inc", "Linked", space_id="s1", list_id="l1"),
        a_brand("Glintly Inc", "Half", list_id="l1"),
    ]
    limited = closed("apply_remediation", calls_per_hour=1)
    deps = agency.run(tier=Tier.SUPER_ADMIN, overrides=(limited,))

    first, second = [(await called(deps, "apply_remediation", named)).content for _ in range(2)]

    assert isinstance(first, Proposed)
    assert isinstance(second, Refusal)
    assert second.reason == "rate_limited"
    assert agency.meter.used == {("apply_remediation", GLINTLY): 1}
