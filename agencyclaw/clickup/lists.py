"""Reads the tasks of a list, and the lists of a space, of which one may take new tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agencyclaw.clickup.answers import (
    FolderAnswer,
    FolderOf,
    Folders,
    ListAnswer,
    Lists,
    TaskAnswer,
    TaskPage,
)
from agencyclaw.clickup.calls import ApiCall, Query
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.domain.errors import TooMuch
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import folded
from agencyclaw.spans import traced

PAGE_SIZE = 100
MOST_PAGES = 100
# Of a look at many lists, which must not use up the requests of a minute.
MOST_PAGES_TOGETHER = 20
# So that an address stays far below the length that servers accept.
LISTS_PER_REQUEST = 100
INBOX_NAMES = {"inbox", "backlog"}


@dataclass(frozen=True)
class TaskPages:
    """The tasks of several pages, each once; `is_cut` if there are further pages."""

    tasks: list[TaskAnswer]
    requests: int
    is_cut: bool


async def read_tasks(client: ClickUpClient, list_id: str, query: Query) -> list[TaskAnswer]:
    """Return every matching task of a list once, or raise."""
    found = await _read_pages(
        client, "/list/{list_id}/task", query, {"list_id": list_id}, MOST_PAGES
    )
    if found.is_cut:
        raise TooMuch(
            message("refused.clickup.list_too_long", most=MOST_PAGES * PAGE_SIZE),
            reason="clickup_list_too_long",
        )
    return found.tasks


async def read_tasks_together(
    client: ClickUpClient, team_id: str, list_ids: Sequence[str], query: Query
) -> TaskPages:
    """Return the matching tasks of several lists, at most those of `MOST_PAGES_TOGETHER`."""
    ids = {"team_id": team_id}
    found, requests, is_cut = list[TaskAnswer](), 0, False
    with traced("tasks of several lists", lists=len(list_ids)) as span:
        for first in range(0, len(list_ids), LISTS_PER_REQUEST):
            some = {**query, "list_ids[]": list_ids[first : first + LISTS_PER_REQUEST]}
            most = MOST_PAGES_TOGETHER - requests
            pages = await _read_pages(client, "/team/{team_id}/task", some, ids, most)
            found += pages.tasks
            requests += pages.requests
            is_cut |= pages.is_cut
        span.set_attributes({"requests": requests, "tasks": len(found)})
    return TaskPages(found, requests, is_cut)


async def _read_pages(
    client: ClickUpClient, template: str, query: Query, ids: Mapping[str, str], most_pages: int
) -> TaskPages:
    """Read page after page.

    Pages are offsets: a task created meanwhile shifts another one onto two pages.
    """
    found: dict[str, TaskAnswer] = {}
    for number in range(most_pages):
        call = ApiCall("GET", template, ids=ids, query={**query, "page": number})
        page = await client.ask(call, TaskPage)
        for task in page.tasks:
            found.setdefault(task.id, task)
        if _is_last(page):
            return TaskPages(list(found.values()), number + 1, is_cut=False)
    return TaskPages(list(found.values()), most_pages, is_cut=True)


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
        named = [place for place in places if folded(place.name) in INBOX_NAMES]
        if named:
            return named[0] if len(named) == 1 else None
    every = [*outside, *inside]
    return every[0] if len(every) == 1 else None


async def _inside(client: ClickUpClient, folder: FolderAnswer) -> list[ListAnswer]:
    if folder.lists is None:
        return await _lists(client, "/folder/{folder_id}/list", {"folder_id": folder.id})
    # Within its folder a list does not always name it.
    where = {"folder": FolderOf(name=folder.name)}
    return [place.model_copy(update=where) for place in folder.lists if not place.archived]


async def _lists(client: ClickUpClient, template: str, ids: dict[str, str]) -> list[ListAnswer]:
    call = ApiCall("GET", template, ids=ids, query={"archived": "false"})
    answer = await client.ask(call, Lists)
    return [place for place in answer.lists if not place.archived]
