"""Whether a person and we can see a conversation, as Slack says when it is asked."""

from __future__ import annotations

from typing import Any, cast

from pydantic import ValidationError

from agencyclaw.domain.errors import Refused, Unavailable, Unreadable
from agencyclaw.domain.people import Access, Place
from agencyclaw.domain.thread import QuotedMessage
from agencyclaw.slack.channels import SlackConversation
from agencyclaw.slack.thread_reader import ThreadReader
from agencyclaw.slack.web import Method, Web

_PAGE_SIZE = 1_000
_PAGES = 10


class Conversations:
    """Asks Slack who is in a conversation, and who wrote a message."""

    def __init__(self, web: Web, reader: ThreadReader) -> None:
        self._web = web
        self._reader = reader

    async def named(self, team_id: str, post: QuotedMessage) -> QuotedMessage:
        """Return a message with its author's name and affiliation, as Slack says them now."""
        return await self._reader.named(team_id, post)

    async def access(self, place: Place, slack_user_id: str) -> Access:
        """Return who of us can see a conversation; a public one is seen by every full member.

        Raises Unavailable, Unclear, Throttled or Misconfigured when Slack does not say.
        """
        try:
            answer = await self._web.call(Method.CONVERSATION_INFO, channel=place.channel_id)
            about = SlackConversation.model_validate(answer.get("channel"))
        except ValidationError as unreadable:
            raise Unreadable("Slack's word about a conversation can't be read.") from unreadable
        except Refused as refusal:
            if refusal.reason == "channel_not_found":
                return Access.OUTSIDE
            raise Unavailable("Slack refuses to say what a conversation is.") from refusal
        if about.is_im:
            return Access.SHARED if about.user == slack_user_id else Access.HIDDEN
        if not about.is_member:
            return Access.OUTSIDE
        is_public = not about.is_private and not about.is_mpim
        is_in_it = is_public or await self._is_member(place.channel_id, slack_user_id)
        return Access.SHARED if is_in_it else Access.HIDDEN

    async def _is_member(self, channel_id: str, slack_user_id: str) -> bool:
        cursor: str | None = None
        for _ in range(_PAGES):
            page = await self._web.call(
                Method.MEMBERS, channel=channel_id, limit=_PAGE_SIZE, cursor=cursor
            )
            if slack_user_id in cast("list[str]", page.get("members") or []):
                return True
            more: dict[str, Any] = page.get("response_metadata") or {}
            cursor = more.get("next_cursor")
            if not cursor:
                return False
        raise Unreadable("A conversation has too many members to look through.")
