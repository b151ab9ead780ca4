"""Looking for a task that may have been created: what is found, and what counts as not there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from clickup_fake import FakeClickUp, refused

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.errors import Broken, Misconfigured, NotFound, Unavailable

MARKER = "agencyclaw run=0f3a9c2b1d4e key=5a1c77d0b2e94f6a"
SINCE = datetime.fromtimestamp(1_795_262_400, UTC)


def ms(moment: datetime) -> str:
    return str(int(moment.timestamp() * 1000))


@pytest.mark.parametrize(
    "hidden",
    [
        {},
        {"status": {"status": "complete", "type": "closed"}},
        {"parent": "86b9"},
        {"archived": True},
        {"name": "Renamed"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "text",
    [
        {"description": f"Brief\n\n{MARKER}"},
        {"markdown_description": f"Brief\n\n{MARKER}\n"},
        {"text_content": MARKER},
        {"description": "", "markdown_description": MARKER.replace("=", "\\=")},
        {"description": MARKER.replace(" ", "\n")},
    ],
    ids=lambda text: next(iter(text)),
)
async def test_a_task_is_found_by_its_marker_wherever_it_is_by_now(
    reader: ClickUpReader, board: FakeClickUp, hidden: dict[str, Any], text: dict[str, Any]
) -> None:
    for _ in range(3):
        board.add(description="agencyclaw run=0f3a9c2b1d4e key=ffffffffffffffff")
    task = board.add(**text, **hidden)
    [found] = await reader.find_by_marker("901", MARKER, SINCE)
    assert (found.id, found.url) == (task["id"], task["url"])


@pytest.mark.parametrize(
    "text", [f"{MARKER}0", f"x{MARKER}", f"{MARKER}-2", MARKER[:-1], MARKER.upper(), ""]
)
async def test_a_marker_that_only_resembles_ours_is_not_ours(
    reader: ClickUpReader, board: FakeClickUp, text: str
) -> None:
    board.add(description=text)
    assert await reader.find_by_marker("901", MARKER, SINCE) == []


async def test_every_task_with_the_marker_is_told(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.add(description=MARKER)
    board.add(description=MARKER, archived=True)
    assert len(await reader.find_by_marker("901", MARKER, SINCE)) == 2


async def test_a_clock_that_differs_by_minutes_hides_no_task(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.add(description=MARKER, date_created=ms(SINCE - timedelta(minutes=4)))
    board.add(description=MARKER, date_created=ms(SINCE - timedelta(minutes=6)))
    assert len(await reader.find_by_marker("901", MARKER, SINCE)) == 1


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ([refused(401, "OAUTH_027")], NotFound),
        ([refused(404, "ITEM_013")], NotFound),
        ([refused(401, "OAUTH_025")], Misconfigured),
        ([httpx.Response(500)] * 3, Unavailable),
        ([httpx.Response(200, json={"err": "?"})] * 3, Unavailable),
        ([httpx.ReadTimeout("late")] * 3, Unavailable),
        ([httpx.Response(200, json={"tasks": []}), *[httpx.Response(500)] * 3], Unavailable),
    ],
)
async def test_a_look_that_did_not_succeed_is_never_an_empty_answer(
    reader: ClickUpReader,
    board: FakeClickUp,
    answers: list[httpx.Response],
    error: type[Exception],
) -> None:
    board.fails(*answers)
    with pytest.raises(error):
        await reader.find_by_marker("901", MARKER, SINCE)


async def test_nobody_looks_for_an_empty_marker(reader: ClickUpReader, board: FakeClickUp) -> None:
    board.add(description="anything")
    with pytest.raises(Broken):
        await reader.find_by_marker("901", " \n", SINCE)
    assert board.requests == []
