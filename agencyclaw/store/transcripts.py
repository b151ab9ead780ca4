"""What our own records know of a conversation, to judge whether a yes or no answers a card.

Slack is asked for the messages that are there; these rows know what it does not report: deleted
messages, private notes, deliveries of unknown outcome, and which card is about which proposal.

Hot path: every yes in words.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from agencyclaw.domain.commands import SlashCommand
from agencyclaw.domain.consent.reply import CardInSight, Posted
from agencyclaw.domain.consent.words import read_word
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.receipts import Incoming, Receipt
from agencyclaw.store.engine import Database, Record
from agencyclaw.store.receipts import columns_of

_SHOWN = """
select p.id as proposal_id, p.state, p.thread_ts, p.words_until, p.expires_at,
  case card.state when 'sent' then coalesce(card.sent_ts, '') else '' end as card_ts,
  card.id as card_id, cardinality(card.proposal_ids) - 1 as others_on_card,
  p.suspended_by is not null and (p.suspended_until is null or p.suspended_until > now())
    as is_suspended, p.suspended_until as revised_until,
  p.state = 'confirmed' or p.state = 'executing' and p.skill_id = 'create_task' and not exists (
    select 1 from agent_tasks t where t.proposal_id = p.id and t.status <> 'failed')
    as can_withdraw
from proposals p join outbox card on card.id = p.card_id and card.state <> 'dead'
where p.team_id = $1 and p.channel_id = $2 and p.actor_profile_id = $3
  and (p.settled_at is null or p.settled_at > now() - interval '1 day') and p.state <> 'draft'
order by p.opened_at
"""

# Rows without a Slack ts count by when they were stored, compared with the card's own time.
_POSTED = """
with card as (select sent_at, sent_ts::numeric as ts from outbox where id = $3),
since as (select coalesce((select ts from card), 0) as ts)
select slack_ts as ts, thread_ts, slack_user_id, payload ->> 'text' as text, null::uuid as about,
  true as is_certain, false as is_between
from slack_event_receipts, since
where team_id = $1 and channel_id = $2 and event_type in ('message', 'word', 'overheard')
  and slack_ts::numeric > since.ts and slack_ts <> $4
union all
select slack_ts, thread_ts, slack_user_id, null, null, true, true
from slack_event_receipts, card
where team_id = $1 and channel_id = $2 and event_type = 'command'
  and received_at > card.sent_at and received_at < $5
union all
select coalesce(o.stream_ts, o.sent_ts, ''), coalesce(o.thread_ts, ''), '', null,
  case when o.kind = 'card' then o.proposal_ids[1] else (o.body ->> 'about')::uuid end,
  o.state = 'sent',
  o.state in ('sending', 'streaming')
    or o.stream_ts is not null and o.sent_at > (select sent_at from card)
from outbox o, since
where o.team_id = $1 and o.channel_id = $2 and o.id is distinct from $3
  and o.receipt_id is distinct from $7
  and o.kind in ('answer', 'notice', 'card', 'ephemeral')
  and (o.kind <> 'ephemeral' or o.slack_user_id = $6)
  and (o.state in ('sending', 'streaming')
    or o.state = 'sent' and coalesce(o.stream_ts, o.sent_ts)::numeric >= since.ts
    or o.stream_ts is not null and o.sent_at > (select sent_at from card))
"""


# Other messages matter only where a yes in words could count.
_NOTE = """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, payload, status, processed_at)
select $1, $2, $3, $4::text, $5::text, $6, $7, $8, $9, $10, '{}', $11, now()
where exists (select 1 from proposals
  where team_id = $4::text and channel_id = $5::text and state = 'open'
  and words_until > now())
on conflict (event_key) do nothing
"""


class Transcripts:
    """The part of a conversation that our records know."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def shown(self, place: Place, actor: Actor) -> list[CardInSight]:
        """Return this person's proposals here that have a card."""
        rows = await self._db.pool.fetch(_SHOWN, place.team_id, place.channel_id, actor.profile_id)
        return [_card_in_sight(row) for row in rows]

    async def posted(self, receipt: Receipt, *, card: UUID | None) -> list[Posted]:
        """Return what was posted in the channel after a card and before a yes or no."""
        incoming, place = receipt.incoming, receipt.incoming.place
        rows = await self._db.pool.fetch(
            _POSTED,
            place.team_id,
            place.channel_id,
            card,
            incoming.slack_ts,
            receipt.received_at,
            incoming.slack_user_id,
            receipt.id,
        )
        return [_posted(row, incoming.slack_ts) for row in rows]


async def overhear(db: Database, incoming: Incoming) -> None:
    """Record that somebody else posted in a conversation, without the text."""
    await _note(db, incoming, "ignored")


async def note_command(db: Database, typed: SlashCommand) -> None:
    """Record that a command was answered in private, because its answer is visible there too."""
    act = typed.act
    await _note(db, act.model_copy(update={"key": f"{act.key}:typed"}), "done")


async def _note(db: Database, incoming: Incoming, status: str) -> None:
    await db.pool.execute(_NOTE, *columns_of(incoming)[:-1], status)


def _card_in_sight(row: Record) -> CardInSight:
    card = CardInSight(**row)
    revised_until = None if card.is_suspended else card.revised_until
    return replace(card, state=ProposalState(card.state), revised_until=revised_until)


def _posted(row: Record, until_ts: str) -> Posted:
    """Return a row as a message; one without a ts may be anywhere up to the word."""
    is_between: bool = row["is_between"]
    return Posted(
        ts="0" if is_between else row["ts"],
        thread_ts=row["thread_ts"],
        slack_user_id=row["slack_user_id"],
        word=read_word(row["text"]) if row["text"] else None,
        until=until_ts if is_between else "",
        about=row["about"],
        is_certain=row["is_certain"],
    )
