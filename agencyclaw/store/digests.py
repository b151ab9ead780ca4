"""What the older parts of long threads were condensed to."""

from __future__ import annotations

from agencyclaw.domain.people import Place
from agencyclaw.domain.thread import Digest
from agencyclaw.store.engine import Database

_READ = """
select text, covers_until as until, fingerprint, left_out from thread_digests
where team_id = $1 and channel_id = $2 and thread_ts = $3
"""
_KEEP = """
insert into thread_digests (team_id, channel_id, thread_ts, text, covers_until, fingerprint,
  left_out)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (team_id, channel_id, thread_ts) do update set text = excluded.text,
  covers_until = excluded.covers_until, fingerprint = excluded.fingerprint,
  left_out = excluded.left_out, made_at = now()
"""


class ThreadDigests:
    """One digest for each thread; everybody who reads the thread may read it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, place: Place) -> Digest | None:
        """Return that of a thread."""
        row = await self._db.pool.fetchrow(_READ, *_key(place))
        return Digest(**dict(row)) if row else None

    async def keep(self, place: Place, digest: Digest) -> None:
        """Keep it for later turns, in place of an earlier one."""
        columns = (digest.text, digest.until, digest.fingerprint, digest.left_out)
        await self._db.pool.execute(_KEEP, *_key(place), *columns)


def _key(place: Place) -> tuple[str, str, str]:
    return place.team_id, place.channel_id, place.thread_ts
