"""What does not fit on a card is counted on it."""

from __future__ import annotations

from agencyclaw.domain.brands import ApplyRemediation, UpdateBrand
from agencyclaw.domain.clients import SpaceClassification
from agencyclaw.domain.spaces import MOVES_AT_MOST, ClassifySpaces, ClickUpSpace, SyncSpaces
from agencyclaw.tools.brand_records import update_brand
from agencyclaw.tools.mappings import REPAIRS_AT_MOST, SHOWN_AT_MOST, apply_remediation
from agencyclaw.tools.spaces import cc_clickup_space_classify, cc_clickup_space_sync
from tests.fakes.ports import FakeBoard, a_brand, context, demo_agency


class ManySpaces(FakeBoard):
    """A workspace with more spaces than fit on a card."""

    async def spaces(self) -> list[ClickUpSpace]:
        numbers = map(str, range(MOVES_AT_MOST + 2))
        return [ClickUpSpace(id=one, name=f"Space {one}", workspace="w") for one in numbers]


async def test_a_card_of_spaces_says_how_many_more_differ() -> None:
    agency = demo_agency()
    agency.board = ManySpaces()
    made = await cc_clickup_space_sync(context(agency.run()))

    assert isinstance(made, SyncSpaces)
    assert len(made.moves) == MOVES_AT_MOST
    assert made.preview().against == ("2 more differ: compare again after this.",)


async def test_a_card_of_repairs_says_how_many_more_there_are() -> None:
    agency, linked = demo_agency(), a_brand("Pawtrail", "Linked", space_id="s1", list_id="l1")
    halves = [
        a_brand("Pawtrail", f"Half {number}", list_id="l1") for number in range(REPAIRS_AT_MOST + 3)
    ]
    bare = [a_brand("Hearthlane", f"Bare {number}") for number in range(SHOWN_AT_MOST // 2 + 2)]
    agency.directory.all_brands = [linked, *halves, *bare]
    made = await apply_remediation(context(agency.run()))

    assert isinstance(made, ApplyRemediation)
    assert len(made.repairs) == REPAIRS_AT_MOST
    assert made.preview().missing[SHOWN_AT_MOST:] == (
        "and 4 more",
        "3 more can be repaired: ask for it again after this.",
    )


async def test_a_card_says_how_many_more_brands_use_a_space() -> None:
    agency = demo_agency()
    agency.directory.standings = {"many": SpaceClassification.BRAND_SCOPED}
    agency.directory.all_brands += [
        a_brand("Pawtrail", f"Line {number}", space_id="many") for number in range(8)
    ]
    run = context(agency.run())
    out_of_use = await cc_clickup_space_classify(run, ["Space many"], "inactive")
    linked = await update_brand(run, "Northwater", "Northwater", home="Space many")

    assert isinstance(out_of_use, ClassifySpaces)
    assert "Line 4, and 3 more" in out_of_use.against[0]
    assert isinstance(linked, UpdateBrand)
    assert "Line 4 (Pawtrail), and 3 more" in linked.remarks[0]
