"""Intents to create ClickUp tasks: written before the request, settled after it.

Hot path: every created task.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.cautions import read_repeats
from agencyclaw.store.engine import Connection, Database, Record, fetch_one
from agencyclaw.store.proposal_states import hold

DUPLICATE_WINDOW_H = 24
# Requests per confirmation; a resend after an unknown outcome uses up the rest.
REQUESTS_AT_MOST = 3

_READ = "select * from agent_tasks where proposal_id = $1"
_DUPLICATE = """
select clickup_url, title from agent_tasks
where content_key = $1 and proposal_id <> $2 and status in ('dispatching', 'created', 'unclear')
  and dispatched_at > now() - make_interval(hours => $3)
order by dispatched_at desc limit 1
"""

_IS_PRESSED_AGAIN = """
select payload -> 'click' ->> 'act' = 'retry' from slack_event_receipts where id = $1
"""

_BEGIN = """
insert into agent_tasks (proposal_id, marker, content_key, title, client_id, brand_id,
  clickup_list_id, assignee_profile_id, requested_by, run_id, sends)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)
on conflict (proposal_id) do nothing
returning *
"""

# Of a failed one, certainly nothing was sent.
_BEGIN_AGAIN = """
update agent_tasks set status = 'dispatching', looks = 0, dispatched_at = now(),
  updated_at = now(), sends = 1
where proposal_id = $1
returning *
"""

_RESEND = """
update agent_tasks set status = 'dispatching', looks = 0, dispatched_at = now(),
  updated_at = now(), sends = $2
where proposal_id = $1 and status in ('dispatching', 'unclear') and sends < $2
returning *
"""


_LOOKED = """
update agent_tasks set looks = case when $2 then looks + 1 else 0 end, updated_at = now()
where proposal_id = $1
returning looks, extract(epoch from now() - dispatched_at)::float8 as age_s
"""


@dataclass(frozen=True)
class Intent:
    """A task that may or may not exist in ClickUp yet."""

    marker: str
    list_id: str
    status: str
    dispatched_at: datetime
    is_new: bool = False


@dataclass(frozen=True)
class DuplicateTask:
    """An equal or probably equal task, created or in progress within the window."""

    title: str
    url: str | None
    is_equal: bool = True


def marker_of(proposal: Proposal) -> str:
    """Return the text by which a task or comment is recognised as made for this proposal."""
    run = proposal.run_id.hex[:12] if proposal.run_id else "none"
    return f"agencyclaw run={run} key={proposal.id.hex}"


class Intents:
    """Intent rows, one per proposal."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(self, proposal: Proposal, effect: CreateTask) -> Intent | DuplicateTask | None:
        """Write the intent before the request, unless there is a duplicate.

        One transaction under an advisory lock on the content, so that two proposals of the same
        content can't both find nothing. Returns None if the consent was withdrawn, or everything is
        paused; what may have been sent before is returned nevertheless. A repeated press is carried
        out only if nobody made a probable duplicate meanwhile.
        """
        async with self._db.transaction() as conn:
            # Locked, so that the consent can't be withdrawn between this check and the intent.
            states = (ProposalState.EXECUTING, ProposalState.UNCLEAR)
            is_held = await hold(conn, proposal.id, *states)
            existing = await conn.fetchrow(_READ, proposal.id)
            if existing and existing["status"] != "failed":
                return _intent(existing)
            if not is_held:
                return None
            await lock_until_commit(conn, LockKind.TASK_CONTENT, effect.content_key)
            if duplicate := await self._duplicate(conn, proposal, effect):
                return duplicate
            if existing:
                return _intent(await fetch_one(conn, _BEGIN_AGAIN, proposal.id), is_new=True)
            return await self._insert(conn, proposal, effect)

    async def _duplicate(
        self, conn: Connection, proposal: Proposal, effect: CreateTask
    ) -> DuplicateTask | None:
        if effect.create_anyway:
            return None
        row = await conn.fetchrow(_DUPLICATE, effect.content_key, proposal.id, DUPLICATE_WINDOW_H)
        if row:
            return DuplicateTask(row["title"], row["clickup_url"])
        return await self._made_meanwhile(conn, proposal, effect)

    async def _made_meanwhile(
        self, conn: Connection, proposal: Proposal, effect: CreateTask
    ) -> DuplicateTask | None:
        """Return a probable duplicate made since the card, if the button is pressed again."""
        if not await conn.fetchval(_IS_PRESSED_AGAIN, proposal.confirming_receipt_id):
            return None
        team, own = proposal.place.team_id, proposal.receipt_id
        repeats = await read_repeats(conn, team, effect, apart_from=own)
        made = (one for one in repeats if one.is_made and one.at > proposal.created_at)
        newest = next(made, None)
        return DuplicateTask(newest.title, newest.url, is_equal=newest.is_equal) if newest else None

    async def _insert(self, conn: Connection, proposal: Proposal, effect: CreateTask) -> Intent:
        row = await fetch_one(
            conn,
            _BEGIN,
            proposal.id,
            marker_of(proposal),
            effect.content_key,
            effect.title,
            effect.client.id,
            effect.brand.id if effect.brand else None,
            effect.destination.list_id,
            effect.assignee.profile_id if effect.assignee else None,
            proposal.actor_profile_id,
            proposal.run_id,
        )
        return _intent(row, is_new=True)

    async def send_again(self, proposal_id: UUID) -> Intent | None:
        """Allow one more request for an intent of unknown outcome; None if that was done before."""
        row = await self._db.pool.fetchrow(_RESEND, proposal_id, REQUESTS_AT_MOST)
        return _intent(row) if row else None

    async def count_requests(self, proposal_id: UUID, requests: int) -> None:
        """Record how many requests a send of unknown outcome made."""
        await self._db.pool.execute(
            "update agent_tasks set sends = greatest(sends, $2) where proposal_id = $1",
            proposal_id,
            requests,
        )

    async def of(self, proposal_id: UUID) -> Intent | None:
        """Return a proposal's intent."""
        row = await self._db.pool.fetchrow(_READ, proposal_id)
        return _intent(row) if row else None

    async def looked(self, proposal_id: UUID, *, succeeded: bool) -> tuple[int, float]:
        """Count a look that found nothing; a failed look restarts the count.

        Returns the looks so far and the age of the request in seconds, on the database's clock.
        """
        row = await fetch_one(self._db.pool, _LOOKED, proposal_id, succeeded)
        return row["looks"], row["age_s"]


async def renew_intent(conn: Connection, proposal_id: UUID) -> None:
    """Reset the counts of looks and sends: a person asked for another try."""
    await conn.execute(
        "update agent_tasks set looks = 0, sends = 0 where proposal_id = $1",
        proposal_id,
    )


async def settle_intent(
    conn: Connection,
    proposal_id: UUID,
    status: str,
    *,
    task_id: str | None = None,
    url: str | None = None,
) -> None:
    """Record how the request ended, inside the caller's transaction."""
    await conn.execute(
        "update agent_tasks set status = $2, clickup_task_id = coalesce($3, clickup_task_id),"
        " clickup_url = coalesce($4, clickup_url), updated_at = now() where proposal_id = $1",
        proposal_id,
        status,
        task_id,
        url,
    )


def _intent(row: Record, *, is_new: bool = False) -> Intent:
    return Intent(
        marker=row["marker"],
        list_id=row["clickup_list_id"],
        status=row["status"],
        dispatched_at=row["dispatched_at"],
        is_new=is_new,
    )
