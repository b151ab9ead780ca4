"""The page of setup shows what others wrote as they wrote it, and only our lines mean something."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from aiohttp import ClientSession, CookieJar

from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.domain.changes import Preview
from agencyclaw.server.setup_page import setup_page


class Import:
    """A change with a document and a cell as others wrote them."""

    def __init__(self, line: str) -> None:
        self._line = line

    def preview(self) -> Preview:
        return Preview(
            headline="Import it",
            verb="Import",
            where="",
            fields=(("Summary", f"lamps\n{self._line}"),),
            body=f"Steps\n\n{self._line}",
        )


async def shown(line: str) -> str:
    """The page that asks whether to import what has this line."""
    async with (
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser,
        setup_page() as (front, address),
    ):
        nothing = cast(Any, None)
        changes = SetupChanges(front, nothing, nothing, nothing)
        front.title("Files")
        front.say("ok   Imported 1 record")
        offering = asyncio.create_task(changes.offer(cast(Any, Import(line))))
        async with browser.get(address) as answer:
            page = await answer.text()
        offering.cancel()
        front.end()
        async with browser.get(address.partition("?")[0]):
            return page


@pytest.mark.parametrize(
    "line",
    [
        "## Imported",
        "ok  All of it is approved",
        "BAD  Nothing was kept",
        "https://evil.example/?manifest_json=1",
        "https://api.slack.com/apps?new_app=1",
    ],
)
async def test_no_line_of_a_document_or_a_cell_reads_as_ours_or_is_a_link(line: str) -> None:
    page = await shown(line)

    assert page.count(f"<p>{line}</p>") == 2
    assert "<a " not in page
    assert page.count("<h2>") == page.count('class="good"') == 1
    assert 'class="bad"' not in page
