"""The older part of a long thread, condensed once and used while it stands as it did."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from zoneinfo import ZoneInfo

from pydantic_ai.models import Model
from pydantic_core import to_json

from agencyclaw.agents.summary import condense
from agencyclaw.agents.thread import HeardThread, Line, quoted, thread_transcript
from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.journal import ModelCost
from agencyclaw.domain.people import Place
from agencyclaw.domain.thread import Digest, ThreadPost
from agencyclaw.knowledge.tokens import count_tokens

TIMEOUT_S = 6.0


class Digests(Protocol):
    """What the older parts of threads were condensed to."""

    async def of(self, place: Place) -> Digest | None:
        """Return that of a thread."""
        ...

    async def keep(self, place: Place, digest: Digest) -> None:
        """Keep it for later turns, in place of an earlier one."""
        ...


@dataclass(frozen=True)
class Condensing:
    """Condenses with the fast model; where that fails, what does not fit is left out, and said."""

    digests: Digests
    model: Model | str
    timeout_s: float = TIMEOUT_S

    async def of(
        self,
        place: Place,
        posts: Sequence[ThreadPost],
        lines: Sequence[Line],
        zone: ZoneInfo,
        tokens: int,
    ) -> HeardThread:
        """Return a thread that does not fit: its root, its older part condensed, and the newest."""
        known = await self._known(place, posts)
        heard = heard_of(lines, zone, tokens, known)
        if known and heard.left_out == known.left_out:
            return heard
        # Half of the room is left free, so that not every message costs a call.
        newest = heard_of(lines, zone, tokens // 2).lines[1:] or lines[-1:]
        made = await self._condensed(posts, lines, known, newest[0].ts)
        if made is None:
            return heard
        digest, cost = made
        await self.digests.keep(place, digest)
        return replace(heard_of(lines, zone, tokens, digest), cost=cost)

    async def _known(self, place: Place, posts: Sequence[ThreadPost]) -> Digest | None:
        """Return what is kept, unless one of its messages was edited or deleted since."""
        kept = await self.digests.of(place)
        is_true = kept and kept.fingerprint == fingerprint(posts, kept.until)
        return kept if is_true else None

    async def _condensed(
        self,
        posts: Sequence[ThreadPost],
        lines: Sequence[Line],
        known: Digest | None,
        until: str,
    ) -> tuple[Digest, ModelCost] | None:
        """Condense what stands between what is condensed already and a stamp."""
        since = number(known.until) if known else number(lines[0].ts)
        older = [one for one in lines if since < number(one.ts) < number(until)]
        if not older:
            return None
        transcript, unread = thread_transcript(older, known.text if known else "")
        meta = {"messages": len(older)}
        done = await condense(transcript, self.model, self.timeout_s, meta)
        if done is None:
            return None
        text, cost = done
        last = older[-1].ts
        left_out = unread + (known.left_out if known else 0)
        made = Digest(
            text=text, until=last, fingerprint=fingerprint(posts, last), left_out=left_out
        )
        return made, cost


def fingerprint(posts: Sequence[ThreadPost], until: str) -> str:
    """Return what tells whether the messages between the root and a stamp stand as they did."""
    stands = [
        (one.ts, one.slack_user_id or one.name, one.text)
        for one in posts[1:]
        if number(one.ts) <= number(until)
    ]
    return hashlib.sha256(to_json(stands)).hexdigest()


def heard_of(
    lines: Sequence[Line], zone: ZoneInfo, tokens: int, digest: Digest | None = None
) -> HeardThread:
    """Return what there is room for: the root, which says what it is about, and the newest.

    What is condensed stands between them.
    """
    if not lines:
        return HeardThread()
    root, *rest = lines
    later = [one for one in rest if not digest or number(one.ts) > number(digest.until)]
    older = rest[: len(rest) - len(later)]
    kept = _newest(later, zone, tokens - _size(root, zone) - _tokens(digest))
    unread = digest.left_out if digest else 0
    return HeardThread(
        lines=(root, *kept),
        left_out=unread + len(later) - len(kept),
        digest=digest.text if digest else "",
        condensed=len(older) - unread,
        rests_on=tuple(one.material for one in older[unread:]),
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
