"""Finds the list of a space that takes new tasks, for brands that have only a space."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.clickup.answers import FolderAnswer, Folders, ListAnswer, Lists
from agencyclaw.clickup.calls import ApiCall
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.domain.text import folded

_NAMES = {"inbox", "backlog"}


async def find_inbox(client: ClickUpClient, space_id: str) -> ListAnswer | None:
    """Return the list of a space that takes new tasks; None if that is ambiguous."""
    return choose_inbox(*await find_lists(client, space_id))


async def find_lists(
    client: ClickUpClient, space_id: str
) -> tuple[list[ListAnswer], list[ListAnswer]]:
    """Return the lists of a space, outside and inside of folders."""
    loose = await _lists(client, "/space/{space_id}/list", {"space_id": space_id})
    call = ApiCall(
        "GET",
        "/space/{space_id}/folder",
        ids={"space_id": space_id},
        query={"archived": "false"},
    )
    folders = await client.ask(call, Folders)
    housed = [place for one in folders.folders for place in await _inside(client, one)]
    return loose, housed


def choose_inbox(loose: Sequence[ListAnswer], housed: Sequence[ListAnswer]) -> ListAnswer | None:
    """Choose a list; never just the first of several.

    A list called Inbox or Backlog wins, one outside of folders first; otherwise the only list.
    """
    for places in (loose, housed):
        named = [place for place in places if folded(place.name) in _NAMES]
        if named:
            return named[0] if len(named) == 1 else None
    every = [*loose, *housed]
    return every[0] if len(every) == 1 else None


async def _inside(client: ClickUpClient, folder: FolderAnswer) -> list[ListAnswer]:
    if folder.lists is None:
        return await _lists(client, "/folder/{folder_id}/list", {"folder_id": folder.id})
    return [place for place in folder.lists if not place.archived]


async def _lists(client: ClickUpClient, template: str, ids: dict[str, str]) -> list[ListAnswer]:
    call = ApiCall("GET", template, ids=ids, query={"archived": "false"})
    answer = await client.ask(call, Lists)
    return [place for place in answer.lists if not place.archived]
