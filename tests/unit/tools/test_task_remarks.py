"""What a task's card and refusals say beside its facts: identifiers nobody knows, who can help."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from agencyclaw.domain.clients import SpaceClassification
from agencyclaw.domain.errors import NotMapped, Unavailable
from agencyclaw.domain.people import Tier
from agencyclaw.domain.products import Product
from agencyclaw.tools.drafting import draft_task
from agencyclaw.tools.gaps import NamedRecords, QuotedTask, TaskRequest
from agencyclaw.tools.places import find_link
from agencyclaw.tools.results import Ask
from tests.fakes.ports import FakeCatalog, context, demo_agency
from tests.unit.tools.test_task_drafts import BLACK, SILVER, a_catalog, task


async def test_an_identifier_that_the_catalog_does_not_have_is_remarked_on() -> None:
    said = "for B0CF7GARL1 and B0CF7XXXX9"
    given = ["B0CF7GARL1", "B0CF7XXXX9"]
    made = await task(a_catalog(BLACK, SILVER), said=said, product_identifiers=given)

    line = "B0CF7XXXX9 is not in Brightkettle Group's product catalog."
    assert [one for one in made.preview().against if "product catalog" in one] == [line]


@dataclass
class CatalogAway(FakeCatalog):
    async def products(self, *_: object, **__: object) -> list[Product]:
        raise Unavailable("502")


async def test_a_catalog_that_cannot_be_read_says_nothing_of_an_identifier() -> None:
    agency = replace(demo_agency(), catalog=CatalogAway())
    made = await task(agency, said="for B0CF7XXXX9", product_identifiers=["B0CF7XXXX9"])

    assert made.identifiers == ("B0CF7XXXX9",)
    assert not any("product catalog" in one for one in made.preview().against)


@pytest.mark.parametrize(
    ("tier", "remedy"),
    [
        (Tier.ADMIN, "You can link it, as an admin"),
        (Tier.MEMBER, "An admin (Ines Varga) has to link its space or list first"),
    ],
)
async def test_without_a_list_everybody_learns_who_can_link_it(tier: Tier, remedy: str) -> None:
    agency = demo_agency()
    agency.directory.team = [
        one.model_copy(update={"is_admin": one.name == "Ines Varga"})
        for one in agency.directory.team
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
