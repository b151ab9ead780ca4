"""Reads Slack's conversations: a thread, or a channel with its threads."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any

from agencyclaw.domain.consent.reply import Posted, number
from agencyclaw.domain.consent.words import read_word
from agencyclaw.domain.errors import Refused, TooLong, Unreadable
from agencyclaw.domain.people import Place
from agencyclaw.slack.messages import Content
from agencyclaw.slack.payloads import Payload, Ts, parsed
from agencyclaw.slack.web import Method, Web, pages

_PAGE_SIZE = 200
# As many replies as Slack gives at once: a long thread takes few calls.
_REPLIES = 1_000
_PAGES = 5
# Only so many of a direct message's latest threads are searched for later messages.
_THREADS = 100


class BotProfile(Payload):
    """The part of an app's profile that comes with its message."""

    name: str = ""


class ThreadMessage(Content):
    """A message as conversations.history and conversations.replies give it."""

    ts: Ts
    thread_ts: Ts | None = None
    user: str = ""
    bot_id: str | None = None
    username: str = ""
    bot_profile: BotProfile = BotProfile()
    latest_reply: Ts | None = None
    edited: dict[str, Any] | None = None

    @property
    def edited_ts(self) -> str:
        """When a person edited it last; "" if never. Our own redraws do not count."""
        return "" if self.bot_id else str((self.edited or {}).get("ts") or "")

    @property
    def person(self) -> str:
        """The author; "" for an app."""
        return "" if self.bot_id else self.user


class _MessagePage(Payload):
    messages: tuple[ThreadMessage, ...] = ()


class Threads:
    """Reads conversations; raises Unavailable, Throttled, Misconfigured or Unclear."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def since(self, place: Place, *, after: str, word: str, whole: bool) -> Sequence[Posted]:
        """Return what was posted after a ts, in a thread, or in its whole channel.

        `word` is the ts of a person's yes, always included: as withdrawn if deleted or edited.
        """
        if whole:
            messages = await self._whole_channel(place.channel_id, after)
        else:
            replies = self.replies(place.channel_id, place.thread_ts)
            messages = [message async for message in replies]
        posted = [_posted(message) for message in messages if number(message.ts) > number(after)]
        posted += [
            _edited(message) for message in messages if number(message.edited_ts) > number(after)
        ]
        if any(post.ts == word for post in posted):
            return posted
        return [*posted, Posted(ts=word, thread_ts=place.thread_ts, is_withdrawn=True)]

    async def replies(self, channel_id: str, root: str) -> AsyncGenerator[ThreadMessage]:
        """Yield a thread's messages, its root first; nothing if it was deleted.

        All of them, because an old one may have been edited since.
        """
        listing = self._pages(Method.REPLIES, _PAGES, channel=channel_id, ts=root, limit=_REPLIES)
        is_first_page = True
        async for messages, has_more in listing:
            for message in messages:
                # Every page begins with the root once more.
                if is_first_page or message.ts != root:
                    yield message
            if not has_more:
                return
            is_first_page = False
        raise TooLong("A thread is too long to be read.")

    async def history(
        self, channel_id: str, *, oldest: str | None, latest: str | None, pages: int
    ) -> tuple[list[ThreadMessage], bool]:
        """Return a channel's own messages, newest first, and whether that is all of them."""
        history: list[ThreadMessage] = []
        async for messages, has_more in self._pages(
            Method.HISTORY,
            pages,
            channel=channel_id,
            oldest=oldest,
            latest=latest,
            limit=_PAGE_SIZE,
        ):
            history += messages
            if not has_more:
                return history, True
        return history, False

    async def _whole_channel(self, channel_id: str, after: str) -> list[ThreadMessage]:
        """Return the newest top-level messages, and the threads with the card or later replies."""
        listing = self._pages(Method.HISTORY, 1, channel=channel_id, limit=_THREADS)
        roots = [root async for messages, _ in listing for root in messages]
        replies: list[ThreadMessage] = []
        for root in roots:
            if root.latest_reply and number(root.latest_reply) >= number(after):
                replies += [reply async for reply in self.replies(channel_id, root.ts)]
        return [*roots, *replies]

    async def _pages(
        self, method: Method, at_most: int, **arguments: Any
    ) -> AsyncGenerator[tuple[Sequence[ThreadMessage], bool]]:
        """Yield pages of messages, each with whether another one follows it."""
        try:
            async for page, has_more in pages(self._web, method, at_most, **arguments):
                yield parsed(_MessagePage, page).messages, has_more
        except Refused as refusal:
            if refusal.reason != "thread_not_found":
                raise Unreadable(
                    f"Slack does not tell what was said: {refusal.reason}"
                ) from refusal
            yield (), False


def _edited(message: ThreadMessage) -> Posted:
    """Return an edited message at the time of its edit."""
    root = message.thread_ts or message.ts
    return Posted(ts=message.edited_ts, thread_ts=root, slack_user_id=message.person)


def _posted(message: ThreadMessage) -> Posted:
    return Posted(
        ts=message.ts,
        thread_ts=message.thread_ts or message.ts,
        slack_user_id=message.person,
        word=read_word(message.text or ""),
        is_withdrawn=message.edited is not None or message.subtype == "tombstone",
    )


def permalink(url: str, channel_id: str, ts: str, thread_ts: str | None) -> str:
    """Return a message's address; Slack gives it to members of the conversation only."""
    if not url:
        return ""
    address = f"{url.rstrip('/')}/archives/{channel_id}/p{ts.replace('.', '')}"
    is_reply = thread_ts is not None and thread_ts != ts
    return f"{address}?thread_ts={thread_ts}&cid={channel_id}" if is_reply else address
