"""Home tabs that people have opened, redrawn when a proposal changes.

A tab is one permanent row of the outbox. A change makes the row pending; further changes while it
waits add nothing, so a burst is one redraw. A change during the redraw makes it pending once more.

Hot path: every change of a proposal.
"""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.operations import AgencyOverview
from agencyclaw.domain.spending import CostCaps, WorkspaceSpent
from agencyclaw.store.engine import Connection, Database, Record, fetch_one
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.spending import spent_by_workspace

# Long enough to turn a burst into one redraw, short enough to seem immediate.
_LAG_S = 1.0

_OPENED = """
insert into outbox (key, kind, team_id, channel_id, slack_user_id, body, state)
values ($1, 'home', $2, '', $3, $4, 'sent')
on conflict (key) do update set body = excluded.body
"""

# Without proposals ($2) every tab is drawn again. Locked in one order, to avoid deadlocks.
_WAKE = """
update outbox set state = 'pending', attempts = 0, failures = 0
where id in (
  select id from outbox
  where kind = 'home' and channel_id = '' and team_id = $1 and state <> 'pending' and (
    $2::uuid[] is null or (body ->> 'sees_all')::boolean
    or slack_user_id in (select actor_slack_user_id from proposals where id = any($2)))
  order by seq for update)
returning id
"""

_WAKE_ONE = """
update outbox set state = 'pending', attempts = 0, failures = 0
where key = $1 and state <> 'pending'
returning id
"""

# A channel that was given to a client or shared with another company since then takes no alerts.
ALERT_CHANNEL = """
select a.channel_id from alert_channels a join surface_bindings b using (team_id, channel_id)
left join slack_channels c using (team_id, channel_id)
where a.team_id = $1 and a.active and b.scope = 'internal' and c.is_shared is not true
"""
_OVERVIEW_OF = """
select
  (select count(*) from agent_runs
    where team_id = $1 and status = 'failed' and run_type in ('main', 'heartbeat')
      and started_at > now() - interval '1 day'
  ) as failed_answers,
  (select count(*) from outbox
    where team_id = $1 and state = 'dead' and created_at > now() - interval '1 day'
  ) as undelivered,
  waiting.number as waiting_messages, waiting.oldest_s,
  (select count(*) from playbook_sops where state = 'waiting')
    + (select count(distinct (origin, version)) from knowledge_documents where state = 'waiting')
    as waiting_documents,
  coalesce(({alert_channel}), '') as alert_channel,
  brand.number as brands, brand.unmapped as unmapped_brands,
  compared.undecided as undecided_accounts, compared.days as compared_days
from (
  select count(*) as number,
    coalesce(extract(epoch from now() - min(received_at)), 0)::int as oldest_s
  from slack_event_receipts where team_id = $1 and status = 'received'
) as waiting, (
  select count(*) as number, count(*) filter (
    where coalesce(b.clickup_space_id, '') = '' or coalesce(b.clickup_list_id, '') = '') as unmapped
  from brands b join agency_clients c on c.id = b.client_id
  where c.status = 'active' and b.status = 'active'
) as brand
left join lateral (
  select extract(day from now() - e.created_at)::int as days, (
    select count(*) from jsonb_array_elements(
      coalesce(e.payload -> 'result' -> 'undecided', '[]')) as open
    where not exists (
        select from separate_accounts where active and account = open ->> 'account')
      and not exists (
        select from profiles where open ->> 'account' in (slack_user_id, clickup_user_id))
  ) as undecided
  from agent_skill_events e join agent_runs r on r.id = e.run_id
  where e.skill_id = 'compare_accounts' and e.event_type = 'skill_result' and r.team_id = $1
    and not e.payload -> 'result' ? 'reason'
  order by e.created_at desc limit 1
) as compared on true
"""
_OVERVIEW = _OVERVIEW_OF.format(alert_channel=ALERT_CHANNEL)


class Homes:
    """The Home tabs to keep up to date."""

    def __init__(self, db: Database, caps: CostCaps | None = None) -> None:
        self._db = db
        self._caps = caps or CostCaps()

    async def opened(self, team_id: str, slack_user_id: str, *, sees_all: bool) -> None:
        """Keep a person's tab up to date from now on; `sees_all` if it shows others' proposals."""
        key = f"home:{team_id}:{slack_user_id}"
        body = {"sees_all": sees_all}
        await self._db.pool.execute(_OPENED, key, team_id, slack_user_id, body)

    async def overview(self, team_id: str) -> AgencyOverview:
        """Return how the assistant is doing in a workspace, for its admins."""
        row = await fetch_one(self._db.pool, _OVERVIEW, team_id)
        spent = await spent_by_workspace(self._db, self._caps)
        own = next((one for one in spent if one.team_id == team_id), WorkspaceSpent())
        return AgencyOverview(**row, caps=self._caps, spent=own)

    async def redraw_soon(self, team_id: str, slack_user_id: str) -> None:
        """Redraw a person's tab soon, and try until Slack has accepted it."""
        async with self._db.transaction() as conn:
            await wake_home(conn, team_id, slack_user_id)


async def wake_home(conn: Connection, team_id: str, slack_user_id: str) -> None:
    """Redraw a person's open tab; part of the caller's transaction."""
    rows = await conn.fetch(_WAKE_ONE, f"home:{team_id}:{slack_user_id}")
    await _draw_again(conn, team_id, rows)


async def wake_homes(
    conn: Connection, team_id: str, proposal_ids: tuple[UUID, ...] | None = None
) -> None:
    """Redraw the open tabs that show these proposals, or all; part of the caller's transaction."""
    ids = None if proposal_ids is None else list(proposal_ids)
    await _draw_again(conn, team_id, await conn.fetch(_WAKE, team_id, ids))


async def _draw_again(conn: Connection, team_id: str, rows: list[Record]) -> None:
    for row in rows:
        await defer(
            conn,
            "deliver",
            {"outbox_id": str(row["id"])},
            queue=queue_of(team_id),
            lock=f"home:{row['id']}",
            seconds=_LAG_S,
        )
