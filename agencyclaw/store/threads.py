"""Threads of people: condensed older parts, and whether a message in one is ours to answer.

Hot path: every message in a thread of people.
"""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.thread import Digest
from agencyclaw.store.engine import Database, fetch_one

_DIGEST = """
select text, covers_until as until, fingerprint, left_out from thread_digests
where team_id = $1 and channel_id = $2 and thread_ts = $3
"""
_KEEP_DIGEST = """
insert into thread_digests (team_id, channel_id, thread_ts, text, covers_until, fingerprint,
  left_out)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (team_id, channel_id, thread_ts) do update set text = excluded.text,
  covers_until = excluded.covers_until, fingerprint = excluded.fingerprint,
  left_out = excluded.left_out, made_at = now()
"""
# What stands directly before a message of a thread, by Slack's order: words of ours, or somebody's.
# A post of ours that is on its way may be what the person saw; a streamed one is new to its end.
_POSITION = """
select exists (
  select 1 from slack_event_receipts
  where team_id = $1 and channel_id = $2 and thread_ts = $3 and status in ('received', 'done')
) as takes_part, coalesce((
  select before.follows_us from (
    select slack_ts::numeric as ts,
      slack_user_id = $5 and event_type <> 'overheard' and status <> 'ignored' as follows_us
    from slack_event_receipts
    where team_id = $1 and channel_id = $2 and thread_ts = $3
      and event_type in ('message', 'word', 'overheard') and slack_ts::numeric < $4::text::numeric
    union all
    select case when state <> 'sent' then $4::text::numeric when stream_ts is null
      then sent_ts::numeric else least($4::text::numeric, extract(epoch from sent_at)) end, true
    from outbox
    where team_id = $1 and channel_id = $2 and thread_ts = $3
      and kind in ('answer', 'notice', 'card')
      and (state in ('sending', 'streaming')
        or state = 'sent' and coalesce(stream_ts, sent_ts)::numeric < $4::text::numeric)
  ) as before order by before.ts desc limit 1
), false) as follows_us, coalesce((
  select (
    select run.output_payload ->> 'asks' = 'true' from agent_runs run
    where run.receipt_id = ours.id and run.run_type = 'main' order by run.started_at desc limit 1
  ) and (
    select count(*) < $6 from slack_event_receipts
    where team_id = $1 and channel_id = $2 and thread_ts = $3 and slack_user_id = $5
      and reason = 'not_for_us' and slack_ts::numeric > ours.slack_ts::numeric
  )
  from slack_event_receipts ours
  where team_id = $1 and channel_id = $2 and thread_ts = $3 and slack_user_id = $5
    and event_type in ('message', 'word') and status = 'done'
    and slack_ts::numeric < $4::text::numeric
  order by slack_ts::numeric desc limit 1
), false) as is_asked
"""
# So many messages of somebody whom we asked may turn out to be for others before we stop waiting.
_MESSAGES_FOR_OTHERS = 3


class ThreadDigests:
    """One digest for each thread; everybody who reads the thread may read it."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, place: Place) -> Digest | None:
        """Return that of a thread."""
        row = await self._db.pool.fetchrow(_DIGEST, *_key(place))
        return Digest(**row) if row else None

    async def keep(self, place: Place, digest: Digest) -> None:
        """Keep it for later turns, in place of an earlier one."""
        columns = (digest.text, digest.until, digest.fingerprint, digest.left_out)
        await self._db.pool.execute(_KEEP_DIGEST, *_key(place), *columns)


def _key(place: Place) -> tuple[str, str, str]:
    return place.team_id, place.channel_id, place.thread_ts


@dataclass(frozen=True)
class ThreadPosition:
    """How a message stands in a thread of people.

    `takes_part`: we were spoken to there. `follows_us`: directly before it stand words of ours, or
    its author's own words to us. `is_asked`: our last answer to its author asked something, and
    they have not answered it.
    """

    takes_part: bool
    follows_us: bool
    is_asked: bool


async def position_of(db: Database, incoming: Incoming) -> ThreadPosition:
    """Return how a message stands in its thread."""
    place = incoming.place
    row = await fetch_one(
        db.pool,
        _POSITION,
        *_key(place),
        *(incoming.slack_ts, incoming.slack_user_id, _MESSAGES_FOR_OTHERS),
    )
    return ThreadPosition(**row)
