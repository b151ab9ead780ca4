"""Reads and searches what people wrote in conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any, TypeVar, cast

import logfire
from pydantic import Field

from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.conversations import Channel, ChannelMessage, Period
from agencyclaw.domain.errors import AgencyClawError, Throttled, Unavailable, Unclear
from agencyclaw.domain.people import ChannelKind, Place
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.slack.attached_files import read_file
from agencyclaw.slack.channels import SlackConversation, facts_of
from agencyclaw.slack.members import people_of
from agencyclaw.slack.payloads import Payload, Ts, parsed
from agencyclaw.slack.thread_reader import ThreadReader
from agencyclaw.slack.threads import ThreadMessage, permalink
from agencyclaw.slack.web import Method

# Direct messages are read only from within themselves.
_TYPES = "public_channel,private_channel,mpim"
_PAGE_SIZE = 200
_LISTED_PAGES = 5
_THREADS = 20
# A thread with replies in a period may have begun so long before it.
_STARTED_BEFORE = timedelta(days=14)
_HITS = 20
# If Slack asks to wait no longer than this, it is asked once more.
_MOMENT_S = 3.0

T = TypeVar("T")


class _Hit(Payload):
    """A message as assistant.search.context gives it."""

    channel_id: str = Field(min_length=2)
    message_ts: Ts
    author_user_id: str = ""
    author_name: str = ""
    is_author_bot: bool = False
    content: str = ""


class _Hits(Payload):
    messages: tuple[_Hit, ...] = ()


class _SearchAnswer(Payload):
    results: _Hits = _Hits()


class _ConversationList(Payload):
    channels: tuple[SlackConversation, ...] = ()
    response_metadata: dict[str, Any] = Field(default_factory=dict[str, Any])


class MessageReader(ThreadReader):
    """Reads threads and whole conversations, and searches on behalf of a person."""

    async def shared_conversations(self, slack_user_id: str) -> Sequence[Channel]:
        """Return the conversations that both a person and we are in, except direct messages.

        Raises Unavailable, Throttled, Unclear or Misconfigured.
        """
        ours, theirs = await asyncio.gather(self._listed(None), self._listed(slack_user_id))
        both = ours.keys() & theirs.keys()
        return [channel for channel_id, channel in ours.items() if channel_id in both]

    async def file(self, file_id: str, *, at_most: int) -> bytes | None:
        """Return an attached file's bytes; None if it has more than `at_most`.

        Raises what `shared_conversations` raises, and Refused.
        """
        return await _retried_once(partial(read_file, self.web, file_id, at_most))

    async def people(self, team_id: str) -> Sequence[SlackPerson]:
        """Return the full members of a workspace who are people, by name.

        Raises what `shared_conversations` raises.
        """
        return await people_of(self.web, team_id)

    async def _listed(self, slack_user_id: str | None) -> dict[str, Channel]:
        channels: dict[str, Channel] = {}
        cursor: str | None = None
        for _ in range(_LISTED_PAGES):
            answer = await _retried_once(
                partial(
                    self.web.call,
                    Method.USER_CONVERSATIONS,
                    user=slack_user_id,
                    types=_TYPES,
                    exclude_archived="true",
                    limit=_PAGE_SIZE,
                    cursor=cursor,
                )
            )
            page = parsed(_ConversationList, answer)
            for conversation in page.channels:
                channels[conversation.id] = _channel_of(conversation)
            cursor = cast("str | None", page.response_metadata.get("next_cursor"))
            if not cursor:
                break
        return channels

    async def messages(
        self, place: Place, channel: Channel, period: Period, *, pages: int
    ) -> tuple[Sequence[ChannelMessage], bool]:
        """Return what people wrote in a conversation and its threads, oldest first.

        The second value says whether that is all of it: a thread that we can't read is left out.
        Raises what `shared_conversations` raises.
        """
        started = period.since - _STARTED_BEFORE if period.since else None
        roots, is_whole = await _retried_once(
            partial(
                self.threads.history,
                channel.id,
                oldest=_stamp(started),
                latest=_stamp(period.until),
                pages=pages,
            )
        )
        since = _stamp(period.since) or "0"
        live = [root for root in roots if number(root.latest_reply or "0") >= number(since)]
        threads = await asyncio.gather(
            *(self._thread(channel.id, root.ts) for root in live[:_THREADS])
        )
        by_ts = {message.ts: message for message in chain(roots, *threads)}
        within = [message for ts, message in by_ts.items() if _is_within(ts, period)]
        is_whole = is_whole and len(live) <= _THREADS and all(threads)
        return await self._messages(place, channel, within), is_whole

    async def _thread(self, channel_id: str, root: str) -> list[ThreadMessage]:
        """Return a thread; nothing if it is too long or can't be read now."""

        async def read() -> list[ThreadMessage]:
            return [reply async for reply in self.threads.replies(channel_id, root)]

        try:
            return await _retried_once(read)
        except (Unavailable, Unclear) as error:
            logfire.warn("thread of a conversation not read", error=type(error).__name__)
            return []

    async def search(
        self, place: Place, ts: str, words: str, period: Period
    ) -> Sequence[ChannelMessage] | None:
        """Return what Slack's search finds in public channels on behalf of a message's author.

        None if Slack does not search: it needs the scope, and a token that came with the message.
        """
        token = self.web.action_tokens.of(place.channel_id, ts)
        if token is None:
            return None
        try:
            answer = await self.web.call(
                Method.SEARCH,
                query=words,
                action_token=token,
                content_types=["messages"],
                channel_types=["public_channel"],
                after=_second(period.since),
                before=_second(period.until),
                limit=_HITS,
            )
            hits = parsed(_SearchAnswer, answer).results.messages
        except AgencyClawError as error:
            logfire.warn("slack does not search", error=type(error).__name__)
            return None
        channels = await self._public_channels({hit.channel_id for hit in hits})
        messages: list[ChannelMessage] = []
        for hit in hits:
            channel = channels.get(hit.channel_id)
            if channel and _is_within(hit.message_ts, period):
                messages += await self._messages(place, channel, [_as_message(hit)])
        return messages

    async def _public_channels(self, ids: set[str]) -> dict[str, Channel]:
        """Return those that are public now; a search may find messages of others."""
        channels = await asyncio.gather(*(self._channel(channel_id) for channel_id in ids))
        public = [channel for channel in channels if channel and channel.kind is ChannelKind.PUBLIC]
        return {channel.id: channel for channel in public}

    async def _channel(self, channel_id: str) -> Channel | None:
        try:
            answer = await self.web.call(Method.CONVERSATION_INFO, channel=channel_id)
            return _channel_of(parsed(SlackConversation, answer.get("channel")))
        except AgencyClawError as error:
            logfire.warn("channel unknown", error=type(error).__name__)
            return None

    def address(self, channel_id: str, ts: str, thread_ts: str) -> str:
        """Return a message's address; "" while Slack has not said where the workspace is."""
        return permalink(self.me.url, channel_id, ts, thread_ts or None)

    async def _messages(
        self, place: Place, channel: Channel, messages: Sequence[ThreadMessage]
    ) -> list[ChannelMessage]:
        in_order = sorted(messages, key=lambda message: number(message.ts))
        roots = {message.ts: message.thread_ts or message.ts for message in in_order}
        posts = await self.posts_of(place.team_id, in_order)
        return [
            ChannelMessage(
                channel=channel,
                post=post,
                root_ts=roots[post.ts],
                url=permalink(self.me.url, channel.id, post.ts, roots[post.ts]),
            )
            for post in posts
        ]


def _channel_of(conversation: SlackConversation) -> Channel:
    facts = facts_of(conversation)
    return Channel(id=conversation.id, name=facts.name, kind=facts.kind, is_shared=facts.is_shared)


async def _retried_once(read: Callable[[], Awaitable[T]]) -> T:
    """Read, and once more if Slack asks to wait for a moment only."""
    try:
        return await read()
    except Throttled as error:
        if error.after > _MOMENT_S:
            raise
        await asyncio.sleep(error.after)
        return await read()


def _as_message(hit: _Hit) -> ThreadMessage:
    is_app = hit.is_author_bot
    return ThreadMessage(
        ts=hit.message_ts,
        user=hit.author_user_id,
        bot_id="app" if is_app else None,
        subtype="bot_message" if is_app else None,
        username=hit.author_name,
        text=hit.content,
    )


def _is_within(ts: str, period: Period) -> bool:
    since, until = _stamp(period.since), _stamp(period.until)
    if since and number(ts) < number(since):
        return False
    return not until or number(ts) < number(until)


def _stamp(moment: datetime | None) -> str | None:
    return f"{moment.timestamp():.6f}" if moment else None


def _second(moment: datetime | None) -> int | None:
    return int(moment.timestamp()) if moment else None
