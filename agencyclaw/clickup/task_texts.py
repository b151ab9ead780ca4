"""Reads what stands in a task: its description and checklist, its comments, what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from agencyclaw.clickup.answers import CommentAnswer, Comments, TaskAnswer
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.dates import moment_of
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.task_texts import AwaitedTask, ChecklistItem, TaskComment, TaskText

# ClickUp gives so many comments at once.
_PAGE = 25
_AWAITED_AT_MOST = 5


async def read_text(client: ClickUpClient, task_id: str, query: Mapping[str, str]) -> TaskText:
    """Return what stands in a task; raises NotFound if it was deleted."""
    described = {**query, "include_markdown_description": "true"}
    task, said = await asyncio.gather(
        client.get("/task/{task_id}", TaskAnswer, query=described, task_id=task_id),
        client.get("/task/{task_id}/comment", Comments, query=query, task_id=task_id),
    )
    known = [one for one in task.dependencies or () if one]
    awaited = [one.depends_on for one in known if one.task_id == task.id]
    asked = awaited[:_AWAITED_AT_MOST]
    found = await asyncio.gather(*(_awaited(client, one) for one in asked))
    waits_for = tuple(one for one in found if one is not None)
    # A checklist in an unknown form counts as one item.
    items = [item for each in task.checklists or () for item in (each.items if each else [None])]
    comments = [one for one in said.comments if one]
    return TaskText(
        description=next(iter(task.texts), ""),
        status=task.status.status if task.status else "",
        priority=task.priority.priority.casefold() if task.priority else None,
        created=moment_of(task.date_created),
        updated=moment_of(task.date_updated),
        checklist=tuple(
            ChecklistItem(name=item.name, is_done=bool(item.resolved)) for item in items if item
        ),
        comments=tuple(map(_comment, comments)),
        has_more_comments=len(said.comments) >= _PAGE,
        waits_for=waits_for,
        unread=len(asked) - len(waits_for),
        not_asked=len(awaited) - len(asked),
        odd=sum(one is None for one in (*items, *said.comments, *(task.dependencies or ()))),
    )


async def _awaited(client: ClickUpClient, task_id: str) -> AwaitedTask | None:
    """Return a task that is waited for; None if it is gone or not ours to read."""
    try:
        task = await client.get("/task/{task_id}", TaskAnswer, task_id=task_id)
    except (NotFound, Refused):
        return None
    return AwaitedTask(
        title=task.name,
        status=task.status.status if task.status else "",
        list_id=task.place.id if task.place else "",
        is_finished=task.is_finished,
    )


def _comment(one: CommentAnswer) -> TaskComment:
    who = one.user.label if one.user else "somebody"
    return TaskComment(who=who, at=moment_of(one.date), text=one.comment_text or "")
