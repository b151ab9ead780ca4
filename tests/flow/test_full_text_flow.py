"""A very long text in its window, over the wire: every page can be reached, and nothing is cut."""

from __future__ import annotations

import json
import re
from typing import Any

from fakes.slack_store import INES, INES_DM, a_proposal, an_effect
from test_slack_edge import Scene, scene

from agencyclaw.domain.proposals import Proposal

__all__ = ["scene"]

# 300,000 characters, each word once.
WORDS = [f"word{number:05}" for number in range(30_000)]
ROW, LONG_ROW = 40, 6_000
View = dict[str, Any]


def a_long_text() -> str:
    """Rows of words, the first of them longer than a page, some of them headings and points."""
    rows = [WORDS[:LONG_ROW]]
    rows += [WORDS[at : at + ROW] for at in range(LONG_ROW, len(WORDS), ROW)]
    marks = ("", "# ", "- ", "> ")
    return "\n\n".join(marks[at % 4] + " ".join(row) for at, row in enumerate(rows))


def page_of(view: View) -> str:
    """Return which page a window says that it is."""
    found = re.search(r"Page \d+ of \d+", json.dumps(view))
    assert found
    return found[0]


def text_of(view: View) -> str:
    """Return the letters and digits of a page's own part, below the headline."""
    parts = [block["text"]["text"] for block in view["blocks"] if block["type"] == "section"]
    return re.sub(r"\W|gt", "", "".join(parts[1:]))


async def turned(scene: Scene, view: View, label: str) -> View:
    """Press a button of the window and wait for the other page."""
    before = page_of(view)
    await scene.bench.interact_in_view(INES, view["id"], label)

    async def other() -> View | None:
        [shown] = await scene.bench.views(INES)
        return shown if page_of(shown) != before else None

    return await scene.bench.until(other)


async def test_each_page_of_a_very_long_text_is_reached_and_holds_its_part(scene: Scene) -> None:
    text = a_long_text()
    assert len(text) >= 300_000

    async def full_text(_: Proposal) -> str:
        return text

    scene.full_text = full_text
    async with scene.connected() as edge:
        effect = an_effect(body="It is long. " * 300)
        proposal = a_proposal(effect=effect, place=await scene.root())
        card = await scene.card(edge, proposal)
        await scene.bench.interact(INES_DM, card, INES, "Show the full text")
        [view] = await scene.bench.until(lambda: scene.bench.views(INES))
        pages = [view]
        while "Next page" in json.dumps(pages[-1]):
            pages.append(await turned(scene, pages[-1], "Next page"))
        back = [pages[-1]]
        while "Previous page" in json.dumps(back[-1]):
            back.append(await turned(scene, back[-1], "Previous page"))

    assert "".join(map(text_of, pages)) == "".join(WORDS)
    assert [page_of(page) for page in pages] == [
        f"Page {at + 1} of {len(pages)}" for at in range(len(pages))
    ]
    assert [page_of(page) for page in back] == [page_of(page) for page in reversed(pages)]
