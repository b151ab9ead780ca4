"""What a task's card and refusals say beside its facts: identifiers nobody knows, who can help."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from agencyclaw.domain.clients import SpaceClassification
from agencyclaw.domain.errors import NotMapped, Unavailable
from agencyclaw.domain.people import Tier
from agencyclaw.domain.products import Product
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.proposals.notices import too_late_to_undo
from agencyclaw.tools.drafting import draft_task
from agencyclaw.tools.gaps import NamedRecords, QuotedTask, TaskRequest
from agencyclaw.tools.places import find_link
from agencyclaw.tools.products import Catalog, catalog_lookup
from agencyclaw.tools.results import Ask
from tests.fakes.ports import (
    SHARED_LIST,
    FakeCatalog,
    a_brand,
    an_id,
    context,
    demo_agency,
)
from tests.fakes.slack_store import a_proposal
from tests.unit.tools.test_task_drafts import BLACK, SILVER, a_catalog, task


async def test_an_identifier_that_the_catalog_does_not_have_is_remarked_on() -> None:
    said = "for B0CF7GARL1 and B0CF7XXXX9"
    given = ["B0CF7GARL1", "B0CF7XXXX9"]
    made = await task(a_catalog(BLACK, SILVER), said=said, product_identifiers=given)

    line = "B0CF7XXXX9 is not in Brightkettle Group's product catalog."
    assert line in made.preview().missing
    assert f"- {line}" in made.body


async def test_many_identifiers_that_the_catalog_does_not_have_are_one_point() -> None:
    given = [f"B0CF7XX{at:03d}" for at in range(12)]
    coupon = {"type": "coupon", "discount": {"value": "20%", "quote": "20% off"}}
    made = await task(
        a_catalog(BLACK, SILVER),
        said=f"a coupon, 20% off, for {' '.join(given)}",
        product_identifiers=given,
        promotion=coupon,
    )

    listed = ", ".join(given[:8])
    line = f"{listed} and 4 more are not in Brightkettle Group's product catalog."
    assert [one for one in made.preview().missing if "product catalog" in one] == [line]


@dataclass
class CatalogAway(FakeCatalog):
    async def products(self, *_: object, **__: object) -> list[Product]:
        raise Unavailable("502")


async def test_a_catalog_that_cannot_be_read_says_nothing_of_an_identifier() -> None:
    agency = replace(demo_agency(), catalog=CatalogAway())
    made = await task(agency, said="for B0CF7XXXX9", product_identifiers=["B0CF7XXXX9"])

    assert made.identifiers == ("B0CF7XXXX9",)
    assert not any("product catalog" in one for one in made.preview().missing)


@pytest.mark.parametrize(
    ("tier", "remedy"),
    [
        (Tier.ADMIN, "You can link it, as an admin"),
        (Tier.MEMBER, "An admin (Ines Varga) has to link its space or list first"),
    ],
)
async def test_without_a_list_everybody_learns_who_can_link_it(tier: Tier, remedy: str) -> None:
    agency = demo_agency()
    agency.directory.staff = [
        one.model_copy(update={"is_admin": one.name == "Ines Varga"})
        for one in agency.directory.staff
    ]
    named = NamedRecords("Northwater", None, None, (), None)
    ctx = context(agency.run(tier=tier))

    with pytest.raises(NotMapped) as refused:
        await draft_task(ctx, named, TaskRequest("A banner", "Make it"), QuotedTask())

    assert remedy in refused.value.message
    assert "stays in this thread" in refused.value.message


async def test_a_space_that_is_unknown_is_asked_for_among_those_that_are_known() -> None:
    agency = demo_agency()
    agency.directory.standings = {
        "h": SpaceClassification.BRAND_SCOPED,
        "n": SpaceClassification.BRAND_SCOPED,
        "x": SpaceClassification.SHARED_SERVICE,
    }
    asked = await find_link(agency.run(), "Atlantis", None)

    assert isinstance(asked, Ask)
    assert asked.labels == ("Space h", "Space n")
    assert "“Atlantis”" in asked.question


async def test_a_look_up_names_the_identifier_that_the_catalog_does_not_have() -> None:
    ctx = context(a_catalog(BLACK, SILVER).run())
    found = await catalog_lookup(ctx, "Copperleaf", "B0CF7GARL1 B0CF7XXXX9")

    assert isinstance(found, Catalog)
    assert "B0CF7XXXX9 is not in the catalog." in found.note
    assert "B0CF7GARL1 is not" not in found.note


async def test_the_brand_of_a_product_says_nothing_where_there_is_no_other() -> None:
    agency = a_catalog(BLACK)
    brands = agency.directory.all_brands
    owner = an_id("client Brightkettle Group")
    agency.directory.all_brands = [
        one for one in brands if one.client_id != owner or one.name == "Copperleaf"
    ]
    made = await task(agency, brand=None, said="20% coupon for B0CF7GARL1, client Brightkettle")

    assert dict(made.preview().fields)["Brand"] == "Copperleaf"


async def test_a_brand_that_gets_its_tasks_onto_the_list_of_another_is_remarked_on() -> None:
    agency = demo_agency()
    agency.board.inboxes["n"] = await agency.board.list_ref(SHARED_LIST)
    agency.directory.all_brands.append(a_brand("Brightkettle Group", "Kettle Kids", space_id="n"))
    made = await task(agency, brand="Kettle Kids", product_identifiers=[], identifiers_pending=True)

    assert any(
        one.startswith("Kettle Kids has no list of its own: this is the one of Copperleaf")
        for one in made.preview().against
    )


async def test_a_list_of_an_unknown_name_is_asked_for_with_those_there_are() -> None:
    agency = demo_agency()
    agency.directory.standings = {"h": SpaceClassification.BRAND_SCOPED}
    asked = await find_link(agency.run(), None, "Northwater Backlog")

    assert isinstance(asked, Ask)
    assert asked.question.startswith("I found no ClickUp list called “Northwater Backlog” there.")
    assert asked.labels == ("Inbox in Space h",)


def test_after_the_time_for_undo_it_says_what_can_still_be_done() -> None:
    late = too_late_to_undo(a_proposal(state=ProposalState.DONE))

    assert late.endswith("Ask me to change it instead.")
