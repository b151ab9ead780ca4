"""Stores what comes due as receipts with their jobs: messages that nobody typed."""

from __future__ import annotations

from datetime import datetime

from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.schedules import Schedule
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection, Record
from agencyclaw.store.jobs import defer, turn_queues_of
from agencyclaw.store.receipts import columns_of

# At most this many questions of one person's schedules come within a day; later ones are missed.
POSTS_A_DAY = 20
TRIED = "trial"

_NOW = "select schedule_clock()"
_IS_BUSY = """
select exists (select from slack_event_receipts
  where status = 'received' and event_type = 'firing' and lane = $1)
"""
_POSTED_LATELY = """
select count(*) from slack_event_receipts where slack_user_id = $1 and team_id = $2
  and event_type = 'firing' and slack_ts::numeric > $3 and not starts_with(lane, $4)
"""
_FIRE = """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (event_key) do nothing
returning id
"""


async def queue_unless_enough(conn: Connection, row: Record, incoming: Incoming) -> bool:
    """Do the same as `queue_unless_busy`; False also if the owner had enough answers for a day."""
    since = row["now"].timestamp() - 86_400
    # Another schedule of this person may come due at the same moment.
    whose = f"{row['team_id']}:{row['slack_user_id']}"
    await lock_until_commit(conn, LockKind.FIRINGS, whose)
    who = row["slack_user_id"], row["team_id"]
    lately = await conn.fetchval(_POSTED_LATELY, *who, since, f"{TRIED}:")
    if lately >= POSTS_A_DAY:
        return False
    return await queue_unless_busy(conn, row, incoming)


async def queue_unless_busy(conn: Connection, row: Record, incoming: Incoming) -> bool:
    """Store the receipt of a question with its job; False while its last answer is under way.

    The caller has locked the schedule. The statement that waited for the lock did not see what was
    committed meanwhile, so this is looked up in one of its own.
    """
    lane = f"schedule:{row['id']}"
    if await conn.fetchval(_IS_BUSY, lane):
        return False
    await _queue_firing(conn, incoming, lane=lane)
    return True


def incoming_of(row: Record, schedule: Schedule, key: str) -> Incoming:
    """Return the question of a schedule as a message that nobody typed."""
    place = Place(
        team_id=row["team_id"],
        channel_id=schedule.channel_id,
        thread_ts="",
        is_direct=not schedule.is_in_channel,
    )
    return _firing(key, place, row["now"], row["slack_user_id"], schedule.words)


def _firing(key: str, place: Place, now: datetime, slack_user_id: str, words: str) -> Incoming:
    return Incoming(
        key=key,
        source="schedules",
        kind=ReceiptKind.FIRING,
        place=place,
        slack_ts=f"{now.timestamp():.6f}",
        slack_user_id=slack_user_id,
        text=words,
        carries=(),
    )


async def _queue_firing(conn: Connection, incoming: Incoming, *, lane: str) -> None:
    """Store the receipt of a firing with its job, once for its key."""
    receipt_id = await conn.fetchval(_FIRE, *columns_of(incoming, lane=lane))
    if receipt_id is not None:
        # The overflow queue: people come first.
        _, queue = turn_queues_of(incoming.place.team_id)
        await defer(conn, "fire", {"receipt_id": receipt_id}, queue=queue)


async def begin_trial(conn: Connection, proposal: Proposal, words: str) -> None:
    """Have the question of a proposal answered once, in the thread where its card will be."""
    now: datetime = await conn.fetchval(_NOW)
    key = f"{TRIED}:{proposal.id}"
    incoming = _firing(key, proposal.place, now, proposal.actor_slack_user_id, words)
    await _queue_firing(conn, incoming, lane=key)
