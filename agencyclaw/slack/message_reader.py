"""Reads what people wrote in conversations, and searches it with Slack's own search."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar, cast

import logfire
from pydantic import Field

from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.conversations import Channel, ChannelMessage, Period
from agencyclaw.domain.errors import AgencyClawError, Throttled, Unavailable, Unclear
from agencyclaw.domain.people import ChannelKind, Place
from agencyclaw.slack.channels import SlackConversation, facts_of
from agencyclaw.slack.payloads import Payload, Ts
from agencyclaw.slack.thread_reader import ThreadReader
from agencyclaw.slack.threads import ThreadMessage, parsed, permalink
from agencyclaw.slack.web import Method

# Group conversations, too; direct messages are read only where they are spoken in.
_TYPES = "public_channel,private_channel,mpim"
_PAGE_SIZE = 200
_LISTED_PAGES = 5
_THREADS = 20
# A thread that goes on may have begun so long before the stretch that is asked for.
_BEGUN_BEFORE = timedelta(days=14)
_HITS = 20
# Slack asking to wait no longer than this is waited for, once.
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


class _Found(Payload):
    results: _Hits = _Hits()


class _Listed(Payload):
    channels: tuple[SlackConversation, ...] = ()
    response_metadata: dict[str, Any] = Field(default_factory=dict[str, Any])


class MessageReader(ThreadReader):
    """Reads threads, whole conversations, and what Slack finds in a person's name."""

    async def shared(self, slack_user_id: str) -> Sequence[Channel]:
        """Return the conversations that both a person and we are in, direct messages left out.

        Raises Unavailable, Throttled, Unclear or Misconfigured.
        """
        ours, theirs = await asyncio.gather(self._listed(None), self._listed(slack_user_id))
        both = ours.keys() & theirs.keys()
        return [one for channel_id, one in ours.items() if channel_id in both]

    async def _listed(self, slack_user_id: str | None) -> dict[str, Channel]:
        found: dict[str, Channel] = {}
        cursor: str | None = None
        for _ in range(_LISTED_PAGES):
            answer = await _in_a_moment(
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
            page = parsed(_Listed, answer)
            for one in page.channels:
                facts = facts_of(one)
                found[one.id] = Channel(id=one.id, name=facts.name, kind=facts.kind)
            cursor = cast("str | None", page.response_metadata.get("next_cursor"))
            if not cursor:
                break
        return found

    async def messages(
        self, place: Place, channel: Channel, period: Period, *, pages: int
    ) -> tuple[Sequence[ChannelMessage], bool]:
        """Return what people wrote in a conversation and its threads, oldest first.

        The second value says whether that is all of it: a thread that Slack does not let us read is
        left out. Raises as `shared` does.
        """
        begun = period.since - _BEGUN_BEFORE if period.since else None
        roots, is_whole = await _in_a_moment(
            partial(
                self.threads.history,
                channel.id,
                oldest=_stamp(begun),
                latest=_stamp(period.until),
                pages=pages,
            )
        )
        since = _stamp(period.since) or "0"
        live = [one for one in roots if number(one.latest_reply or "0") >= number(since)]
        threads = await asyncio.gather(
            *(self._thread(channel.id, one.ts) for one in live[:_THREADS])
        )
        every = {one.ts: one for one in (*roots, *(reply for each in threads for reply in each))}
        within = [one for one in every.values() if _is_within(one.ts, period)]
        is_whole = is_whole and len(live) <= _THREADS and all(threads)
        return await self._messages(place, channel, within), is_whole

    async def _thread(self, channel_id: str, root: str) -> list[ThreadMessage]:
        """Return a thread; nothing of one that is too long, or that Slack does not give us now."""

        async def read() -> list[ThreadMessage]:
            return [one async for one in self.threads.replies(channel_id, root)]

        try:
            return await _in_a_moment(read)
        except (Unavailable, Unclear) as error:
            logfire.warn("thread of a conversation not read", error=type(error).__name__)
            return []

    async def searched(
        self, place: Place, ts: str, words: str, period: Period
    ) -> Sequence[ChannelMessage] | None:
        """Return what Slack finds in public channels in the name of who wrote a message.

        None where Slack does not search for us: without the scope, or the message's own token.
        """
        token = self.web.action_tokens.of(place.channel_id, ts)
        if token is None:
            return None
        try:
            found = parsed(
                _Found,
                await self.web.call(
                    Method.SEARCH,
                    query=words,
                    action_token=token,
                    content_types=["messages"],
                    channel_types=["public_channel"],
                    after=_second(period.since),
                    before=_second(period.until),
                    limit=_HITS,
                ),
            )
        except AgencyClawError as error:
            logfire.warn("slack does not search", error=type(error).__name__)
            return None
        hits = found.results.messages
        channels = await self._public({one.channel_id for one in hits})
        messages: list[ChannelMessage] = []
        for hit in hits:
            if channel := channels.get(hit.channel_id):
                messages += await self._messages(place, channel, [_as_message(hit)])
        return [one for one in messages if _is_within(one.post.ts, period)]

    async def _public(self, ids: set[str]) -> dict[str, Channel]:
        """Ask Slack itself which channels are public; of any other nothing found is taken."""
        found = await asyncio.gather(*(self._channel(one) for one in ids))
        return {one.id: one for one in found if one and one.kind is ChannelKind.PUBLIC}

    async def _channel(self, channel_id: str) -> Channel | None:
        try:
            answer = await self.web.call(Method.CONVERSATION_INFO, channel=channel_id)
            facts = facts_of(parsed(SlackConversation, answer.get("channel")))
        except AgencyClawError as error:
            logfire.warn("channel unknown", error=type(error).__name__)
            return None
        return Channel(id=channel_id, name=facts.name, kind=facts.kind)

    async def _messages(
        self, place: Place, channel: Channel, found: Sequence[ThreadMessage]
    ) -> list[ChannelMessage]:
        in_order = sorted(found, key=lambda one: number(one.ts))
        roots = {one.ts: one.thread_ts or one.ts for one in in_order}
        posts = await self.posts_of(place.team_id, in_order)
        return [
            ChannelMessage(
                channel=channel,
                post=one,
                root_ts=roots[one.ts],
                url=permalink(self.me.url, channel.id, one.ts, roots[one.ts]),
            )
            for one in posts
        ]


async def _in_a_moment(read: Callable[[], Awaitable[T]]) -> T:
    """Read, and once more where Slack asks to wait for a moment only."""
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
