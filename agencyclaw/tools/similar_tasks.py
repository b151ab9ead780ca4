"""Finds open tasks of a list that are similar to a new one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta

from agencyclaw.deps import Deps
from agencyclaw.domain.cautions import Cautions
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import message
from agencyclaw.domain.sops import Source
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.tasks import TaskRow, Window
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.similar import similar_open_tasks
from agencyclaw.tools.boards import hidden_lists
from agencyclaw.tools.results import Ask

SIMILAR_AT_MOST = 3
# What nobody touched for so long is no work that goes on; a list may hold years of tasks.
LATELY = timedelta(days=90)


@dataclass(frozen=True)
class OpenTasks:
    """Similar open tasks, and remarks on the search."""

    tasks: tuple[Source, ...] = ()
    remarks: tuple[str, ...] = ()


async def spoken_against(deps: Deps, task: CreateTask) -> tuple[Cautions, OpenTasks]:
    """Return what our own records say against a task, and open tasks like it that they lack."""
    found, alike = await asyncio.gather(deps.proposals.cautions(task), _open_tasks_like(deps, task))
    known = {one.url for one in found.repeats if one.url}
    return found, replace(alike, tasks=tuple(one for one in alike.tasks if one.url not in known))


async def _open_tasks_like(deps: Deps, task: CreateTask) -> OpenTasks:
    """Return similar open tasks of the list; a remark says if ClickUp is unavailable."""
    place = task.destination
    lately = Window(start=deps.now - LATELY, end=deps.now + timedelta(days=1), label="")
    unknown = OpenTasks(remarks=(message("remarks.similar_unknown", place=place.label),))
    try:
        if place.list_id in await hidden_lists(deps):
            return unknown
        read = await deps.board.tasks(place.list_id, lately, "updated", fresh=True)
    except AgencyClawError:
        return unknown
    found = similar_open_tasks(read.rows, task.title, task.identifiers, limit=SIMILAR_AT_MOST)
    return OpenTasks(tuple(map(_source, found)))


async def beside_alike(deps: Deps, asked: Ask, task: CreateTask) -> Ask:
    """Return a question with the tasks like this one, which may make it needless."""
    found, alike = await spoken_against(deps, task)
    lines = [f"- {one.line} {one.url or ''}" for one in found.repeats]
    lines += [f"- {one.title} {one.url or ''}" for one in alike.tasks]
    if not lines:
        return asked
    question = "\n".join([asked.question, "There may be this task already:", *lines])
    urls = dict.fromkeys(one.url for one in (*found.repeats, *alike.tasks) if one.url)
    return asked.model_copy(update={"question": question, "urls": tuple(urls)})


def _source(row: TaskRow) -> Source:
    no_due = message("tasks.no_due_date")
    due = message("remarks.similar_due", day=row.due) if row.due else no_due
    title = f"{one_line(row.name, 120)} ({', '.join((due, *row.assignees[:1]))})"
    return Source(tier="similar_task", id=row.id, title=title, url=row.url, confidence="low")
