"""Converts ClickUp's task into ours: a row of a list, or a task that can be changed."""

from __future__ import annotations

from urllib.parse import quote
from zoneinfo import ZoneInfo

from agencyclaw.clickup.answers import ChecklistAnswer, TaskAnswer
from agencyclaw.clickup.custom_fields import DescribedTask
from agencyclaw.clickup.dates import day_of, moment_of
from agencyclaw.domain.addresses import is_at
from agencyclaw.domain.checklists import Checklist, ChecklistItem
from agencyclaw.domain.task_changes import (
    DESCRIPTION_LIMIT,
    TaskAssignee,
    TaskFacts,
    TaskState,
)
from agencyclaw.domain.tasks import TaskRow


def task_url(task: TaskAnswer, hosts: frozenset[str]) -> str:
    """Return the address in the answer if it is ClickUp's, else one built from the id."""
    url = task.url or ""
    if is_at(url, hosts):
        return url
    return f"https://app.clickup.com/t/{quote(task.id, safe='')}"


def as_row(task: TaskAnswer, zone: ZoneInfo, hosts: frozenset[str]) -> TaskRow:
    """Return a task as a list row, with its due day in the account's zone."""
    return TaskRow(
        id=task.id,
        name=task.name,
        status=task.status_name,
        is_closed=not task.is_open,
        assignees=tuple(user.label for user in task.assignees or ()),
        assignee_ids=tuple(user.id for user in task.assignees or ()),
        priority=task.priority_name,
        start=day_of(task.start_date, zone),
        due=day_of(task.due_date, zone),
        updated=moment_of(task.date_updated),
        done=moment_of(task.date_done or task.date_closed) if task.is_finished else None,
        url=task_url(task, hosts),
        list_id=task.place.id if task.place else None,
        list_name=task.place.name if task.place else None,
    )


def as_state(task: DescribedTask, zone: ZoneInfo, hosts: frozenset[str]) -> TaskState:
    """Return a task with its days in the account's zone."""
    return TaskState(
        id=task.id,
        url=task_url(task, hosts),
        list_id=task.place.id if task.place else "",
        list_name=task.place.name if task.place else "",
        space_id=task.space.id if task.space else None,
        facts=TaskFacts(
            title=task.name,
            status=task.status_name,
            start=day_of(task.start_date, zone),
            due=day_of(task.due_date, zone),
            assignees=tuple(
                TaskAssignee(id=one.id, name=one.label) for one in task.assignees or ()
            ),
            priority=task.priority_name or "",
            description=task.text[:DESCRIPTION_LIMIT],
        ),
        is_closed=not task.is_open,
        fields=tuple(one.read(zone) for one in task.custom_fields or () if one),
        checklists=tuple(_checklist(one) for one in task.checklists or () if one and one.id),
        is_archived=bool(task.archived) and not task.is_finished,
    )


def _checklist(answer: ChecklistAnswer) -> Checklist:
    items = (
        ChecklistItem(id=one.id, name=one.name, is_done=bool(one.resolved))
        for one in answer.items
        if one and one.id
    )
    return Checklist(id=answer.id, name=answer.name, items=tuple(items))
