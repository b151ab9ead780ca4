"""Where a brand's tasks go, and which task a title means."""

from __future__ import annotations

import pytest

from agencyclaw.domain.errors import NotMapped
from agencyclaw.domain.tasks import ListRef
from agencyclaw.tools.destinations import find_destination
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_lookup import find_task
from tests.fakes.ports import FakeBoard, a_brand, a_row, demo_agency


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
