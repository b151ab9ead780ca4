"""The older part of a long thread of people, condensed to a digest.

A digest is stored, and used until one of its messages is edited or deleted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from pydantic_ai.models import Model
from pydantic_core import to_json

from agencyclaw.agents.summary import condense
from agencyclaw.agents.thread import Line, QuotedThread, quoted, thread_transcript
from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.journal import ModelCost
from agencyclaw.domain.people import Place
from agencyclaw.domain.thread import Digest, ThreadPost
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.store.threads import ThreadDigests

_TIMEOUT_S = 6.0


@dataclass(frozen=True)
class Condensing:
    """Condenses with the fast model; if that fails, older messages are left out, which is shown."""

    digests: ThreadDigests
    model: Model | str

    async def fit(
        self,
        place: Place,
        posts: Sequence[ThreadPost],
        lines: Sequence[Line],
        zone: ZoneInfo,
        tokens: int,
    ) -> QuotedThread:
        """Return a thread that is too long: its root, a digest, and its newest messages."""
        earlier = await self._valid_digest(place, posts)
        thread = fitted(lines, zone, tokens, earlier)
        if earlier and thread.left_out == earlier.left_out:
            return thread
        # Half of the room is left free, so that not every message costs a call.
        newest = fitted(lines, zone, tokens // 2).lines[1:] or lines[-1:]
        condensed = await self._condensed(posts, lines, earlier, newest[0].ts)
        if condensed is None:
            return thread
        digest, cost = condensed
        await self.digests.keep(place, digest)
        return replace(fitted(lines, zone, tokens, digest), cost=cost)

    async def _valid_digest(self, place: Place, posts: Sequence[ThreadPost]) -> Digest | None:
        """Return the stored digest, unless one of its messages was edited or deleted since."""
        digest = await self.digests.of(place)
        is_valid = digest and digest.fingerprint == fingerprint(posts, digest.until)
        return digest if is_valid else None

    async def _condensed(
        self,
        posts: Sequence[ThreadPost],
        lines: Sequence[Line],
        earlier: Digest | None,
        until: str,
    ) -> tuple[Digest, ModelCost] | None:
        """Make one digest of the earlier one and of the messages after it, before `until`."""
        since = number(earlier.until) if earlier else number(lines[0].ts)
        older = [line for line in lines if since < number(line.ts) < number(until)]
        if not older:
            return None
        transcript, unread = thread_transcript(older, earlier.text if earlier else "")
        meta = {"messages": len(older)}
        condensed = await condense(transcript, self.model, _TIMEOUT_S, meta)
        if condensed is None:
            return None
        text, cost = condensed
        last = older[-1].ts
        left_out = unread + (earlier.left_out if earlier else 0)
        digest = Digest(
            text=text, until=last, fingerprint=fingerprint(posts, last), left_out=left_out
        )
        return digest, cost


def fingerprint(posts: Sequence[ThreadPost], until: str) -> str:
    """Return a hash of the messages after the root, up to `until`; it changes if one is edited."""
    messages = [
        (post.ts, post.slack_user_id or post.name, post.text)
        for post in posts[1:]
        if number(post.ts) <= number(until)
    ]
    return hashlib.sha256(to_json(messages)).hexdigest()


def fitted(
    lines: Sequence[Line], zone: ZoneInfo, tokens: int, digest: Digest | None = None
) -> QuotedThread:
    """Return what fits: the root, which says what the thread is about, and the newest messages.

    A digest replaces the messages between them that it covers.
    """
    if not lines:
        return QuotedThread()
    root, *rest = lines
    later = [line for line in rest if not digest or number(line.ts) > number(digest.until)]
    older = rest[: len(rest) - len(later)]
    kept = _newest(later, zone, tokens - _size(root, zone) - _tokens(digest))
    unread = digest.left_out if digest else 0
    return QuotedThread(
        lines=(root, *kept),
        left_out=unread + len(later) - len(kept),
        digest=digest.text if digest else "",
        condensed=len(older) - unread,
        # Which of them had no room is not known: those of several condensings are added up.
        digest_materials=tuple(line.material for line in older),
        by_ts={line.ts: line for line in lines},
        zone=zone,
    )


def _newest(lines: Sequence[Line], zone: ZoneInfo, tokens: int) -> list[Line]:
    kept: list[Line] = []
    for line in reversed(lines):
        tokens -= _size(line, zone)
        if tokens < 0:
            break
        kept.append(line)
    return kept[::-1]


def _size(line: Line, zone: ZoneInfo) -> int:
    return count_tokens(quoted(line, zone))


def _tokens(digest: Digest | None) -> int:
    return count_tokens(digest.text) if digest else 0
