"""A thread of people as a run hears it: quoted by name, bounded, each message where it was said.

It is read anew in every turn. So an edit or a deletion counts from the next turn on, and what was
heard before stands again where it stood, word for word. Kept is only what the older part of a long
thread was condensed to, and used while every message of that part stands as it did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import logfire

from agencyclaw.agents.main import Models
from agencyclaw.agents.thread import HeardThread, Line
from agencyclaw.conversation.condensing import Condensing, heard_of
from agencyclaw.conversation.materials import material_of
from agencyclaw.conversation.slack_reading import SlackReading
from agencyclaw.conversation.waiting import WaitingMessages
from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    NotGranted,
    Throttled,
    TooLong,
    Unavailable,
    Unclear,
    Unreadable,
)
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Incoming, Receipt
from agencyclaw.domain.thread import Affiliation, ThreadPost
from agencyclaw.store.jobs import is_local
from agencyclaw.store.threads import ThreadDigests

TOKENS = 4_000
_WHAT_WAS_SAID = message("thread.what_was_said")
_LABELS: Mapping[Affiliation, Callable[[str], str]] = {
    Affiliation.GUEST: lambda name: message("thread.guest", name=name),
    Affiliation.OUTSIDER: lambda name: message("thread.outsider", name=name),
    Affiliation.GONE: lambda name: message("thread.gone", name=name),
    Affiliation.APP: lambda name: message("thread.app", name=name),
    Affiliation.UNKNOWN: lambda name: message("thread.unknown", name=name),
}


class Names(Protocol):
    """What colleagues are called among us."""

    def __call__(self, text: str) -> str:
        """Return a text in which mentions are names."""
        ...


@dataclass(frozen=True)
class ThreadReading:
    """Reads the thread into which we are called."""

    reader: SlackReading
    waiting: WaitingMessages
    condensing: Condensing | None = None
    tokens: int = TOKENS

    async def of(self, receipt: Receipt, actor: Actor, names: Names) -> HeardThread:
        """Return what stands in the thread before a message.

        Raises Throttled for the next try while Slack does not say; in the end it goes unread.
        """
        incoming = receipt.incoming
        with logfire.span("thread.read") as span:
            try:
                posts = await self.reader.posts(incoming.place, until=incoming.slack_ts)
            except (Misconfigured, Unreadable) as error:
                logfire.error("thread not read", why=str(error))
                return HeardThread(unread=_why_unread(error))
            except (Unavailable, Unclear) as error:
                after_s = error.after if isinstance(error, Throttled) else 0.0
                await self.waiting.retry(receipt, _WHAT_WAS_SAID, after_s)
                return HeardThread(unread=_why_unread(error))
            lines = [line_of(one, actor, names) for one in posts]
            heard = heard_of(lines, actor.zone, self.tokens)
            if heard.left_out and self.condensing:
                place = incoming.place
                heard = await self.condensing.of(place, posts, lines, actor.zone, self.tokens)
            span.set_attributes(
                {
                    "messages": len(posts),
                    "condensed": heard.condensed,
                    "left_out": heard.left_out,
                }
            )
            return replace(heard, every={one.ts: one for one in lines})


def thread_reading(
    reader: SlackReading | None, waiting: WaitingMessages, models: Models
) -> ThreadReading | None:
    """Build it, with the fast model for what does not fit; None without Slack."""
    if reader is None:
        return None
    condensing = Condensing(ThreadDigests(waiting.db), models.fast or models.default)
    return ThreadReading(reader, waiting, condensing)


def is_within(incoming: Incoming) -> bool:
    """Return whether a message goes on a thread of people: in a channel, and not as its first."""
    place = incoming.place
    begins = incoming.slack_ts == place.thread_ts
    return not (place.is_direct or begins or is_local(place.team_id))


def line_of(post: ThreadPost, actor: Actor, names: Names) -> Line:
    """Return a message as it is quoted: named, and where it is others', nobody's order."""
    is_own = post.slack_user_id == actor.slack_user_id
    whose = actor.name if is_own else _named(post, names)
    text = names(post.text)
    material = (
        material_of(text, post.carries, actor.name)
        if is_own
        else Material(origin=Origin.OTHERS, whose=whose, text=text, taints=True)
    )
    return Line(post.ts, whose, text, material)


def _why_unread(error: AgencyClawError) -> str:
    match error:
        case NotGranted():
            return message("thread.not_granted")
        case TooLong():
            return message("thread.too_long")
        case _:
            return message("thread.unread")


def _named(post: ThreadPost, names: Names) -> str:
    """Return a colleague's name as we know it; anybody else's is what they call themselves."""
    if post.affiliation is not Affiliation.COLLEAGUE:
        return _LABELS[post.affiliation](post.name)
    called = names(f"<@{post.slack_user_id}>").removeprefix("@")
    return message("thread.unlinked", name=post.name) if called.startswith("<") else called
