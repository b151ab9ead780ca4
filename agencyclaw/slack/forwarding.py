"""Moves questions to the asker's direct messages, where they are shown and answered."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.errors import Broken
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.web import Method, Web

NO_DIRECT_MESSAGES = message("slack.no_direct_messages")


async def open_direct(web: Web, slack_user_id: str) -> str:
    """Open our direct messages with a person, and return their channel."""
    opened = await web.call(Method.OPEN_CONVERSATION, users=slack_user_id)
    conversation: dict[str, Any] = opened.get("channel") or {}
    channel = str(conversation.get("id") or "")
    if not channel:
        raise Broken("Slack opened no conversation.")
    return channel


async def show_question(
    web: Web, channel: str, note: Note, metadata: dict[str, Any] | None = None
) -> str:
    """Post a question as the root of a new thread in the direct messages; return the thread.

    The note's footer says where it was asked, or about what.
    """
    origin = f" ({note.footer})" if note.footer else ""
    quoted = "\n".join(f"> {line}" for line in note.text.splitlines())
    text = message("forwarding.you_asked", origin=origin, quoted=quoted)
    content = build_answer(Note(text=text, links=note.links))
    posted = await web.call(
        Method.POST,
        channel=channel,
        text=content.text,
        blocks=content.blocks,
        metadata=metadata,
        unfurl_links=False,
        unfurl_media=False,
    )
    ts = str(posted.get("ts") or "")
    if not ts:
        raise Broken("Slack opened no conversation.")
    return ts


def direct_place(team_id: str, channel: str, ts: str) -> Place:
    """Return the place of a thread in direct messages."""
    return Place(team_id=team_id, channel_id=channel, thread_ts=ts, is_direct=True)
