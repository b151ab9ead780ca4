"""A change of a task is made where the person saw the task, and nowhere else."""

from __future__ import annotations

from typing import Any, cast

import pytest

from agencyclaw.clickup.shapes import TaskEdit
from agencyclaw.domain.clients import Named
from agencyclaw.domain.task_changes import TaskFacts, TaskState, UpdateTask
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.proposals.task_change import TaskChange
from tests.fakes.ports import an_id
from tests.fakes.slack_store import a_proposal

URL = "https://app.clickup.com/t/86x1"
BEFORE = TaskFacts(title="Update the images", status="to do")
AFTER = BEFORE.model_copy(update={"status": "done"})


class OneTask:
    """A ClickUp with one task, which is in the list `list_id`."""

    def __init__(self, list_id: str) -> None:
        self.state = TaskState(id="86x1", url=URL, list_id=list_id, facts=BEFORE)
        self.edits: list[TaskEdit] = []

    async def task_state(self, task_id: str) -> TaskState:
        assert task_id == self.state.id
        return self.state

    async def update_task(self, task_id: str, edit: TaskEdit) -> TaskState:
        assert task_id == self.state.id
        self.edits.append(edit)
        return self.state.model_copy(update={"facts": AFTER})


@pytest.mark.parametrize(("list_id", "is_changed"), [("901", True), ("902", False)])
async def test_a_task_that_is_in_another_list_since_is_left_alone(
    list_id: str, *, is_changed: bool
) -> None:
    clickup = OneTask(list_id)
    change = TaskChange(clickup, cast("Any", clickup), first_look_s=1.0)
    effect = UpdateTask(
        client=Named(id=an_id("Glintly Inc"), name="Glintly Inc"),
        task_id="86x1",
        url=URL,
        list_id="901",
        before=BEFORE,
        after=AFTER,
        timezone="Europe/Lisbon",
    )

    outcome = await change.carry_out(a_proposal(effect=effect))

    assert isinstance(outcome, Done if is_changed else NotDone)
    assert len(clickup.edits) == is_changed
