"""Asks Slack whether a person and we can see a conversation."""

from __future__ import annotations

from agencyclaw.domain.errors import Refused, Unavailable, Unreadable
from agencyclaw.domain.people import Access, Place
from agencyclaw.domain.thread import QuotedMessage
from agencyclaw.slack.channels import SlackConversation
from agencyclaw.slack.payloads import parsed
from agencyclaw.slack.thread_reader import ThreadReader
from agencyclaw.slack.web import Method, Web, pages

_PAGE_SIZE = 1_000
_PAGES = 10


class Conversations:
    """Asks Slack who is in a conversation, and who wrote a message."""

    def __init__(self, web: Web, reader: ThreadReader) -> None:
        self._web = web
        self._reader = reader

    async def with_author(self, team_id: str, post: QuotedMessage) -> QuotedMessage:
        """Return a message with its author's name and affiliation, as Slack says them now."""
        return await self._reader.with_author(team_id, post)

    async def access(self, place: Place, slack_user_id: str) -> Access:
        """Return which of us can see a conversation; every full member sees a public one.

        Raises Unavailable, Unclear, Throttled or Misconfigured when Slack does not say, and
        Unreadable if it has more members than are looked through.
        """
        try:
            return await self._access(place.channel_id, slack_user_id)
        except Refused as refusal:
            if refusal.reason == "channel_not_found":
                return Access.OUTSIDE
            raise Unavailable("Slack refuses to say who is in a conversation.") from refusal

    async def _access(self, channel_id: str, slack_user_id: str) -> Access:
        answer = await self._web.call(Method.CONVERSATION_INFO, channel=channel_id)
        conversation = parsed(SlackConversation, answer.get("channel"))
        if conversation.is_im:
            can_see = conversation.user == slack_user_id
        elif not conversation.is_member:
            return Access.OUTSIDE
        elif conversation.is_private or conversation.is_mpim:
            can_see = await self._is_member(channel_id, slack_user_id)
        else:
            can_see = True
        return Access.SHARED if can_see else Access.HIDDEN

    async def _is_member(self, channel_id: str, slack_user_id: str) -> bool:
        listing = pages(self._web, Method.MEMBERS, _PAGES, channel=channel_id, limit=_PAGE_SIZE)
        async for page, has_more in listing:
            if slack_user_id in (page.get("members") or []):
                return True
            if not has_more:
                return False
        raise Unreadable("A conversation has too many members to look through.")
