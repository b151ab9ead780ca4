"""Converts ClickUp's answer to a domain task that can be changed."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from agencyclaw.clickup.answers import TaskAnswer
from agencyclaw.clickup.dates import day_of
from agencyclaw.clickup.links import task_url
from agencyclaw.domain.task_changes import Holder, TaskFacts, TaskState


def as_state(task: TaskAnswer, zone: ZoneInfo, hosts: frozenset[str]) -> TaskState:
    """Return a task with its days in the account's zone."""
    return TaskState(
        id=task.id,
        url=task_url(task, hosts),
        list_id=task.place.id if task.place else "",
        list_name=task.place.name if task.place else "",
        space_id=task.space.id if task.space else None,
        facts=TaskFacts(
            title=task.name,
            status=task.status.status if task.status else "",
            start=day_of(task.start_date, zone),
            due=day_of(task.due_date, zone),
            assignees=tuple(Holder(id=one.id, name=one.label) for one in task.assignees or ()),
        ),
    )
