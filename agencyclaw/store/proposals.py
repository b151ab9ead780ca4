"""Proposals: every change of state is one conditional UPDATE."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import logfire

from agencyclaw.domain.effects import EFFECT, CreateTask, Effect
from agencyclaw.domain.errors import Broken
from agencyclaw.domain.outgrown import Outgrown
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.proposals import (
    LIFETIME_S,
    Proposal,
    ProposalState,
    fingerprint,
    read_effect,
    stored_of,
)
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.jobs import TERMINAL

_DRAFT = """
insert into proposals (receipt_id, run_id, ordinal, team_id, place, channel_id, thread_ts,
  is_direct, actor_profile_id, actor_slack_user_id, actor_name, skill_id, arguments, fingerprint,
  entity)
select $1, $2, coalesce(max(ordinal), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
from proposals where receipt_id = $1
returning *
"""

_OPEN = """
update proposals set state = 'open', opened_at = now(),
  expires_at = now() + make_interval(secs => $2)
where id = any($1) and state = 'draft'
returning *
"""

_CONFIRM = """
update proposals set state = 'confirmed', confirmed_by = $2, confirming_receipt_id = $3,
  settled_by = actor_name
where id = $1 and actor_profile_id = $2 and place = $4
  and (
    (state = 'open' and expires_at > (select received_at from slack_event_receipts where id = $3))
    or ($5 and state in ('failed', 'unclear') and confirming_receipt_id <> $3)
  )
returning *
"""

_CANCEL = """
update proposals set state = 'cancelled', settled_at = now(), settled_by = $2, reason = $3
where id = $1 and state = 'open' and actor_profile_id = $4
returning *
"""

_EXPIRE = """
update proposals set state = 'expired', settled_at = now()
where id = $1 and state = 'open' and expires_at <= now()
returning *
"""

_OUTGROW = """
update proposals set state = 'expired', settled_at = now(), reason = 'outgrown'
where id = $1 and state in ('open', 'failed')
returning *
"""

_EXECUTE = """
update proposals as now set state = 'executing'
from (select id, state from proposals where id = $1 for update) as before
where now.id = before.id and before.state in ('confirmed', 'executing')
returning now.*, before.state = 'executing' as was_begun
"""

_SETTLE = """
update proposals set state = $2, settled_at = now(), result = $3, reason = $4
where id = $1 and state in ('executing', 'unclear')
returning *
"""

_OPEN_HERE = """
select * from proposals
where team_id = $1 and place = $2 and actor_profile_id = $3 and state = 'open'
order by opened_at
"""

_OPEN_OF_OTHERS = """
select * from proposals
where team_id = $1 and place = $2 and actor_profile_id <> $3 and state = 'open'
  and expires_at > now()
order by opened_at desc
"""

# Who says yes must have had the card before them: both stamps are Slack's own.
_SEEN = """
select p.id from proposals p join slack_event_receipts r on r.id = $2
where p.id = any($1) and p.opened_at <= r.received_at and (p.team_id = $3 or (
  select min(sent_ts::numeric) from outbox where kind = 'card' and proposal_ids @> array[p.id]
) < r.slack_ts::numeric)
"""

_LAST_HERE = """
select * from proposals
where team_id = $1 and place = $2 and actor_profile_id = $3 and state <> 'draft'
order by coalesce(settled_at, opened_at, created_at) desc limit 1
"""

_RECENT = """
select * from proposals
where team_id = $1 and actor_slack_user_id = $2 and state in ('done', 'failed', 'unclear')
order by settled_at desc nulls last limit 5
"""

_WAITING = """
select * from proposals
where team_id = $1 and actor_slack_user_id = $2 and state = 'open' and expires_at > now()
order by opened_at
"""


_WAITING_FOR_OTHERS = """
select * from proposals
where team_id = $1 and actor_slack_user_id <> $2 and state = 'open' and expires_at > now()
order by opened_at limit 50
"""

_WITHDRAW = """
update proposals set state = 'cancelled', settled_at = now(), settled_by = $2,
  reason = 'cancelled_by_admin'
where id = $1 and state = 'open'
returning *
"""


class ProposalStore:
    """Reads of proposals, and the moves that stand alone."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def by_ids(self, ids: list[UUID] | tuple[UUID, ...]) -> list[Proposal]:
        """Return the proposals with these ids, in the order of the ids."""
        rows = await self._db.pool.fetch("select * from proposals where id = any($1)", list(ids))
        found = {proposal.id: proposal for proposal in map(proposal_of, rows)}
        return [found[key] for key in ids if key in found]

    async def waiting_for(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return what waits for this person's word, oldest first."""
        rows = await self._db.pool.fetch(_WAITING, team_id, slack_user_id)
        return readable(rows)

    async def waiting_for_others(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return what waits for everybody else's word, oldest first."""
        return readable(await self._db.pool.fetch(_WAITING_FOR_OTHERS, team_id, slack_user_id))

    async def confirmed_by_receipt(self, receipt_id: int) -> list[Proposal]:
        """Return the proposals that a receipt confirmed."""
        rows = await self._db.pool.fetch(
            "select * from proposals where confirming_receipt_id = $1", receipt_id
        )
        return readable(rows)

    async def recent_of(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return what was carried out for this person lately, newest first."""
        rows = await self._db.pool.fetch(_RECENT, team_id, slack_user_id)
        return readable(rows)

    async def open_here(self, place: Place, actor: Actor) -> list[Proposal]:
        """Return this person's open proposals of a place, expired ones included, oldest first."""
        rows = await self._db.pool.fetch(_OPEN_HERE, place.team_id, place.key, actor.profile_id)
        return [proposal_of(row) for row in rows]

    async def open_of_others(self, place: Place, actor: Actor) -> list[Proposal]:
        """Return what waits here for the word of other people, newest first."""
        rows = await self._db.pool.fetch(
            _OPEN_OF_OTHERS, place.team_id, place.key, actor.profile_id
        )
        return [proposal_of(row) for row in rows]

    async def seen_before(self, proposals: list[Proposal], receipt_id: int) -> list[Proposal]:
        """Return those whose card stood there when the receipt's words were said."""
        ids = [proposal.id for proposal in proposals]
        rows = await self._db.pool.fetch(_SEEN, ids, receipt_id, TERMINAL)
        seen = {row["id"] for row in rows}
        return [proposal for proposal in proposals if proposal.id in seen]

    async def last_here(self, place: Place, actor: Actor) -> Proposal | None:
        """Return this person's latest proposal of a place, however it stands."""
        row = await self._db.pool.fetchrow(_LAST_HERE, place.team_id, place.key, actor.profile_id)
        return proposal_of(row) if row else None

    async def spoken_since(self, place: Place, at: datetime) -> bool:
        """Return whether the assistant answered anything in a place after `at`."""
        return await self._db.pool.fetchval(
            "select exists (select 1 from agent_runs where team_id = $1 and place = $2"
            " and started_at > $3)",
            place.team_id,
            place.key,
            at,
        )

    async def allow_twin(self, conn: Connection, proposal: Proposal) -> None:
        """Let a held-back proposal pass the duplicate check; the person has seen the twin.

        The fingerprint is made anew over the changed flag, so older buttons no longer match.
        """
        if not isinstance(proposal.effect, CreateTask):
            raise Broken("only a task can have a twin")
        effect = proposal.effect.model_copy(update={"create_anyway": True})
        await conn.execute(
            "update proposals set arguments = $2, fingerprint = $3 where id = $1",
            proposal.id,
            stored_of(effect),
            fingerprint(effect, proposal.actor_profile_id, proposal.place),
        )

    async def draft(
        self, effect: Effect, *, receipt_id: int, run_id: UUID, place: Place, actor: Actor
    ) -> Proposal:
        """Store an effect as a draft; it becomes visible only with the turn's answer."""
        async with self._db.transaction() as conn:
            return await insert_draft(
                conn, effect, receipt_id=receipt_id, run_id=run_id, place=place, actor=actor
            )

    async def begin(self, proposal_id: UUID) -> Proposal | None:
        """Move a confirmed proposal to executing; one that is executing is handed out again."""
        row = await self._db.pool.fetchrow(_EXECUTE, proposal_id)
        if row is None:
            return None
        proposal = proposal_of(row)
        if not isinstance(proposal.effect, Outgrown):
            return proposal
        effect = proposal.effect.model_copy(update={"was_begun": row["was_begun"]})
        return proposal.model_copy(update={"effect": effect})


async def insert_draft(
    conn: Connection,
    effect: Effect,
    *,
    receipt_id: int,
    run_id: UUID | None,
    place: Place,
    actor: Actor,
) -> Proposal:
    """Insert a draft inside the caller's transaction, numbered after the receipt's others.

    Every field is written out: a default that changes later changes nothing that was shown.
    """
    arguments = effect.model_dump(mode="json")
    row = await conn.fetchrow(
        _DRAFT,
        receipt_id,
        run_id,
        place.team_id,
        place.key,
        place.channel_id,
        place.thread_ts,
        place.is_direct,
        actor.profile_id,
        actor.slack_user_id,
        actor.name,
        effect.skill,
        arguments,
        fingerprint(EFFECT.validate_python(arguments), actor.profile_id, place),
        effect.entity,
    )
    return proposal_of(row)


async def open_drafts(conn: Connection, ids: list[UUID]) -> list[Proposal]:
    """Open a turn's drafts for ten minutes from now, by the database's clock."""
    rows = await conn.fetch(_OPEN, ids, float(LIFETIME_S))
    return [proposal_of(row) for row in rows]


async def drop_drafts(conn: Connection, receipt_id: int) -> None:
    """Drop what an interrupted attempt at this receipt had drafted."""
    await conn.execute(
        "delete from proposals where receipt_id = $1 and state = 'draft'", receipt_id
    )


async def confirm(
    conn: Connection,
    proposal_id: UUID,
    *,
    actor_profile_id: UUID,
    receipt_id: int,
    place_key: str,
    again: bool,
) -> Proposal | None:
    """Confirm an open proposal of this person in this place; None when it is not to be had.

    Expiry is judged by the time the receipt was stored. `again` confirms a failed one anew.
    """
    row = await conn.fetchrow(_CONFIRM, proposal_id, actor_profile_id, receipt_id, place_key, again)
    return proposal_of(row) if row else None


async def cancel(
    conn: Connection, proposal_id: UUID, *, actor: Actor, reason: str
) -> Proposal | None:
    """Cancel an open proposal of this person; None when it is not open."""
    row = await conn.fetchrow(_CANCEL, proposal_id, actor.name, reason, actor.profile_id)
    return proposal_of(row) if row else None


async def withdraw(conn: Connection, proposal_id: UUID, *, admin: Actor) -> Proposal | None:
    """Cancel an open proposal for whoever it waits for; None when it is not open."""
    row = await conn.fetchrow(_WITHDRAW, proposal_id, admin.name)
    return proposal_of(row) if row else None


async def expire(conn: Connection, proposal_id: UUID) -> Proposal | None:
    """Expire an open proposal whose time is over by the database's clock."""
    row = await conn.fetchrow(_EXPIRE, proposal_id)
    return proposal_of(row) if row else None


async def outgrow(conn: Connection, proposal_id: UUID) -> Proposal | None:
    """End a waiting proposal that this version can't read; None when it doesn't wait."""
    row = await conn.fetchrow(_OUTGROW, proposal_id)
    return proposal_of(row) if row else None


async def hold(conn: Connection, proposal_id: UUID) -> bool:
    """Lock an executing proposal for the caller's transaction; False when it was settled before."""
    found = await conn.fetchrow(
        "select 1 from proposals where id = $1 and state = 'executing' for update", proposal_id
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
    """Record how an execution ended; None when it was settled already."""
    row = await conn.fetchrow(_SETTLE, proposal_id, state.value, result, reason)
    return proposal_of(row) if row else None


def readable(rows: Sequence[Any]) -> list[Proposal]:
    """Return what overviews show: without what this version can't read."""
    found = [proposal_of(row) for row in rows]
    return [proposal for proposal in found if not isinstance(proposal.effect, Outgrown)]


def proposal_of(row: Record) -> Proposal:
    """Return the value of a proposals row."""
    expires_at: datetime | None = row["expires_at"]
    return Proposal(
        id=row["id"],
        receipt_id=row["receipt_id"],
        run_id=row["run_id"],
        ordinal=row["ordinal"],
        place=Place(
            team_id=row["team_id"],
            channel_id=row["channel_id"],
            thread_ts=row["thread_ts"],
            is_direct=row["is_direct"],
        ),
        actor_profile_id=row["actor_profile_id"],
        actor_slack_user_id=row["actor_slack_user_id"],
        actor_name=row["actor_name"],
        effect=_effect_of(row),
        fingerprint=row["fingerprint"],
        state=ProposalState(row["state"]),
        created_at=row["created_at"],
        expires_at=expires_at,
        settled_at=row["settled_at"],
        settled_by=row["settled_by"],
        confirmed_by=row["confirmed_by"],
        confirming_receipt_id=row["confirming_receipt_id"],
        superseded_by=row["superseded_by"],
        undo_of=row["undo_of"],
        undone_by=row["undone_by"],
        result=row["result"],
        reason=row["reason"],
    )


def _effect_of(row: Record) -> Effect | Outgrown:
    effect = read_effect(row["arguments"], row["skill_id"], row["entity"] or "")
    if isinstance(effect, Outgrown):
        logfire.warn("proposal outgrown", proposal=str(row["id"]))
    return effect
