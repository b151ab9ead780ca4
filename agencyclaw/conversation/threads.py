"""A thread of people as a run hears it: quoted by name, bounded, each message where it was post.

Nothing of it is kept: it is read anew in every turn. So an edit or a deletion counts from the next
turn on, and what was heard before stands again where it stood, word for word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

import logfire

from agencyclaw.agents.thread import HeardThread, Line, quoted
from agencyclaw.conversation.materials import material_of
from agencyclaw.conversation.waiting import Waiting
from agencyclaw.domain.errors import Misconfigured, Throttled, Unavailable, Unclear, Unreadable
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.receipts import Incoming, Receipt
from agencyclaw.domain.thread import Affiliation, ThreadPost
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.store.jobs import is_local

TOKENS = 4_000
_WHAT_WAS_SAID = message("thread.what_was_said")
_LABELS: Mapping[Affiliation, Callable[[str], str]] = {
    Affiliation.COLLEAGUE: lambda name: name,
    Affiliation.GUEST: lambda name: message("thread.guest", name=name),
    Affiliation.OUTSIDER: lambda name: message("thread.outsider", name=name),
    Affiliation.GONE: lambda name: message("thread.gone", name=name),
    Affiliation.APP: lambda name: message("thread.app", name=name),
    Affiliation.UNKNOWN: lambda name: message("thread.unknown", name=name),
}


class ThreadPosts(Protocol):
    """What stands in Slack's threads."""

    async def posts(self, place: Place, *, until: str) -> Sequence[ThreadPost]:
        """Return what stands in a thread before a stamp, oldest first, our own words left out.

        Raises Unavailable, Throttled, Unclear or Misconfigured.
        """
        ...


class Names(Protocol):
    """What colleagues are called among us."""

    def __call__(self, text: str) -> str:
        """Return a text in which mentions are names."""
        ...


@dataclass(frozen=True)
class ThreadReading:
    """Reads the thread into which we are called."""

    reader: ThreadPosts
    waiting: Waiting
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
                return HeardThread(is_unread=True)
            except (Unavailable, Unclear) as error:
                after_s = error.after if isinstance(error, Throttled) else 0.0
                await self.waiting.again(receipt, _WHAT_WAS_SAID, after_s)
                return HeardThread(is_unread=True)
            heard = heard_of([line_of(one, actor, names) for one in posts], actor, self.tokens)
            span.set_attributes({"messages": len(posts), "left_out": heard.left_out})
            return heard


def is_within(incoming: Incoming) -> bool:
    """Return whether a message goes on a thread of people: in a channel, and not as its first."""
    place = incoming.place
    begins = incoming.slack_ts == place.thread_ts
    return not (place.is_direct or begins or is_local(place.team_id))


def line_of(post: ThreadPost, actor: Actor, names: Names) -> Line:
    """Return a message as it is quoted: named, and where it is others', nobody's order."""
    is_own = post.slack_user_id == actor.slack_user_id
    whose = actor.name if is_own else _LABELS[post.affiliation](_called(post, names))
    text = names(post.text)
    material = (
        material_of(text, post.carries, actor.name)
        if is_own
        else Material(origin=Origin.OTHERS, whose=whose, text=text, taints=True)
    )
    return Line(post.ts, whose, text, material)


def _called(post: ThreadPost, names: Names) -> str:
    """Return a colleague's name as we know it, and anybody else's as Slack has it."""
    called = names(f"<@{post.slack_user_id}>").removeprefix("@")
    is_known = post.affiliation is Affiliation.COLLEAGUE and not called.startswith("<")
    return called if is_known else post.name


def heard_of(lines: Sequence[Line], actor: Actor, tokens: int) -> HeardThread:
    """Return what there is room for: the root, which says what it is about, and the newest."""
    if not lines:
        return HeardThread()
    root, *rest = lines
    left = tokens - _size(root, actor.zone)
    kept: list[Line] = []
    for line in reversed(rest):
        left -= _size(line, actor.zone)
        if left < 0:
            break
        kept.append(line)
    shown = (root, *reversed(kept))
    return HeardThread(shown, len(lines) - len(shown), zone=actor.zone)


def _size(line: Line, zone: ZoneInfo) -> int:
    return count_tokens(quoted(line, zone))
