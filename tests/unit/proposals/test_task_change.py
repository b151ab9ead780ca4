"""A change of a task is made where the person saw the task, and nowhere else."""

from __future__ import annotations

from typing import Any, cast

import pytest

from agencyclaw.clickup.shapes import TaskEdit
from agencyclaw.domain.clients import Brand, Named
from agencyclaw.domain.task_changes import TaskFacts, TaskState, UpdateTask
from agencyclaw.domain.task_comments import CommentOnTask
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.proposals.task_change import TaskChange
from agencyclaw.proposals.task_commenting import TaskCommenting
from agencyclaw.proposals.task_homes import TaskHomes
from tests.fakes.ports import FakeDirectory, a_brand, an_id
from tests.fakes.slack_store import a_proposal

URL = "https://app.clickup.com/t/86x1"
BEFORE = TaskFacts(title="Update the images", status="to do")
AFTER = BEFORE.model_copy(update={"status": "done"})


class OneTask:
    """A ClickUp with one task, which is in the list `list_id`."""

    def __init__(self, list_id: str) -> None:
        self.state = TaskState(id="86x1", url=URL, list_id=list_id, facts=BEFORE)
        self.edits: list[TaskEdit] = []
        self.comments: list[str] = []

    async def task_state(self, task_id: str) -> TaskState:
        assert task_id == self.state.id
        return self.state

    async def update_task(self, task_id: str, edit: TaskEdit) -> TaskState:
        assert task_id == self.state.id
        self.edits.append(edit)
        return self.state.model_copy(update={"facts": AFTER})

    async def has_comment(self, task_id: str, marker: str) -> bool:
        assert task_id == self.state.id
        return any(marker in one for one in self.comments)

    async def comment(self, task_id: str, text: str) -> None:
        assert task_id == self.state.id
        self.comments.append(text)


GLINTLY = a_brand("Glintly Inc", "Glintly", list_id="901")


@pytest.mark.parametrize(
    ("list_id", "brands", "is_changed"),
    [
        ("901", [GLINTLY], True),
        ("902", [GLINTLY], False),
        ("901", [GLINTLY, a_brand("Pawtrail", "Pawtrail Pro", list_id="902")], True),
        ("901", [GLINTLY, a_brand("Pawtrail", "Pawtrail Pro", list_id="901")], False),
        ("901", [a_brand("Glintly Inc", "Glintly", list_id="902")], False),
        ("901", [a_brand("Glintly Inc", "Glintly", space_id="g")], True),
        ("901", [GLINTLY.model_copy(update={"status": "archived"})], False),
    ],
)
async def test_a_task_that_is_not_where_its_clients_tasks_are_any_more_is_left_alone(
    list_id: str, brands: list[Brand], *, is_changed: bool
) -> None:
    clickup = OneTask(list_id)
    homes = TaskHomes(FakeDirectory(all_brands=brands))
    change = TaskChange(clickup, cast("Any", clickup), homes, first_look_s=1.0)
    effect = UpdateTask(
        client=Named(id=an_id("client Glintly Inc"), name="Glintly Inc"),
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


@pytest.mark.parametrize(("list_id", "is_posted"), [("901", True), ("902", False)])
async def test_a_comment_goes_to_no_task_that_is_in_another_list_since(
    list_id: str, *, is_posted: bool
) -> None:
    clickup = OneTask(list_id)
    homes = TaskHomes(FakeDirectory(all_brands=[GLINTLY]))
    posting = TaskCommenting(clickup, cast("Any", clickup), homes, first_look_s=1.0)
    effect = CommentOnTask(
        client=Named(id=an_id("client Glintly Inc"), name="Glintly Inc"),
        task_id="86x1",
        url=URL,
        title="Update the images",
        list_id="901",
        author="Ines Varga",
        text="It is with the client.",
    )

    outcome = await posting.carry_out(a_proposal(effect=effect))

    assert isinstance(outcome, Done if is_posted else NotDone)
    assert len(clickup.comments) == is_posted
