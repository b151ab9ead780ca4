"""Reads a thread of people for a run: messages quoted by name, within a budget of tokens.

It is read anew in every turn, so an edit or a deletion counts from the next turn on. Only the
digest of a long thread's older part is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import logfire

from agencyclaw.agents.main import Models
from agencyclaw.agents.thread import Line, QuotedThread
from agencyclaw.conversation.condensing import Condensing, fitted
from agencyclaw.conversation.materials import material_of
from agencyclaw.conversation.slack_ports import SlackReader
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
from agencyclaw.domain.thread import Affiliation, SharedFile, ThreadPost
from agencyclaw.spans import traced
from agencyclaw.store.jobs import is_local
from agencyclaw.store.threads import ThreadDigests

_TOKENS = 4_000
_WHAT_WAS_SAID = message("thread.what_was_said")
_LABELS: Mapping[Affiliation, Callable[[str], str]] = {
    Affiliation.GUEST: lambda name: message("thread.guest", name=name),
    Affiliation.OUTSIDER: lambda name: message("thread.outsider", name=name),
    Affiliation.GONE: lambda name: message("thread.gone", name=name),
    Affiliation.APP: lambda name: message("thread.app", name=name),
    Affiliation.UNKNOWN: lambda name: message("thread.unknown", name=name),
}


# Returns a text in which Slack's mentions are names.
Names = Callable[[str], str]


@dataclass(frozen=True)
class ThreadReading:
    """Reads the thread into which we are called."""

    reader: SlackReader
    waiting: WaitingMessages
    condensing: Condensing

    async def read(self, receipt: Receipt, actor: Actor, names: Names) -> QuotedThread:
        """Return the thread before a message.

        Raises Throttled for the next try while Slack is away; after a while it is left unread.
        """
        incoming = receipt.incoming
        with traced("thread.read") as span:
            try:
                posts = await self.reader.posts(incoming.place, until=incoming.slack_ts)
            except (Misconfigured, Unreadable) as error:
                logfire.error("thread not read", why=str(error))
                return QuotedThread(unread=_why_unread(error))
            except (Unavailable, Unclear) as error:
                after_s = error.after if isinstance(error, Throttled) else 0.0
                await self.waiting.retry(receipt, _WHAT_WAS_SAID, after_s)
                return QuotedThread(unread=_why_unread(error))
            lines = [line_of(post, actor, names) for post in posts]
            thread = fitted(lines, actor.zone, _TOKENS)
            if thread.left_out:
                place = incoming.place
                thread = await self.condensing.fit(place, posts, lines, actor.zone, _TOKENS)
            span.set_attributes(
                {
                    "messages": len(posts),
                    "condensed": thread.condensed,
                    "left_out": thread.left_out,
                }
            )
            return thread


def thread_reading(
    reader: SlackReader | None, waiting: WaitingMessages, models: Models
) -> ThreadReading | None:
    """Build the reading of threads, with the fast model for digests; None without Slack."""
    if reader is None:
        return None
    condensing = Condensing(ThreadDigests(waiting.db), models.fast or models.default)
    return ThreadReading(reader, waiting, condensing)


def is_within(incoming: Incoming) -> bool:
    """Return whether a message belongs to a thread of people: in a channel, and not its first."""
    place = incoming.place
    is_first = incoming.slack_ts == place.thread_ts
    return not (place.is_direct or is_first or is_local(place.team_id))


def line_of(post: ThreadPost, actor: Actor, names: Names) -> Line:
    """Return a message as it is quoted; the words of others are material, not orders."""
    is_own = post.slack_user_id == actor.slack_user_id
    whose = actor.name if is_own else _named(post, names)
    text = names(post.text)
    material = (
        material_of(text, post.carries, actor.name)
        if is_own
        else Material(origin=Origin.OTHERS, whose=whose, text=text, taints=True)
    )
    files = tuple(SharedFile(file, whose) for file in post.attached)
    return Line(post.ts, whose, text, material, files)


def _why_unread(error: AgencyClawError) -> str:
    match error:
        case NotGranted():
            return message("thread.not_granted")
        case TooLong():
            return message("thread.too_long")
        case _:
            return message("thread.unread")


def _named(post: ThreadPost, names: Names) -> str:
    """Return a colleague's name from our records; anybody else's is what they call themselves."""
    if post.affiliation is not Affiliation.COLLEAGUE:
        return _LABELS[post.affiliation](post.name)
    name = names(f"<@{post.slack_user_id}>").removeprefix("@")
    return message("thread.unlinked", name=post.name) if name.startswith("<") else name
