"""Proposals: reads them, and writes drafts.

Hot path: every card, consent and execution.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

import logfire

from agencyclaw.domain.conversations import Period
from agencyclaw.domain.effects import EFFECT, Effect
from agencyclaw.domain.errors import Broken, Stale
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.proposals import (
    CONFIRMED_READ,
    Proposal,
    ProposalState,
    fingerprint,
    read_effect,
    stored_of,
)
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.unsupported import UnsupportedEffect
from agencyclaw.store.consent_rules import apply_word_rules
from agencyclaw.store.engine import Connection, Database, Executor, Record, fetch_one
from agencyclaw.store.receipts import place_in

_DRAFT = """
insert into proposals (receipt_id, run_id, ordinal, team_id, place, channel_id, thread_ts,
  is_direct, actor_profile_id, actor_slack_user_id, actor_name, skill_id, arguments, fingerprint,
  entity)
select $1, $2, coalesce(max(ordinal), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
from proposals where receipt_id = $1
returning *
"""


# The receipt is locked meanwhile: whatever ends it waits, and then drops the draft.
_IS_RUNNING = """
select true from agent_runs run join slack_event_receipts receipt on receipt.id = run.receipt_id
where run.id = $1 and run.status = 'running' and receipt.status = 'received'
for share of receipt
"""

_EXECUTE = """
update proposals as now set state = 'executing'
from (select id, state from proposals where id = $1 for update) as before
where now.id = before.id and before.state in ('confirmed', 'executing')
returning now.*, before.state = 'executing' as was_begun, (
  select sent_ts from outbox where id = now.card_id and proposal_ids = array[now.id]) as card_ts
"""


# Read from what undoes it, as a process of the previous version stores nothing else.
BEING_UNDONE = """
exists (select from proposals undoing where undoing.id = proposals.undone_by
  and (undoing.state in ('confirmed', 'executing')
    or undoing.state = 'unclear' and undoing.reason = 'looking')) as is_being_undone
"""
_BY_IDS = f"""
select *, {BEING_UNDONE} from proposals where id = any($1)
"""  # noqa: S608
_OPEN_HERE = """
select * from proposals
where team_id = $1 and place = $2 and actor_profile_id = $3 and state = 'open'
order by opened_at
"""

_RECENT = f"""
select *, {BEING_UNDONE} from proposals
where team_id = $1 and actor_slack_user_id = $2 and state in ('done', 'failed', 'unclear')
order by settled_at desc nulls last limit 5
"""  # noqa: S608

# Those under way have no end yet.
_CONFIRMED = f"""
select *, {BEING_UNDONE} from proposals
where team_id = $1 and actor_slack_user_id = $2 and actor_profile_id = $3
  and (state in ('confirmed', 'executing')
    or state in ('done', 'failed', 'unclear') and settled_at >= $4 and settled_at < $5)
order by settled_at desc nulls first, id limit $6
"""  # noqa: S608

_WAITING = """
select * from proposals
where team_id = $1 and actor_slack_user_id = $2 and state = 'open' and expires_at > now()
order by opened_at
"""


_WAITING_FOR_OTHERS = """
select * from proposals
where team_id = $1 and actor_slack_user_id <> $2 and state = 'open' and expires_at > now()
order by opened_at
"""
# Those that a column holds as they are.
_NO_COLUMNS = {
    "place",
    "effect",
    "suspended_by",
    "press_reason",
    "was_begun",
    "is_being_undone",
}
_FIELDS = Proposal.model_fields.keys() - _NO_COLUMNS


class Begun(NamedTuple):
    """A proposal in execution, and the ts of the card that shows it alone."""

    proposal: Proposal
    card_ts: str


class ProposalStore:
    """Reads proposals, and makes the changes that need no transaction of the caller."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def by_ids(self, ids: list[UUID] | tuple[UUID, ...]) -> list[Proposal]:
        """Return the proposals with these ids, in this order."""
        rows = await fetch_proposals(self._db.pool, _BY_IDS, list(ids))
        found = {proposal.id: proposal for proposal in rows}
        return [found[key] for key in ids if key in found]

    async def to_show(self, ids: list[UUID] | tuple[UUID, ...]) -> list[Proposal]:
        """Return them as a card may promise them: with words only where a yes counts by now.

        Where the card wants a press it takes one, whatever changes later, until it is shown again.
        """
        found = await self.by_ids(ids)
        shown = await apply_word_rules(self._db, found)
        pressed = [
            one.id
            for one, was in zip(shown, found, strict=True)
            if one.words_until != was.words_until
        ]
        if pressed:
            await self._db.pool.execute(
                "update proposals set words_until = null where id = any($1) and state = 'open'",
                pressed,
            )
        return shown

    async def waiting_for(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return the proposals that wait for this person, oldest first."""
        return supported(await self.all_waiting_for(team_id, slack_user_id))

    async def all_waiting_for(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return the same with those that this version can't read."""
        return await fetch_proposals(self._db.pool, _WAITING, team_id, slack_user_id)

    async def waiting_for_others(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return the proposals that wait for anybody else, oldest first."""
        return readable(await self._db.pool.fetch(_WAITING_FOR_OTHERS, team_id, slack_user_id))

    async def confirmed_by_receipt(self, receipt_id: int) -> list[Proposal]:
        """Return the proposals a receipt confirmed."""
        rows = await self._db.pool.fetch(
            "select * from proposals where confirming_receipt_id = $1", receipt_id
        )
        return readable(rows)

    async def came_to_nothing(self, event_key: str) -> bool:
        """Return whether what an act asked for at once was not done."""
        return await self._db.pool.fetchval(
            "select exists (select 1 from proposals p join slack_event_receipts r"
            " on r.id = p.receipt_id where r.event_key = $1 and p.state <> 'done')",
            event_key,
        )

    async def card_ts(self, proposal: Proposal) -> str:
        """Return the ts of the card that shows a proposal now; "" while it is unknown."""
        return (
            await self._db.pool.fetchval(
                "select sent_ts from outbox where id = $1", proposal.card_id
            )
            or ""
        )

    async def confirmed_by_message(self, place: Place, ts: str) -> list[Proposal]:
        """Return the proposals that a message in a channel confirmed."""
        rows = await self._db.pool.fetch(
            "select p.* from proposals p join slack_event_receipts r"
            " on r.id = p.confirming_receipt_id"
            " where r.team_id = $1 and r.channel_id = $2 and r.slack_ts = $3"
            " and r.event_type = 'message'",
            place.team_id,
            place.channel_id,
            ts,
        )
        return readable(rows)

    async def recent_of(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return the effects carried out for this person recently, newest first."""
        return readable(await self._db.pool.fetch(_RECENT, team_id, slack_user_id))

    async def confirmed_by(self, team_id: str, actor: Actor, period: Period) -> list[Proposal]:
        """Return what a person confirmed in a time, what is under way included, latest first.

        Those that this version can't read are among them.
        """
        person = actor.slack_user_id, actor.profile_id
        when = period.since, period.until
        return await fetch_proposals(
            self._db.pool, _CONFIRMED, team_id, *person, *when, CONFIRMED_READ
        )

    async def open_here(self, place: Place, actor: Actor) -> list[Proposal]:
        """Return this person's open proposals in a place, including expired ones, oldest first."""
        where = place.team_id, place.key, actor.profile_id
        return await fetch_proposals(self._db.pool, _OPEN_HERE, *where)

    async def allow_duplicate(self, conn: Connection, proposal: Proposal) -> None:
        """Let a proposal pass the duplicate check, as the person has seen the duplicate.

        The flag is part of the fingerprint, so older buttons no longer match.
        """
        if not isinstance(proposal.effect, CreateTask):
            raise Broken("only a task can be a duplicate")
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
        """Store an effect as a draft; it becomes visible only with the turn's answer.

        Raises Stale if the message has ended meanwhile: nothing would ever show or drop the draft.
        """
        async with self._db.transaction() as conn:
            if not await conn.fetchval(_IS_RUNNING, run_id):
                raise Stale(message("propose.message_ended"), reason="message_ended")
            return await insert_draft(
                conn, effect, receipt_id=receipt_id, run_id=run_id, place=place, actor=actor
            )

    async def redraft(self, draft: Proposal, effect: Effect) -> Proposal:
        """Replace the effect of a draft of this run; nobody has seen it yet."""
        arguments = effect.model_dump(mode="json")
        row = await fetch_one(
            self._db.pool,
            "update proposals set arguments = $2, fingerprint = $3"
            " where id = $1 and state = 'draft' returning *",
            draft.id,
            arguments,
            fingerprint(EFFECT.validate_python(arguments), draft.actor_profile_id, draft.place),
        )
        return proposal_of(row)

    async def drop_draft(self, draft_id: UUID) -> None:
        """Delete a draft that another one of its run replaces; nobody has seen it yet."""
        await self._db.pool.execute(
            "delete from proposals where id = $1 and state = 'draft'", draft_id
        )

    async def begin(self, proposal_id: UUID) -> Begun | None:
        """Move a confirmed proposal to executing; one that is executing is returned again."""
        row = await self._db.pool.fetchrow(_EXECUTE, proposal_id)
        if row is None:
            return None
        was_begun = {"was_begun": row["was_begun"]}
        return Begun(proposal_of(row).model_copy(update=was_begun), row["card_ts"] or "")


async def open_proposal(conn: Executor, proposal_id: UUID) -> Proposal | None:
    """Return a proposal that waits for its person; None if it does not wait any more."""
    rows = await fetch_proposals(conn, _BY_IDS, [proposal_id])
    waiting = (row for row in rows if row.state is ProposalState.OPEN)
    return next(waiting, None)


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

    Every field is written, so that a later default changes nothing that was shown.
    """
    arguments = effect.model_dump(mode="json")
    row = await fetch_one(
        conn,
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


async def drop_drafts(conn: Executor, receipt_id: int) -> None:
    """Delete the drafts of an interrupted attempt at this receipt."""
    await conn.execute(
        "delete from proposals where receipt_id = $1 and state = 'draft'", receipt_id
    )


def readable(rows: Sequence[Any]) -> list[Proposal]:
    """Return the proposals for an overview, without those this version can't read."""
    return supported([proposal_of(row) for row in rows])


def supported(found: Sequence[Proposal]) -> list[Proposal]:
    """Return the proposals that this version can read."""
    return [proposal for proposal in found if not isinstance(proposal.effect, UnsupportedEffect)]


def proposal_of(row: Record) -> Proposal:
    """Build a proposal from its row."""
    return Proposal(
        **{name: row[name] for name in _FIELDS},
        place=place_in(row),
        effect=_effect_of(row),
        suspended_by=row["suspended_by"] if _is_suspended(row) else None,
        is_being_undone=row.get("is_being_undone", False),
    )


async def fetch_proposal(conn: Executor, statement: str, *arguments: Any) -> Proposal | None:
    """Return the proposal of a statement's row; None if it has none."""
    row = await conn.fetchrow(statement, *arguments)
    return proposal_of(row) if row else None


async def fetch_proposals(conn: Executor, statement: str, *arguments: Any) -> list[Proposal]:
    """Return the proposals of a statement's rows."""
    return [proposal_of(row) for row in await conn.fetch(statement, *arguments)]


def _is_suspended(row: Record) -> bool:
    """Whether it is suspended; a question left unanswered suspends for ten minutes only."""
    until: datetime | str | None = row["suspended_until"]
    # Rows aggregated as JSON have times as text.
    until = datetime.fromisoformat(until) if isinstance(until, str) else until
    return until is None or until > datetime.now(UTC)


def _effect_of(row: Record) -> Effect | UnsupportedEffect:
    effect = read_effect(row["arguments"], row["skill_id"], row["entity"] or "")
    if isinstance(effect, UnsupportedEffect):
        logfire.warn("proposal outgrown", proposal=str(row["id"]))
    return effect
