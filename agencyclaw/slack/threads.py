"""Reads Slack's conversations: a thread, or a channel with its threads."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Any, TypeVar, cast

from pydantic import Field, ValidationError

from agencyclaw.domain.consent import Posted, read_word
from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.errors import Refused, TooLong, Unreadable
from agencyclaw.domain.people import Place
from agencyclaw.slack.messages import Content
from agencyclaw.slack.payloads import Payload, Ts
from agencyclaw.slack.web import Method, Web

_PAGE_SIZE = 200
_PAGES = 5
# Threads of a direct message that are looked through for what was said since; older ones rest.
_THREADS = 100


P = TypeVar("P", bound=Payload)


def parsed(kind: type[P], answer: dict[str, Any]) -> P:
    """Return an answer of Slack's; raises Unreadable."""
    try:
        return kind.model_validate(answer)
    except ValidationError as unreadable:
        raise Unreadable("Slack tells of a conversation in a way we can't read.") from unreadable


class BotProfile(Payload):
    """What Slack sends of an app beside its message."""

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
    response_metadata: dict[str, Any] = Field(default_factory=dict[str, Any])


class Threads:
    """Reads conversations; raises Unavailable, Throttled, Misconfigured or Unclear."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def since(self, place: Place, *, after: str, word: str, whole: bool) -> Sequence[Posted]:
        """Return what was posted after a ts, in the thread of a word or its whole channel.

        The word itself is included, as withdrawn if it was deleted or edited.
        """
        if not whole:
            messages = [one async for one in self.replies(place.channel_id, place.thread_ts)]
        else:
            messages = await self._everything(place.channel_id, after)
        found = [_posted(one) for one in messages if number(one.ts) > number(after)]
        found += [_edited(one) for one in messages if number(one.edited_ts) > number(after)]
        if any(one.ts == word for one in found):
            return found
        return [*found, Posted(ts=word, thread_ts=place.thread_ts, is_withdrawn=True)]

    async def replies(self, channel_id: str, root: str) -> AsyncGenerator[ThreadMessage]:
        """Yield a thread's messages, its root first; nothing if it was deleted.

        All of them, because an old one may have been edited since.
        """
        cursor: str | None = None
        for _ in range(_PAGES):
            page = await self._read(
                Method.REPLIES,
                channel=channel_id,
                ts=root,
                limit=_PAGE_SIZE,
                cursor=cursor,
            )
            for message in page.messages:
                # Every page begins with the root once more.
                if not (cursor and message.ts == root):
                    yield message
            cursor = cast("str | None", page.response_metadata.get("next_cursor"))
            if not cursor:
                return
        raise TooLong("A thread is too long to be read.")

    async def history(
        self, channel_id: str, *, oldest: str | None, latest: str | None, pages: int
    ) -> tuple[list[ThreadMessage], bool]:
        """Return a channel's own messages, newest first, and whether that is all of them."""
        found: list[ThreadMessage] = []
        cursor: str | None = None
        for _ in range(pages):
            page = await self._read(
                Method.HISTORY,
                channel=channel_id,
                oldest=oldest,
                latest=latest,
                limit=_PAGE_SIZE,
                cursor=cursor,
            )
            found += page.messages
            cursor = cast("str | None", page.response_metadata.get("next_cursor"))
            if not cursor:
                return found, True
        return found, False

    async def _everything(self, channel_id: str, after: str) -> list[ThreadMessage]:
        """Return the newest top-level messages, and the threads with the card or later replies."""
        page = await self._read(Method.HISTORY, channel=channel_id, limit=_THREADS)
        messages = list(page.messages)
        for root in page.messages:
            if root.latest_reply and number(root.latest_reply) >= number(after):
                messages += [one async for one in self.replies(channel_id, root.ts)]
        return messages

    async def _read(self, method: Method, **arguments: Any) -> _MessagePage:
        try:
            return parsed(_MessagePage, await self._web.call(method, **arguments))
        except Refused as refusal:
            if refusal.reason == "thread_not_found":
                return _MessagePage()
            raise Unreadable(f"Slack does not tell what was said: {refusal.reason}") from refusal


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
