"""What a person types reaches the app as Slack stores it."""

from typing import Any

import pytest
from slack_app import CLAW, INES, INES_DM, OPS

from workbench.fixture import Bench


async def stored(bench: Bench, typed: str) -> dict[str, Any]:
    ts = await bench.post_message(INES_DM, INES, typed)
    [message] = [one for one in await bench.messages(INES_DM) if one["ts"] == ts]
    return message


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("launch on Amazon.de today", "launch on <http://Amazon.de|Amazon.de> today"),
        ("mail ines@a.example, ok", "mail <mailto:ines@a.example|ines@a.example>, ok"),
        ("see https://a.example/x?b=1&c.", "see <https://a.example/x?b=1&amp;c>."),
        ("report.pdf v1.2.3 e.g. this.that", "report.pdf v1.2.3 e.g. this.that"),
        ("launch 🚀 <3", "launch :rocket: &lt;3"),
    ],
)
async def test_links_and_emoji_are_written_slacks_way(bench: Bench, typed: str, text: str) -> None:
    assert (await stored(bench, typed))["text"] == text


async def test_rich_text_says_the_same_in_parts(bench: Bench) -> None:
    message = await stored(bench, f"go 🚀 <@{CLAW}>\n> he wrote\nand `x`\n```y```")
    [block] = message["blocks"]
    kinds = ["section", "quote", "section", "preformatted"]
    assert [part["type"] for part in block["elements"]] == [f"rich_text_{kind}" for kind in kinds]
    assert block["elements"][0]["elements"] == [
        {"type": "text", "text": "go "},
        {"type": "emoji", "name": "rocket", "unicode": "1f680"},
        {"type": "text", "text": " "},
        {"type": "user", "user_id": CLAW},
    ]


async def test_an_edit_changes_both(bench: Bench) -> None:
    ts = await bench.post_message(OPS, INES, "one")
    edit = {"channel": OPS, "user": INES, "message_ts": ts, "text": "two"}
    await bench.control("POST", "edit-message", edit)
    [message] = await bench.messages(OPS)
    [part] = message["blocks"][0]["elements"]
    assert (message["text"], part["elements"]) == ("two", [{"type": "text", "text": "two"}])
