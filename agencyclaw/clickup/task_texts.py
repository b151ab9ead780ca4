"""Reads what stands in a task: its description and checklist, its comments, what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from zoneinfo import ZoneInfo

from agencyclaw.clickup.answers import CommentAnswer, Comments, TaskAnswer
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.custom_fields import DescribedTask, read_fields
from agencyclaw.clickup.dates import moment_of
from agencyclaw.domain.checklists import ChecklistItem
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.task_texts import AwaitedTask, TaskComment, TaskText

# How many comments ClickUp returns at once.
_PAGE = 25
_AWAITED_AT_MOST = 5


async def read_text(
    client: ClickUpClient, task_id: str, query: Mapping[str, str], zone: ZoneInfo
) -> TaskText:
    """Return what stands in a task; raises NotFound if it was deleted."""
    described = {**query, "include_markdown_description": "true"}
    task, comments = await asyncio.gather(
        client.get("/task/{task_id}", DescribedTask, query=described, task_id=task_id),
        client.get("/task/{task_id}/comment", Comments, query=query, task_id=task_id),
    )
    # None is an answer in a form that we don't know.
    dependencies = task.dependencies or ()
    awaited_ids = [one.depends_on for one in dependencies if one and one.task_id == task.id]
    read_ids = awaited_ids[:_AWAITED_AT_MOST]
    awaited = await asyncio.gather(*(_awaited(client, task_id) for task_id in read_ids))
    waits_for = tuple(waited for waited in awaited if waited is not None)
    items = [
        item
        for checklist in task.checklists or ()
        for item in (checklist.items if checklist else [None])
    ]
    return TaskText(
        description=task.text,
        status=task.status_name,
        priority=task.priority_name,
        created=moment_of(task.date_created),
        updated=moment_of(task.date_updated),
        checklist=tuple(
            ChecklistItem(name=item.name, is_done=bool(item.resolved)) for item in items if item
        ),
        fields=read_fields(task.custom_fields or (), zone),
        comments=tuple(_comment(comment) for comment in comments.comments if comment),
        has_more_comments=len(comments.comments) >= _PAGE,
        waits_for=waits_for,
        unread=len(read_ids) - len(waits_for),
        not_asked=len(awaited_ids) - len(read_ids),
        odd=[*items, *comments.comments, *dependencies, *(task.custom_fields or ())].count(None),
    )


async def _awaited(client: ClickUpClient, task_id: str) -> AwaitedTask | None:
    """Return a task that is waited for; None if it is gone or not ours to read."""
    try:
        task = await client.get("/task/{task_id}", TaskAnswer, task_id=task_id)
    except Refused:
        return None
    return AwaitedTask(
        title=task.name,
        status=task.status_name,
        list_id=task.place.id if task.place else "",
        is_finished=task.is_finished,
    )


def _comment(comment: CommentAnswer) -> TaskComment:
    who = comment.user.label if comment.user else "somebody"
    return TaskComment(who=who, at=moment_of(comment.date), text=comment.comment_text or "")
