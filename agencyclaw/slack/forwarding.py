"""Direct messages: opens them, and builds the questions that are moved there to be answered."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.errors import Broken
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.blocks import Message
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


def build_question(note: Note, live_hosts: frozenset[str]) -> Message:
    """Return a question as the root of a new thread; the note's footer says where it was asked."""
    origin = f" ({note.footer})" if note.footer else ""
    quoted = "\n".join(f"> {line}" for line in note.text.splitlines())
    text = message("forwarding.you_asked", origin=origin, quoted=quoted)
    return build_answer(Note(text=text, links=note.links), live_hosts)


def direct_place(team_id: str, channel: str) -> Place:
    """Return the place of a new thread in direct messages."""
    return Place(team_id=team_id, channel_id=channel, thread_ts="", is_direct=True)
