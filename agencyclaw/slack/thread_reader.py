"""Reads what people and other apps wrote in a thread, with their names and affiliations."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import logfire
from pydantic import ValidationError

from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.errors import AgencyClawError, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Membership, Place
from agencyclaw.domain.text import clean
from agencyclaw.domain.thread import Affiliation, QuotedMessage, ThreadPost
from agencyclaw.slack.escaping import one_line
from agencyclaw.slack.members import CACHED_S, UNSEEN, SlackUser, membership_of
from agencyclaw.slack.messages import SPOKEN
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.threads import ThreadMessage, Threads
from agencyclaw.slack.web import Method, Web

_NAME_LIMIT = 60
_AUTHORS_KNOWN = 5_000
_PATIENCE_S = 2.0
_SOMEBODY = message("built.somebody")
_AFFILIATIONS = {
    Membership.MEMBER: Affiliation.COLLEAGUE,
    Membership.GUEST: Affiliation.GUEST,
    Membership.OUTSIDER: Affiliation.OUTSIDER,
    Membership.GONE: Affiliation.GONE,
}


class Author(NamedTuple):
    """Who wrote something, as Slack said when it was asked."""

    name: str
    affiliation: Affiliation


class ThreadReader:
    """Reads threads as they are now; what Slack says of an author is kept for ten minutes."""

    def __init__(
        self,
        web: Web,
        threads: Threads,
        identity: Callable[[], BotIdentity],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.web = web
        self.threads = threads
        self._identity = identity
        self._now = now
        self._known: dict[tuple[str, str], tuple[float, Author]] = {}

    @property
    def me(self) -> BotIdentity:
        """Who we are, whose own words are left out."""
        return self._identity()

    async def posts(self, place: Place, *, until: str) -> Sequence[ThreadPost]:
        """Return the posts in a thread before a ts, oldest first, without our own.

        Raises Unavailable, Throttled, Unclear or Misconfigured.
        """
        replies = self.threads.replies(place.channel_id, place.thread_ts)
        earlier = [reply async for reply in replies if number(reply.ts) < number(until)]
        return await self.posts_of(place.team_id, earlier)

    async def posts_of(self, team_id: str, messages: Iterable[ThreadMessage]) -> list[ThreadPost]:
        """Return the messages of people and other apps as posts with their authors."""
        me = self.me
        posts = [post for post in messages if _is_post(post, me)]
        people = dict.fromkeys(post.person for post in posts if post.person)
        authors = await self._authors(team_id, list(people))
        return [_thread_post(post, authors) for post in posts]

    async def with_author(self, team_id: str, post: QuotedMessage) -> QuotedMessage:
        """Return a message with its author's name and affiliation, as Slack says them now."""
        if not post.slack_user_id:
            return post
        author = await self._author(team_id, post.slack_user_id)
        return post.model_copy(update=author._asdict())

    async def _authors(self, team_id: str, ids: Sequence[str]) -> dict[str, Author]:
        authors = await asyncio.gather(*(self._author(team_id, user_id) for user_id in ids))
        return dict(zip(ids, authors, strict=True))

    async def _author(self, team_id: str, slack_user_id: str) -> Author:
        asked_at, known = self._known.get((team_id, slack_user_id), (0.0, None))
        if known is not None and self._now() - asked_at < CACHED_S:
            return known
        asked_at = self._now()
        author = await self._ask(team_id, slack_user_id)
        if author.affiliation is not Affiliation.UNKNOWN:
            self._known[team_id, slack_user_id] = asked_at, author
            if len(self._known) > _AUTHORS_KNOWN:
                del self._known[next(iter(self._known))]
        return author

    async def _ask(self, team_id: str, slack_user_id: str) -> Author:
        """Ask Slack who somebody is; unknown if it does not say."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                answer = await self.web.call(Method.USERS_INFO, user=slack_user_id)
            user = SlackUser.model_validate(answer.get("user"))
        except Refused as refusal:
            is_unseen = refusal.reason in UNSEEN
            return _unnamed(Affiliation.OUTSIDER if is_unseen else Affiliation.UNKNOWN)
        except (AgencyClawError, ValidationError, TimeoutError) as error:
            logfire.warn("author unknown", error=type(error).__name__)
            return _unnamed(Affiliation.UNKNOWN)
        name = _name(user.real_name or user.name)
        return Author(name or _SOMEBODY, _AFFILIATIONS[membership_of(user, team_id)])


def _unnamed(affiliation: Affiliation) -> Author:
    return Author(_SOMEBODY, affiliation)


def _name(raw: str) -> str:
    return one_line(clean(raw, limit=2 * _NAME_LIMIT))[:_NAME_LIMIT].strip()


def _is_post(message: ThreadMessage, me: BotIdentity) -> bool:
    """Return whether somebody else wrote it, and it is no join, topic or deleted message."""
    is_ours = message.bot_id == me.bot_id or message.user == me.user_id
    is_written = message.subtype in SPOKEN or message.subtype == "bot_message"
    return is_written and not is_ours and bool(text_of(message))


def text_of(message: ThreadMessage) -> str:
    """Return the text of a message; apps often put theirs into attachments."""
    texts = [message.text or ""]
    if message.bot_id:
        own = [attached for attached in message.attachments if not attached.is_share]
        texts += [attached.text or attached.fallback or "" for attached in own]
    return message.words("\n".join(filter(None, texts)))


def name_of(message: ThreadMessage) -> str:
    """Return the author's name in the message itself, which only apps have."""
    return _name(message.bot_profile.name or message.username) or _SOMEBODY


def _thread_post(message: ThreadMessage, authors: dict[str, Author]) -> ThreadPost:
    app = Author(name_of(message), Affiliation.APP)
    author = authors.get(message.person, app)
    return ThreadPost(
        ts=message.ts,
        slack_user_id=message.person,
        name=author.name,
        affiliation=author.affiliation,
        text=text_of(message),
        carries=message.carries,
        attached=message.attached,
    )
