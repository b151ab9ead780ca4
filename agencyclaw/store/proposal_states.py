"""State changes of proposals: each is one conditional UPDATE.

Hot path: every card, consent and execution.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import PRESS_S, WORDS_S, Proposal, ProposalState
from agencyclaw.domain.receipts import Receipt
from agencyclaw.domain.unsupported import UNSUPPORTED_REASON
from agencyclaw.store.engine import Connection, fetch_one
from agencyclaw.store.proposals import fetch_proposal, fetch_proposals, proposal_of

# Whether words may confirm it depends on the effect ($2) and on the answer beside it ($3).
_OPEN = """
update proposals set state = 'open', opened_at = now(),
  expires_at = now() + make_interval(secs => $4), press_only = not (id = any($2) and $3),
  words_until = case when id = any($2) and $3 then now() + make_interval(secs => $5) end
where id = any($1) and state = 'draft'
returning *
"""

# What was confirmed once more after a request of unknown outcome may have been sent before.
_CANCEL_BY_NO = """
update proposals set state = 'cancelled', settled_at = now(), settled_by = $2, reason = $3
where id = $1 and actor_profile_id = $4 and (
  state = 'open'
  or state = 'confirmed' and coalesce(reason, '') not in ('looking', 'undecided')
  or state = 'executing' and skill_id = 'create_task'
    and not exists (select 1 from agent_tasks where proposal_id = $1 and status <> 'failed'))
returning *
"""

_CONFIRM = """
update proposals set state = 'confirmed', confirmed_by = $2, confirming_receipt_id = $3,
  settled_by = actor_name
where id = $1 and actor_profile_id = $2 and place = $4
  and (
    state = 'open' and (select received_at < expires_at and (
      not $6 and ($7 or suspended_by is null or suspended_until <= now())
      or $6 and not press_only and suspended_by is null and received_at < words_until
    ) from slack_event_receipts where id = $3)
    or $5 and state in ('failed', 'unclear') and confirming_receipt_id <> $3
      and (select received_at < expires_at from slack_event_receipts where id = $3)
  )
returning *
"""

_EXPIRE = """
update proposals set state = 'expired', settled_at = now()
where id = $1 and state in ('open', 'failed') and expires_at <= now()
returning *
"""

_IS_PAUSED = """
select exists (select from execution_pauses where team_id = $1 and resumed_at is null)
"""
_INVALIDATE = """
update proposals set state = 'expired', settled_at = now(), reason = $2
where id = $1 and state in ('open', 'failed')
returning *
"""

# A consent withdrawn before anything was sent: the card waits for a press again.
_REOPEN = """
update proposals set state = 'open', confirmed_by = null, confirming_receipt_id = null,
  settled_by = null, words_until = null, waiting_since = null, reason = nullif(reason, 'waiting'),
  result = case when reason is distinct from 'waiting' then result end
where id = $1 and actor_profile_id = $2 and (
  state = 'confirmed' and coalesce(reason, '') not in ('looking', 'undecided')
  or state = 'executing' and skill_id = 'create_task'
    and not exists (select 1 from agent_tasks where proposal_id = $1 and status <> 'failed'))
returning *
"""

# What stays unclear keeps since when it is: from then on it is counted how long one looks for it.
_SETTLE = """
update proposals set state = $2, result = $3, reason = $4, waiting_since = null,
  settled_at = case when state = 'unclear' and $2 = 'unclear' then coalesce(settled_at, now())
    else now() end,
  expires_at = case when $2 in ('failed', 'unclear') then now() + make_interval(secs => $5)
    else expires_at end
where id = $1 and state in ('executing', 'unclear')
returning *
"""

_WITHDRAW = """
update proposals set state = 'cancelled', settled_at = now(), settled_by = $2,
  reason = 'cancelled_by_admin'
where id = $1 and state = 'open'
returning *
"""

# Effects that were confirmed and not begun wait for a press again.
_RELEASE = """
update proposals set state = 'open', confirmed_by = null, confirming_receipt_id = null,
  settled_by = null, words_until = null, waiting_since = null, reason = nullif(reason, 'waiting'),
  result = case when reason is distinct from 'waiting' then result end
where team_id = $1 and state = 'confirmed' and undo_of is null
  and coalesce(reason, '') not in ('looking', 'undecided')
returning *
"""

# One that is confirmed is left: it is judged again before it is carried out, and can end there.
_END = """
update proposals set state = 'cancelled', settled_at = now(), reason = $2
where team_id = $1 and (channel_id = $3 or actor_slack_user_id = $4) and state in ('open', 'failed')
returning *
"""


async def open_drafts(
    conn: Connection,
    drafts: Sequence[Proposal],
    *,
    asks_nothing: bool = True,
    press_s: float = PRESS_S,
) -> list[Proposal]:
    """Open a turn's drafts: for a press twelve hours, for words ten minutes where these count.

    Words count for a proposal that is alone on its card and rests on nobody else's words, unless
    the answer beside it asks a question: a yes could be meant for that.
    """
    ids = [draft.id for draft in drafts]
    spoken = ids if len(drafts) == 1 and drafts[0].effect.takes_words else []
    rows = await conn.fetch(_OPEN, ids, spoken, asks_nothing, float(press_s), float(WORDS_S))
    return sorted(map(proposal_of, rows), key=lambda one: ids.index(one.id))


async def confirm(
    conn: Connection,
    proposal_id: UUID,
    *,
    actor_profile_id: UUID,
    receipt_id: int,
    place_key: str,
    again: bool = False,
    by_word: bool = False,
    as_shown: bool = False,
) -> Proposal | None:
    """Confirm this person's open proposal in this place; None if it can't be confirmed.

    Expiry is judged by the time the receipt was stored. `again` confirms a failed one, `as_shown`
    one of which the person had asked for another version.
    """
    return await fetch_proposal(
        conn,
        _CONFIRM,
        proposal_id,
        actor_profile_id,
        receipt_id,
        place_key,
        again,
        by_word,
        as_shown,
    )


async def reopen(conn: Connection, proposal_id: UUID, *, by: Actor) -> Proposal | None:
    """Put a confirmed proposal back to waiting for a press; None if it may have been sent."""
    return await fetch_proposal(conn, _REOPEN, proposal_id, by.profile_id)


async def release_confirmed(conn: Connection, team_id: str) -> list[Proposal]:
    """Put confirmed proposals that have not begun back to waiting, and return them."""
    return await fetch_proposals(conn, _RELEASE, team_id)


async def release_at_once(conn: Connection, proposal_id: UUID) -> Proposal:
    """Confirm a draft in this transaction: the command that made it is the consent."""
    row = await fetch_one(
        conn,
        "update proposals set state = 'executing', confirmed_by = actor_profile_id,"
        " confirming_receipt_id = receipt_id, opened_at = now(), settled_by = actor_name"
        " where id = $1 and state = 'draft' returning *",
        proposal_id,
    )
    return proposal_of(row)


async def replace_ended(conn: Connection, old: UUID, new: UUID) -> bool:
    """Record what replaces an ended proposal; False if it was replaced before."""
    done = await conn.execute(
        "update proposals set superseded_by = $2 where id = $1 and superseded_by is null", old, new
    )
    return done == "UPDATE 1"


async def show_on(conn: Connection, ids: Sequence[UUID], card_id: UUID) -> None:
    """Record which delivery shows these proposals."""
    await conn.execute("update proposals set card_id = $2 where id = any($1)", list(ids), card_id)


async def show_on_again(conn: Connection, proposal_id: UUID, card_id: UUID, thread_ts: str) -> None:
    """The same for a card that is posted again; a yes in words counts there, from its arrival."""
    await conn.execute(
        "update proposals set card_id = $2, thread_ts = $4, words_until ="
        " case when not press_only then now() + make_interval(secs => $3) end where id = $1",
        proposal_id,
        card_id,
        float(WORDS_S),
        thread_ts,
    )


async def cancel_by_no(
    conn: Connection, proposal_id: UUID, *, actor: Actor, reason: str
) -> Proposal | None:
    """Cancel the proposal a person's no is about: open, or confirmed and certainly not sent."""
    by = actor.name, reason, actor.profile_id
    return await fetch_proposal(conn, _CANCEL_BY_NO, proposal_id, *by)


async def withdraw(conn: Connection, proposal_id: UUID, *, admin: Actor) -> Proposal | None:
    """Cancel an open proposal for the person it waits for; None if it is not open."""
    return await fetch_proposal(conn, _WITHDRAW, proposal_id, admin.name)


async def end_waiting(
    conn: Connection,
    team_id: str,
    reason: str,
    *,
    channel_id: str | None = None,
    slack_user_id: str | None = None,
) -> list[Proposal]:
    """End and return all proposals that wait in a channel, or for a person."""
    return await fetch_proposals(conn, _END, team_id, reason, channel_id, slack_user_id)


async def expire(conn: Connection, proposal_id: UUID) -> Proposal | None:
    """Expire an open proposal whose time is over, on the database's clock."""
    return await fetch_proposal(conn, _EXPIRE, proposal_id)


async def invalidate(
    conn: Connection, proposal_id: UUID, reason: str = UNSUPPORTED_REASON
) -> Proposal | None:
    """End a waiting proposal that can't be trusted or read; None if it does not wait."""
    return await fetch_proposal(conn, _INVALIDATE, proposal_id, reason)


async def state_of(conn: Connection, proposal_id: UUID) -> tuple[ProposalState, datetime | None]:
    """Return a proposal's state, and when it was settled."""
    row = await fetch_one(
        conn, "select state, settled_at from proposals where id = $1", proposal_id
    )
    return ProposalState(row["state"]), row["settled_at"]


async def hold(conn: Connection, proposal_id: UUID, *states: ProposalState) -> bool:
    """Lock a proposal in one of these states until the transaction ends; else return False.

    False as well if its workspace is paused. The statement that waited for the lock did not see
    what was committed meanwhile, so that is asked only afterwards.
    """
    team_id = await conn.fetchval(
        "select team_id from proposals where id = $1 and state = any($2::text[]) for update",
        proposal_id,
        list(states),
    )
    return team_id is not None and not await conn.fetchval(_IS_PAUSED, team_id)


async def leave_subject(conn: Connection, receipt: Receipt, client_id: UUID | None) -> None:
    """Stop words from confirming this person's cards about other clients: the subject has changed.

    Permanently: shown again, they take a press.
    """
    place = receipt.incoming.place
    await conn.execute(
        "update proposals set words_until = null, press_only = press_only or $4::text is not null"
        " where team_id = $1 and channel_id = $2"
        " and actor_slack_user_id = $3 and state = 'open'"
        " and arguments #>> '{client,id}' is distinct from $4::text",
        place.team_id,
        place.channel_id,
        receipt.incoming.slack_user_id,
        str(client_id) if client_id else None,
    )


async def hold_open(conn: Connection, proposal_id: UUID) -> bool:
    """Lock an open proposal until the transaction ends; False if it was settled before."""
    found = await conn.fetchrow(
        "select 1 from proposals where id = $1 and state = 'open' for update", proposal_id
    )
    return found is not None


async def settle(
    conn: Connection,
    proposal_id: UUID,
    state: ProposalState,
    *,
    result: dict[str, Any] | None = None,
    reason: str | None = None,
) -> Proposal | None:
    """Record how an execution ended; None if it was settled already.

    A failure that can be retried can be for as long as a card can be pressed.
    """
    return await fetch_proposal(
        conn, _SETTLE, proposal_id, state.value, result, reason, float(PRESS_S)
    )
