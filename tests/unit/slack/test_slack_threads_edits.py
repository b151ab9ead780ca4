"""What a conversation in Slack tells of messages that were edited since a card."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.people import Place
from agencyclaw.slack.threads import Threads
from agencyclaw.slack.web import Method

ROOT, OLDER, CARD, EDITED, WORD, ALONE = (
    "1700000000.000100",
    "1700000005.0001",
    "1700000010.0001",
    "1700000015.0001",
    "1700000020.0001",
    "1700000030.0001",
)
PLACE = Place(team_id="T0LANTERN", channel_id="D01INES", thread_ts=ROOT, is_direct=True)


class OneConversation:
    """Slack with one thread, and top-level messages beside it."""

    def __init__(self, *thread: dict[str, Any], beside: tuple[dict[str, Any], ...] = ()) -> None:
        self._thread = thread
        self._beside = beside

    async def call(
        self, method: Method, *, ts: str = "", oldest: str = "0", **_: Any
    ) -> dict[str, Any]:
        if method is Method.HISTORY:
            root = {**self._thread[0], "latest_reply": self._thread[-1]["ts"]}
            return {"messages": [*self._beside, root]}
        if ts != ROOT:
            return {"messages": [one for one in self._beside if one["ts"] == ts]}
        # The root always comes along; of the replies only those after a stamp.
        later = [one for one in self._thread[1:] if float(one["ts"]) > float(oldest)]
        return {"messages": [self._thread[0], *later]}


def message(ts: str, text: str = "make the task", **more: Any) -> dict[str, Any]:
    return {"ts": ts, "thread_ts": ROOT, "user": "U01INES", "text": text, **more}


def edited(ts: str, **more: Any) -> dict[str, Any]:
    return message(ts, edited={"user": "U01INES", "ts": EDITED}, **more)


async def since_the_card(root: dict[str, Any], *replies: dict[str, Any]) -> list[str]:
    slack = OneConversation(root, *replies, message(WORD, "yes"))
    threads = Threads(slack)  # pyright: ignore[reportArgumentType]
    found = await threads.since(PLACE, after=CARD, word=WORD, whole=False)
    return sorted(one.ts for one in found)


async def test_an_older_message_that_was_edited_since_is_said_anew() -> None:
    assert await since_the_card(edited(ROOT)) == [EDITED, WORD]


async def test_so_is_an_older_reply_whether_we_were_told_of_the_edit_or_not() -> None:
    assert await since_the_card(message(ROOT), edited(OLDER)) == [EDITED, WORD]


async def test_one_that_was_edited_before_the_card_or_by_us_is_not() -> None:
    before = message(ROOT, edited={"user": "U01INES", "ts": ROOT})
    redrawn = message(OLDER, edited={"user": "U01CLAW", "ts": EDITED}, bot_id="B01CLAW")

    assert await since_the_card(before, redrawn) == [WORD]


async def test_for_a_word_at_the_top_the_cards_own_thread_is_read_whole() -> None:
    said = {"ts": ALONE, "user": "U01INES", "text": "yes"}
    card = message(CARD, bot_id="B01CLAW")
    slack = OneConversation(message(ROOT), edited(OLDER), card, beside=(said,))
    threads = Threads(slack)  # pyright: ignore[reportArgumentType]

    found = await threads.since(PLACE, after=CARD, word=ALONE, whole=True)

    assert sorted({one.ts for one in found}) == [EDITED, ALONE]
