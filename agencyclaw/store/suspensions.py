"""Suspends proposals under revision, so that they can't be confirmed in their old form.

A suspension names the receipt of the message that asks for the change, and ends with it. If the
turn asked a question, it ends with the answer, or after ten minutes. The time of its end is kept: a
yes written before that does not confirm what is shown again.

Hot path: every card.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import QUESTION_S, Proposal, ProposalState
from agencyclaw.domain.receipts import Receipt
from agencyclaw.domain.text import folded
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.proposals import fetch_proposals, proposal_of

_OPEN = """
select id, arguments ->> 'title' as title from proposals
where team_id = $2 and place = $3 and actor_profile_id = $4 and skill_id = $5 and state = 'open'
  and receipt_id <> $1
"""
# The receipt is locked meanwhile: what ends it waits. What has ended would never free them.
_SUSPEND = """
with asking as (
  select id from slack_event_receipts where id = $1 and status = 'received' for share
)
update proposals set suspended_by = asking.id, suspended_until = null from asking
where proposals.id = any($2::uuid[]) and state = 'open' returning proposals.*
"""

_END = """
update proposals set suspended_by = null, suspended_until = now()
where suspended_by = $1 and suspended_until is null returning *
"""

# The receipt is locked before them here, too: a Stop takes both in that order.
_KEEP_FOR_ANSWER = """
with asking as (
  select id from slack_event_receipts where id = $1 and status = 'received' for update
)
update proposals set suspended_until = now() + make_interval(secs => $2) from asking
where suspended_by = asking.id and state = 'open' returning proposals.id
"""

# A question is answered where it was asked. In a direct message its card may be in another thread.
_ANSWERED = """
update proposals p set suspended_by = null, suspended_until = now()
from slack_event_receipts asking
where asking.id = p.suspended_by and asking.id <> $1 and asking.thread_ts = $4
  and p.actor_slack_user_id = $2 and p.place = $3 and p.state = 'open'
  and p.suspended_until is not null
returning p.*
"""

_END_UNANSWERED = """
with asked as (
  select id, suspended_by from proposals
  where id = $1 and state = 'open' and suspended_until <= now() for update
)
update proposals set suspended_by = null, suspended_until = now()
from asked where proposals.id = asked.id and asked.suspended_by is not null
returning proposals.*, asked.suspended_by as asking
"""


async def suspend(
    db: Database,
    receipt_id: int,
    place: Place,
    actor_profile_id: UUID,
    skill: str,
    titles: Sequence[str] | None,
) -> list[Proposal]:
    """Suspend the proposals a tool call names: of these titles, or all this tool prepared here."""
    waiting: list[Record] = await db.pool.fetch(
        _OPEN, receipt_id, place.team_id, place.key, actor_profile_id, skill
    )
    named = None if titles is None else {folded(title) for title in titles}
    meant = [row["id"] for row in waiting if named is None or folded(row["title"] or "") in named]
    return await fetch_proposals(db.pool, _SUSPEND, receipt_id, meant) if meant else []


async def end_suspensions(conn: Connection, receipt_id: int) -> list[Proposal]:
    """End the suspensions of a stopped message, and return the proposals that are still open.

    Those that wait for an answer stay suspended.
    """
    ended = await fetch_proposals(conn, _END, receipt_id)
    return [proposal for proposal in ended if proposal.state is ProposalState.OPEN]


async def await_answer(conn: Connection, receipt: Receipt) -> None:
    """Keep suspensions until the question this turn asked is answered."""
    for row in await conn.fetch(_KEEP_FOR_ANSWER, receipt.id, float(QUESTION_S)):
        await defer(
            conn,
            "resume",
            {"proposal_id": str(row["id"])},
            queue=queue_of(receipt.incoming.place.team_id),
            seconds=QUESTION_S,
        )


async def answered(conn: Connection, receipt: Receipt) -> list[Proposal]:
    """End and return the suspensions that waited for this answer."""
    place = receipt.incoming.place
    where = receipt.incoming.slack_user_id, place.key, place.thread_ts
    return await fetch_proposals(conn, _ANSWERED, receipt.id, *where)


async def end_unanswered(conn: Connection, proposal_id: UUID) -> tuple[int, Proposal] | None:
    """End a suspension whose question was not answered in time; None if there is none.

    Returns the receipt of the message that had asked for the change, and the proposal.
    """
    row = await conn.fetchrow(_END_UNANSWERED, proposal_id)
    return (row["asking"], proposal_of(row)) if row else None
