"""The outbox: every message that must reach Slack, and how far its delivery got.

While a turn runs, its answer may already be in Slack as a stream: its row is `streaming` then, and
becomes `pending` with the final answer.

Hot path: every delivery.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import WORDS_S, Proposal, fingerprint
from agencyclaw.domain.receipts import Delivery, Note, OutboxKind, Receipt, ShownCard
from agencyclaw.domain.sheets import Sheet
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.homes import wake_homes
from agencyclaw.store.jobs import defer_delivery, is_local
from agencyclaw.store.proposals import fetch_proposals
from agencyclaw.store.receipts import place_in

_PUT = """
insert into outbox (key, kind, team_id, channel_id, thread_ts, slack_user_id, receipt_id, run_id,
  proposal_ids, body, state, sent_ts, sent_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, case $11 when 'sent' then now() end)
on conflict (key) do update set kind = excluded.kind, run_id = excluded.run_id,
  body = excluded.body, state = excluded.state
where outbox.state = 'streaming'
returning id
"""

_CLAIM = """
with before as (
  select id as before_id, state as before_state from outbox where id = $1 for update
)
update outbox set state = 'sending', sending_at = coalesce(sending_at, now()),
  attempts = attempts + 1
from before
where id = before.before_id and before.before_state in ('pending', 'sending')
returning outbox.*, is_direct_channel(team_id, channel_id) as is_direct,
  before.before_state = 'sending' as was_sending,
  (select r.id from agent_runs r
   where r.id = (body ->> 'run_id')::uuid and kind in ('answer', 'answer_update')
     and (r.output_payload ->> 'verified')::bool) as rated_run
"""

_OF_RECEIPT = """
select *, is_direct_channel(team_id, channel_id) as is_direct
from outbox where receipt_id = $1 order by seq
"""

_CARDS = """
select id, channel_id, sent_ts, proposal_ids, coalesce(thread_ts, '') from outbox
where kind = 'card' and state = 'sent' and sent_ts is not null and proposal_ids @> array[$1::uuid]
order by seq
"""
_SHOWN = """
select id, channel_id, sent_ts, proposal_ids, coalesce(thread_ts, '') from outbox
where id = any($1) and state = 'sent' and sent_ts is not null
"""


_SENT = """
with sent as (
  update outbox set state = 'sent', sent_ts = coalesce($2, sent_ts), sent_at = now(),
    shown_hash = coalesce($3, shown_hash), error = null
  where id = $1 and (kind <> 'home' or state = 'sending')
  returning id, kind
)
update proposals set words_until = now() + make_interval(secs => $4)
from sent where sent.kind = 'card' and proposals.card_id = sent.id
  and proposals.state = 'open' and proposals.words_until is not null
"""
# The first message of a schedule's answer begins a thread: what is said below it continues it.
_BEGIN_THREAD = """
with firing as (
  update slack_event_receipts set thread_ts = $2,
    payload = jsonb_set(payload, '{place,thread_ts}', to_jsonb($2::text))
  where id = (select receipt_id from outbox where id = $1)
    and event_type = 'firing' and thread_ts = ''
  returning id, team_id || ':' || channel_id || case when is_direct then '' else ':' || $2 end
    as place
), runs as (
  update agent_runs set thread_ts = $2, place = firing.place
  from firing where receipt_id = firing.id
), posts as (
  update outbox set thread_ts = $2 from firing where receipt_id = firing.id
)
update proposals set thread_ts = $2, place = firing.place
from firing where receipt_id = firing.id returning proposals.*
"""
# Only of one that is as it was shown: a row changed behind our back is to be found out.
_BIND = "update proposals set fingerprint = $3 where id = $1 and fingerprint = $2"
# Slack's errors for a channel that was archived, or that we are not in.
CLOSED_CHANNEL = frozenset({"channel_not_found", "not_in_channel", "is_archived"})
# Is given what can never be sent, and why.
OnDead = Callable[[Connection, UUID, str], Awaitable[None]]
# Those that a column holds as they are.
_FIELDS = Delivery.model_fields.keys() - {"place", "note", "sheet", "sending_at"}


class Outbox:
    """Deliveries, one state machine each: (streaming →) pending → sending → sent, or dead."""

    def __init__(self, db: Database, on_dead: OnDead | None = None) -> None:
        self._db = db
        self._on_dead = on_dead

    async def claim(self, outbox_id: UUID) -> Delivery | None:
        """Claim a delivery; one that was being sent says so, to be looked up before a resend."""
        row = await self._db.pool.fetchrow(_CLAIM, outbox_id)
        return _delivery(row) if row else None

    async def sent(self, outbox_id: UUID, ts: str | None, shown_hash: str | None = None) -> None:
        """Record that the message is in Slack at `ts`, if it has one, and what was shown.

        A Home tab that changed while it was drawn is drawn again. From the card's arrival a yes in
        words counts for ten minutes.
        """
        await self._db.pool.execute(_SENT, outbox_id, ts, shown_hash, float(WORDS_S))

    async def sent_first(self, outbox_id: UUID, ts: str) -> None:
        """Record the same for a message outside all threads, and let a firing continue below it."""
        async with self._db.transaction() as conn:
            await conn.execute(_SENT, outbox_id, ts, None, float(WORDS_S))
            moved = await fetch_proposals(conn, _BEGIN_THREAD, outbox_id, ts)
            for one in moved:
                outside = one.place.model_copy(update={"thread_ts": ""})
                places = (outside, one.place)
                fingerprints = (
                    fingerprint(one.effect, one.actor_profile_id, place) for place in places
                )
                await conn.execute(_BIND, one.id, *fingerprints)
            if moved:
                # Their buttons in a Home tab carry the former fingerprint.
                await wake_homes(conn, moved[0].place.team_id, tuple(one.id for one in moved))

    async def postpone(self, outbox_id: UUID, error: str) -> None:
        """Put a delivery back; only if certainly nothing was sent."""
        await self._db.pool.execute(
            "update outbox set state = 'pending', sending_at = null, error = $2 where id = $1",
            outbox_id,
            error,
        )

    async def count_failure(self, outbox_id: UUID) -> int:
        """Count a failure of our own, apart from the attempts; returns the number of failures."""
        return await self._db.pool.fetchval(
            "update outbox set failures = failures + 1 where id = $1 returning failures", outbox_id
        )

    async def dead_letter(self, outbox_id: UUID, error: str) -> None:
        """Give up a delivery that can never be sent, and tell `on_dead` in the same transaction."""
        async with self._db.transaction() as conn:
            await conn.execute(
                "update outbox set state = 'dead', error = $2 where id = $1", outbox_id, error
            )
            if self._on_dead:
                await self._on_dead(conn, outbox_id, error)

    async def uploaded(self, outbox_id: UUID, file_id: str) -> None:
        """Record what Slack calls the file of a delivery, before it is shown to anybody."""
        await self._db.pool.execute(
            "update outbox set file_id = $2 where id = $1", outbox_id, file_id
        )

    async def cards_of(self, proposal_id: UUID) -> list[ShownCard]:
        """Return every sent card that shows this proposal, with all the proposals on it."""
        return [_shown(row) for row in await self._db.pool.fetch(_CARDS, proposal_id)]

    async def of_receipt(self, receipt_id: int) -> list[Delivery]:
        """Return all deliveries caused by a receipt, in order; a terminal prints these."""
        rows = await self._db.pool.fetch(_OF_RECEIPT, receipt_id)
        return [_delivery(row) for row in rows]


async def shown_cards(db: Database, card_ids: Sequence[UUID]) -> dict[UUID, ShownCard]:
    """Return those of some cards that Slack has."""
    rows = await db.pool.fetch(_SHOWN, card_ids)
    return {row[0]: _shown(row) for row in rows}


async def shown_hash_of(conn: Connection, proposal: Proposal) -> str | None:
    """Return the hash of the card as shown; None if it was in no message of its own."""
    return await conn.fetchval("select shown_hash from outbox where id = $1", proposal.card_id)


async def post(
    conn: Connection,
    *,
    key: str,
    kind: OutboxKind,
    place: Place,
    note: Note | None = None,
    sheet: Sheet | None = None,
    proposal_ids: tuple[UUID, ...] = (),
    slack_user_id: str | None = None,
    receipt_id: int | None = None,
    run_id: UUID | None = None,
    changes_ts: str | None = None,
) -> UUID | None:
    """Queue a delivery inside the caller's transaction; None if its key is queued already.

    With `changes_ts` it replaces the message at that ts. A stream under the same key becomes this
    delivery.
    """
    state = "sent" if is_local(place.team_id) else "pending"
    # A terminal reads a post at once; elsewhere Slack reports when the message has arrived.
    sent_ts = changes_ts or (f"{time.time():.6f}" if state == "sent" else None)
    body = note.stored() if note else {}
    body |= {"sheet": sheet.model_dump(mode="json")} if sheet else {}
    outbox_id: UUID | None = await conn.fetchval(
        _PUT,
        key,
        kind.value,
        place.team_id,
        place.channel_id,
        place.thread_ts,
        slack_user_id,
        receipt_id,
        run_id,
        list(proposal_ids),
        body,
        state,
        sent_ts,
    )
    if outbox_id:
        # What has no place goes to a person's direct messages, and waits for nobody else's.
        lane = place.key if place.channel_id else f"{place.team_id}:home:{slack_user_id}"
        await defer_delivery(conn, outbox_id, place.team_id, lane)
    if kind in (OutboxKind.CARD, OutboxKind.CARD_UPDATE):
        await wake_homes(conn, place.team_id, proposal_ids)
    return outbox_id


async def post_notice(conn: Connection, key: str, proposal: Proposal, text: str) -> None:
    """Queue a fixed sentence about a proposal, in the conversation where it was requested."""
    await post(
        conn,
        key=key,
        kind=OutboxKind.NOTICE,
        place=proposal.place,
        note=Note(text=text, about=proposal.id),
        slack_user_id=proposal.actor_slack_user_id,
    )


async def post_answer(
    conn: Connection,
    receipt: Receipt,
    note: Note,
    *,
    kind: OutboxKind = OutboxKind.NOTICE,
    is_private: bool = False,
    run_id: UUID | None = None,
) -> None:
    """Queue what answers a message, where it was written, or for its author alone."""
    incoming = receipt.incoming
    await post(
        conn,
        key=f"answer:{receipt.id}",
        kind=OutboxKind.EPHEMERAL if is_private else kind,
        place=incoming.place,
        note=note,
        slack_user_id=incoming.slack_user_id if is_private else None,
        receipt_id=receipt.id,
        run_id=run_id,
    )


def _shown(row: Record) -> ShownCard:
    key, channel, ts, ids, thread = row
    return ShownCard(key, channel, ts, tuple(ids), thread)


def _delivery(row: Record) -> Delivery:
    body = row["body"]
    return Delivery(
        **{name: value for name, value in row.items() if name in _FIELDS},
        place=place_in(row),
        note=Note.read(body) if "text" in body else None,
        sheet=Sheet.model_validate(body["sheet"], extra="ignore") if "sheet" in body else None,
        sending_at=row["sending_at"].timestamp() if row["sending_at"] else None,
        queued_at=row["created_at"].timestamp(),
    )
