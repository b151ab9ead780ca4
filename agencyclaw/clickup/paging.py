"""Reads all pages of a list's tasks."""

from __future__ import annotations

from collections.abc import Mapping

from agencyclaw.clickup.answers import TaskAnswer, TaskPage
from agencyclaw.clickup.calls import ApiCall
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.domain.errors import TooMuch

PAGE_SIZE = 100
MOST_PAGES = 100


async def read_tasks(
    client: ClickUpClient, list_id: str, query: Mapping[str, str | int]
) -> list[TaskAnswer]:
    """Return every matching task of a list once, or raise.

    Pages are offsets: a task created meanwhile shifts another one onto two pages.
    """
    found: dict[str, TaskAnswer] = {}
    for number in range(MOST_PAGES):
        call = ApiCall(
            "GET",
            "/list/{list_id}/task",
            ids={"list_id": list_id},
            query={**query, "page": number},
        )
        page = await client.ask(call, TaskPage)
        for task in page.tasks:
            found.setdefault(task.id, task)
        if _is_last(page):
            return list(found.values())
    raise TooMuch(
        f"That ClickUp list has more than {MOST_PAGES * PAGE_SIZE:,} tasks to read;"
        " ask for a shorter stretch of time.",
        reason="clickup_list_too_long",
    )


def _is_last(page: TaskPage) -> bool:
    """Trust `last_page` if it is sent; otherwise a page that is not full is the last."""
    if not page.tasks or page.last_page is None:
        return len(page.tasks) < PAGE_SIZE
    return page.last_page
