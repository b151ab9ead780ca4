"""Docs of a configured place, page by page."""

from __future__ import annotations

import pytest
from clickup_fake import TEAM, FakeClickUp

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.docs import read_docs
from agencyclaw.domain.errors import NotFound

PLACE = "90100500008"


async def test_a_cursor_that_comes_again_ends_the_list(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.places[f"/api/v3/workspaces/{TEAM}/docs"] = {"docs": [], "next_cursor": "again"}

    with pytest.raises(NotFound):
        await read_docs(client, TEAM, [PLACE])

    assert [request.url.params.get("next_cursor") for request in board.requests] == [None, "again"]
