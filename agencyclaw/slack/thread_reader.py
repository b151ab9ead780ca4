"""Reads a thread of people: what stands there now, and who wrote it."""

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
from agencyclaw.slack.ports import Identity
from agencyclaw.slack.threads import ThreadMessage, Threads
from agencyclaw.slack.web import Method, Web

_NAME_LIMIT = 60
_AUTHORS_KNOWN = 5_000
_PATIENCE_S = 2.0
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
    """Reads threads as they stand; nobody is believed longer than ten minutes."""

    def __init__(
        self,
        web: Web,
        threads: Threads,
        who: Callable[[], Identity],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.web = web
        self.threads = threads
        self._who = who
        self._now = now
        self._known: dict[tuple[str, str], tuple[float, Author]] = {}

    @property
    def me(self) -> Identity:
        """Who we are, whose own words are left out."""
        return self._who()

    async def posts(self, place: Place, *, until: str) -> Sequence[ThreadPost]:
        """Return what stands in a thread before a stamp, oldest first, our own words left out.

        Raises Unavailable, Throttled, Unclear or Misconfigured.
        """
        found = [
            one
            async for one in self.threads.replies(place.channel_id, place.thread_ts)
            if number(one.ts) < number(until)
        ]
        return await self.posts_of(place.team_id, found)

    async def posts_of(self, team_id: str, messages: Iterable[ThreadMessage]) -> list[ThreadPost]:
        """Return what people and other apps say in messages, with who wrote each."""
        me = self.me
        found = [one for one in messages if _is_post(one, me)]
        people = dict.fromkeys(one.person for one in found if one.person)
        authors = await self._authors(team_id, people)
        return [_post(one, authors) for one in found]

    async def named(self, team_id: str, post: QuotedMessage) -> QuotedMessage:
        """Return a message with its author's name and affiliation, as Slack says them now."""
        if not post.slack_user_id:
            return post
        author = await self._author(team_id, post.slack_user_id)
        return post.model_copy(update=author._asdict())

    async def _authors(self, team_id: str, people: Iterable[str]) -> dict[str, Author]:
        ids = list(people)
        found = await asyncio.gather(*(self._author(team_id, one) for one in ids))
        return dict(zip(ids, found, strict=True))

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
        """Ask Slack who somebody is; where it does not say, nothing is taken for granted."""
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


_SOMEBODY = message("thread.somebody")


def _unnamed(affiliation: Affiliation) -> Author:
    return Author(_SOMEBODY, affiliation)


def _name(raw: str) -> str:
    return one_line(clean(raw, limit=2 * _NAME_LIMIT))[:_NAME_LIMIT].strip()


def _is_post(one: ThreadMessage, me: Identity) -> bool:
    """Return whether somebody else said something; joins, topics and what is gone are nobody's."""
    is_ours = one.bot_id == me.bot_id or one.user == me.user_id
    is_spoken = one.subtype in SPOKEN or one.subtype == "bot_message"
    return is_spoken and not is_ours and bool(words_of(one))


def words_of(one: ThreadMessage) -> str:
    """Return what a message says; apps put their words beside the text as often as into it."""
    beside = [each.text or each.fallback or "" for each in one.attachments if one.bot_id]
    return one.words("\n".join(filter(None, (one.text, *beside))))


def name_of(one: ThreadMessage) -> str:
    """Return what a message itself calls its author: apps have their name beside it."""
    return _name(one.bot_profile.name or one.username) or _SOMEBODY


def _post(one: ThreadMessage, authors: dict[str, Author]) -> ThreadPost:
    app = Author(name_of(one), Affiliation.APP)
    author = authors.get(one.person, app)
    return ThreadPost(
        ts=one.ts,
        slack_user_id=one.person,
        name=author.name,
        affiliation=author.affiliation,
        text=words_of(one),
        carries=one.carries,
    )
