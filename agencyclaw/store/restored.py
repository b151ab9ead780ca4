"""Reconciles a database restored from a dump: work in progress went on elsewhere since."""

from __future__ import annotations

import math
from dataclasses import dataclass

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import OutboxKind
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.intents import REQUESTS_AT_MOST
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposals import fetch_proposals

# The dump's workers stopped with it, so a heartbeat now belongs to a live process on this database.
_SOMEBODY = """
select exists (
  select from procrastinate_workers where last_heartbeat > now() - make_interval(secs => $1)
)
"""
_JOBS = "delete from procrastinate_jobs"
_RECEIPTS = """
update slack_event_receipts set status = 'ignored', reason = 'restored' where status = 'received'
"""
_DELIVERIES = """
update outbox set state = 'dead', error = 'restored'
where state in ('streaming', 'pending', 'sending')
"""
# A write to our own tables that is not in the dump did not happen here.
_PROPOSALS = """
update proposals set state = 'expired', reason = 'restored', settled_at = now()
where state in ('draft', 'open', 'failed') or (state in ('confirmed', 'executing')
  and arguments ->> 'kind' not in ('create_task', 'archive_task', 'update_task', 'update_tasks',
    'comment_on_task'))
"""
# A change made after the dump may have been undone since: a person decides.
_UNDECIDED = """
update proposals set state = 'unclear', reason = 'undecided', settled_at = now()
where (state in ('confirmed', 'executing') or state = 'unclear' and reason = 'looking')
  and arguments ->> 'kind' <> 'create_task'
returning *
"""
# What was to be undone is not known to be undone: it may be pressed again.
_UNDOING = """
update proposals done set undone_by = null from proposals undoing
where undoing.id = done.undone_by and undoing.reason in ('restored', 'undecided')
returning done.*
"""
_DOUBTFUL = """
update proposals set state = 'unclear', reason = 'looking' where state in ('confirmed', 'executing')
"""
# The task may have been created after the dump, so it is looked up by its marker. It is not sent
# again, because somebody may have deleted it since.
_INTENTS = """
insert into agent_tasks (proposal_id, marker, content_key, title, client_id, brand_id,
  clickup_list_id, requested_by, run_id, sends, status, dispatched_at)
select p.id, format('agencyclaw run=%s key=%s',
    coalesce(left(replace(p.run_id::text, '-', ''), 12), 'none'), replace(p.id::text, '-', '')),
  replace(p.entity, 'task:', ''), p.arguments ->> 'title', (p.arguments #>> '{client,id}')::uuid,
  (p.arguments #>> '{brand,id}')::uuid, p.arguments #>> '{destination,list_id}',
  p.actor_profile_id, p.run_id, $1, 'unclear', coalesce(p.opened_at, p.created_at)
from proposals p
where p.state = 'unclear' and p.reason = 'looking' and p.arguments ->> 'kind' = 'create_task'
on conflict (proposal_id) do update set status = 'unclear', looks = 0, sends = $1
where agent_tasks.status in ('dispatching', 'unclear', 'failed')
"""
_LOOKED_FOR = "select id, team_id from proposals where state = 'unclear' and reason = 'looking'"


@dataclass(frozen=True)
class PutAside:
    """How many messages, deliveries and proposals were ended, and how many changes are open.

    Of these `undecided` ones need a person's decision, and `looked_for` are looked up.
    """

    messages: int
    deliveries: int
    proposals: int
    undecided: int
    looked_for: int


async def put_aside(db: Database, *, silence_s: float) -> PutAside:
    """End what was in progress in the dump, and look up what may have been done since.

    Raises Refused while another process works on this database.
    """
    async with db.transaction() as conn:
        if await conn.fetchval(_SOMEBODY, silence_s):
            raise Refused(
                "Somebody is at work on this database, or was when the dump was taken. Stop every "
                f"process, wait {math.ceil(silence_s) + 1} seconds, then call this again.",
                reason="at_work",
            )
        await conn.execute(_JOBS)
        ended = [
            int((await conn.execute(statement)).rpartition(" ")[2])
            for statement in (_RECEIPTS, _DELIVERIES, _PROPOSALS)
        ]
        undecided = await fetch_proposals(conn, _UNDECIDED)
        for proposal in (*undecided, *await fetch_proposals(conn, _UNDOING)):
            await _redraw(conn, proposal)
        await conn.execute(_DOUBTFUL)
        await conn.execute(_INTENTS, REQUESTS_AT_MOST)
        looked_for = await conn.fetch(_LOOKED_FOR)
        for row in looked_for:
            await defer(
                conn,
                "look",
                {"proposal_id": str(row["id"])},
                queue=queue_of(row["team_id"]),
                lock=f"look:{row['id']}",
            )
        aside = PutAside(*ended, undecided=len(undecided), looked_for=len(looked_for))
        await record_event(conn, "restored", payload=vars(aside))
    return aside


async def _redraw(conn: Connection, proposal: Proposal) -> None:
    await post(
        conn,
        key=f"redraw:{proposal.id}:restored",
        kind=OutboxKind.CARD_UPDATE,
        place=proposal.place,
        proposal_ids=(proposal.undo_of or proposal.id,),
    )
