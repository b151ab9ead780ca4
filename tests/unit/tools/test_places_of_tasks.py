"""Where a brand's tasks go, and which task a title means."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import NotFound, NotMapped
from agencyclaw.domain.tasks import ListRef
from agencyclaw.tools.brands import BrandAnswer, BrandList, lookup_brand, resolve_brand
from agencyclaw.tools.destinations import find_destination, task_place
from agencyclaw.tools.mappings import (
    MappingAudit,
    apply_remediation,
    audit_brand_mappings,
    cc_brand_mapping_remediation_preview,
)
from agencyclaw.tools.places import name_link
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_lookup import find_task
from tests.fakes.ports import FakeBoard, a_brand, a_row, context, demo_agency


class SpacelessBoard(FakeBoard):
    """A board that does not say in which space a list lies."""

    async def list_ref(self, list_id: str) -> ListRef:
        known = await super().list_ref(list_id)
        return known.model_copy(update={"space_id": None})


async def test_a_list_whose_space_nobody_knows_takes_no_tasks() -> None:
    agency = demo_agency()
    agency.board = SpacelessBoard()

    with pytest.raises(NotMapped):
        await find_destination(agency.run(), a_brand("Pawtrail", "Pawtrail", list_id="p1"))


@pytest.mark.parametrize(
    "tool", [audit_brand_mappings, cc_brand_mapping_remediation_preview, apply_remediation]
)
async def test_without_brands_nothing_is_said_of_all_of_them(tool: Any) -> None:
    agency = demo_agency()
    kept = agency.directory.all_brands
    agency.directory.all_brands = [one for one in kept if one.name != "Northwater"]

    with pytest.raises(NotFound, match="Northwater has no brands"):
        await tool(context(agency.run()), "Northwater")

    agency.directory.all_brands = []
    with pytest.raises(NotFound, match="No brand is on record"):
        await tool(context(agency.run()))


class FolderedBoard(FakeBoard):
    """A board whose lists lie in folders."""

    async def list_ref(self, list_id: str) -> ListRef:
        known = await super().list_ref(list_id)
        return known.model_copy(update={"folder_name": "Folder"})


async def test_every_tool_names_the_list_of_a_brand_alike_or_says_why_it_has_none() -> None:
    agency = demo_agency()
    agency.board = FolderedBoard(inboxes=agency.board.inboxes)
    run = context(agency.run())
    by_space = await task_place(run.deps, a_brand("Hearthlane", "Hearthlane", space_id="h"))
    [none] = (await brands_of(run, "Northwater")).brands
    meant = await resolve_brand(run, "Pawtrail", "Pawtrail Pro")
    link = await name_link(run.deps, "s1", "p2")
    place = await find_destination(run.deps, a_brand("Pawtrail", "Pawtrail", list_id="p2"))

    path = "Space / Folder / List p2"
    assert isinstance(meant, BrandAnswer)
    assert meant.tasks_go_to == path
    assert (link.board.name if link.board else "", place.label) == (path, path)
    assert by_space.list_path == "Hearthlane / Inbox"
    assert (none.takes_tasks, none.why_none != "") == (False, True)


async def test_a_space_without_a_clear_list_takes_no_tasks_whichever_tool_says_it() -> None:
    agency = demo_agency()
    agency.board.inboxes.clear()
    run = context(agency.run())
    meant = await resolve_brand(run, "Hearthlane", "Hearthlane")
    audit = await audit_brand_mappings(run, "Hearthlane")

    assert isinstance(audit, MappingAudit)
    [gap] = [one for one in audit.gaps if one.brand == "Hearthlane"]
    assert isinstance(meant, BrandAnswer)
    assert "without a clear list" in meant.why_none
    assert (gap.takes_tasks, gap.trouble) == (False, meant.why_none)


async def brands_of(run: RunContext[Deps], name: str | None = None) -> BrandList:
    found = await lookup_brand(run, name)
    assert isinstance(found, BrandList)
    return found


async def test_a_question_names_the_title_that_several_tasks_have() -> None:
    agency = demo_agency()
    agency.board.lists["g1"] = [
        a_row("Fix the banner of the store", id="86a"),
        a_row("Fix the banner", id="86b"),
        a_row("Fix the banner", id="86c"),
    ]

    question = await find_task(agency.run(), "Fix banner", "Glintly Inc")
    assert isinstance(question, Ask)
    assert "“Fix the banner (open" in question.question
