"""Reads the tasks of a list, and the lists of a space, of which one may take new tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agencyclaw.clickup.answers import (
    FolderAnswer,
    Folders,
    ListAnswer,
    Lists,
    TaskAnswer,
    TaskPage,
)
from agencyclaw.clickup.calls import ApiCall
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.text import folded

PAGE_SIZE = 100
MOST_PAGES = 100
_INBOX_NAMES = {"inbox", "backlog"}


async def read_tasks(
    client: ClickUpClient, list_id: str, query: Mapping[str, str | int]
) -> list[TaskAnswer]:
    """Return every matching task of a list once, or raise.

    Pages are offsets: a task created meanwhile shifts another one onto two pages.
    """
    found: dict[str, TaskAnswer] = {}
    for number in range(MOST_PAGES):
        paged = {**query, "page": number}
        page = await client.get("/list/{list_id}/task", TaskPage, query=paged, list_id=list_id)
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


async def find_inbox(client: ClickUpClient, space_id: str) -> ListAnswer | None:
    """Return the list of a space that takes new tasks; None if that is ambiguous."""
    return choose_inbox(*await find_lists(client, space_id))


async def find_lists(
    client: ClickUpClient, space_id: str
) -> tuple[list[ListAnswer], list[ListAnswer]]:
    """Return the lists of a space, outside and inside of folders."""
    outside = await _lists(client, "/space/{space_id}/list", {"space_id": space_id})
    folders = await client.get(
        "/space/{space_id}/folder", Folders, query={"archived": "false"}, space_id=space_id
    )
    inside = [place for one in folders.folders for place in await _inside(client, one)]
    return outside, inside


def choose_inbox(outside: Sequence[ListAnswer], inside: Sequence[ListAnswer]) -> ListAnswer | None:
    """Choose a list; never just the first of several.

    A list called Inbox or Backlog wins, one outside of folders first; otherwise the only list.
    """
    for places in (outside, inside):
        named = [place for place in places if folded(place.name) in _INBOX_NAMES]
        if named:
            return named[0] if len(named) == 1 else None
    every = [*outside, *inside]
    return every[0] if len(every) == 1 else None


async def _inside(client: ClickUpClient, folder: FolderAnswer) -> list[ListAnswer]:
    if folder.lists is None:
        return await _lists(client, "/folder/{folder_id}/list", {"folder_id": folder.id})
    return [place for place in folder.lists if not place.archived]


async def _lists(client: ClickUpClient, template: str, ids: dict[str, str]) -> list[ListAnswer]:
    call = ApiCall("GET", template, ids=ids, query={"archived": "false"})
    answer = await client.ask(call, Lists)
    return [place for place in answer.lists if not place.archived]
