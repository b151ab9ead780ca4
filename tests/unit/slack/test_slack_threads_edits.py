"""What a conversation in Slack tells of messages that were edited since a card."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.people import Place
from agencyclaw.slack.threads import Threads

ROOT, CARD, EDITED, WORD = (
    "1700000000.000100",
    "1700000010.0001",
    "1700000015.0001",
    "1700000020.0001",
)
PLACE = Place(team_id="T0LANTERN", channel_id="D01INES", thread_ts=ROOT, is_direct=True)


class OnePage:
    """Slack with one page of messages."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self._messages = messages

    async def call(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {"messages": [*self._messages]}


async def since_the_card(**of_the_root: Any) -> list[str]:
    root = {"ts": ROOT, "user": "U01INES", "text": "make the task", **of_the_root}
    word = {"ts": WORD, "thread_ts": ROOT, "user": "U01INES", "text": "yes"}
    threads = Threads(OnePage(root, word))  # pyright: ignore[reportArgumentType]
    found = await threads.since(PLACE, after=CARD, word=WORD, whole=False)
    return sorted(one.ts for one in found)


async def test_an_older_message_that_was_edited_since_is_said_anew() -> None:
    assert await since_the_card(edited={"user": "U01INES", "ts": EDITED}) == [EDITED, WORD]


async def test_one_that_was_edited_before_the_card_or_by_us_is_not() -> None:
    assert await since_the_card(edited={"user": "U01INES", "ts": ROOT}) == [WORD]
    redrawn = {"user": "U01CLAW", "ts": EDITED}
    assert await since_the_card(edited=redrawn, bot_id="B01CLAW") == [WORD]
