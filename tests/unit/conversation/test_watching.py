"""Looking at watched clients: whose day it is, which lists count, and who could not be asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from fakes.ports import FakeBoard

from agencyclaw.conversation.watching import Watching
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.people import (
    Actor,
    Freshness,
    Place,
    ScopeKind,
    Surface,
    SurfaceKind,
    Tier,
)
from agencyclaw.domain.schedules import QuietHours
from agencyclaw.domain.tasks import ListRef, TaskRow
from agencyclaw.proposals.identities import Identity, Unverified, Who
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.schedule_notices import pause

TEAM, INES, GLINTLY_LIST = "T0LANTERN", "U01INES", "901005000021"
# Their days always differ.
BEHIND, AHEAD = "Etc/GMT+12", "Pacific/Kiritimati"
_WATCH = """
insert into schedules (person_id, team_id, words, timing, work, client_id, watch, next_at)
select p.id, $1, 'late tasks', jsonb_build_object('day', '2026-01-01', 'at', '09:00',
    'every', 'day', 'zone', $3::text), 'watch', c.id,
  jsonb_build_object('client', jsonb_build_object('id', c.id, 'name', c.name), 'check', 'late'),
  now() - interval '1 minute'
from profiles p, agency_clients c where p.slack_user_id = $2 and c.name = 'Glintly Inc'
returning id
"""


@dataclass
class Members:
    """Who the owners of watches are, by Slack; `is_away` while it can't be asked."""

    is_away: bool = False

    async def identify(self, place: Place, slack_user_id: str, _: Freshness) -> Who:
        actor = Actor(
            profile_id=UUID(int=1),
            name="Ines Varga",
            tier=Tier.SUPER_ADMIN,
            slack_user_id=slack_user_id,
        )
        surface = Surface(kind=SurfaceKind.DM, scope=ScopeKind.INTERNAL, team_id=place.team_id)
        identity = Identity(actor=actor, surface=surface)
        return Unverified(identity) if self.is_away else identity


async def watch(db: Database, zone: str = BEHIND) -> UUID:
    """Store a daily watch for late tasks that is due."""
    return await db.pool.fetchval(_WATCH, TEAM, INES, zone)


async def look(
    db: Database,
    board: FakeBoard,
    members: Members | None = None,
    quiet: QuietHours | None = None,
) -> None:
    who = members or Members()
    await Watching(db, DirectoryReader(db), board, who.identify, quiet).look(TEAM)


async def has_reported(db: Database, watch_id: UUID) -> bool:
    return await db.pool.fetchval("select reported <> '[]' from schedules where id = $1", watch_id)


def late(zone: str = BEHIND, days: int = 1) -> TaskRow:
    """Return a task that was due so many days ago on the clock of a zone."""
    due = datetime.now(zone_named(zone)).date() - timedelta(days=days)
    return TaskRow(id="1", name="Banner", status="open", due=due)


async def test_a_watch_whose_owner_slack_cannot_verify_is_looked_at_again(
    agency: Database,
) -> None:
    watch_id, members = await watch(agency), Members(is_away=True)
    board = FakeBoard(lists={GLINTLY_LIST: [late()]})
    await look(agency, board, members)
    assert not await has_reported(agency, watch_id)

    members.is_away = False
    await look(agency, board, members)
    assert await has_reported(agency, watch_id)


async def test_a_watch_is_silent_in_its_owners_quiet_hours(agency: Database) -> None:
    asleep, awake = await watch(agency, BEHIND), await watch(agency, AHEAD)
    now = datetime.now(zone_named(BEHIND))
    since, until = (now - timedelta(hours=1)).time(), (now + timedelta(hours=1)).time()
    await agency.pool.execute(
        "update schedules set timing = timing || jsonb_build_object('at', $1::text)",
        f"{(now + timedelta(hours=2)):%H:%M}",
    )
    board = FakeBoard(lists={GLINTLY_LIST: [late(days=5)]})
    await look(agency, board, quiet=QuietHours(since=since, until=until))

    assert not await has_reported(agency, asleep)
    # The zones are 26 hours apart.
    assert await has_reported(agency, awake)


async def test_a_task_is_late_by_the_day_of_the_watchs_time_zone(agency: Database) -> None:
    behind, ahead = await watch(agency, BEHIND), await watch(agency, AHEAD)
    await look(agency, FakeBoard(lists={GLINTLY_LIST: [late(BEHIND, days=0)]}))

    assert not await has_reported(agency, behind)
    assert await has_reported(agency, ahead)


@pytest.mark.parametrize("space_of_glintly", ["90100500002", None])
async def test_a_list_that_is_another_clients_inbox_is_not_looked_at(
    agency: Database, space_of_glintly: str | None
) -> None:
    """Another client's brand has the space alone, so its tasks go to the space's inbox."""
    space = space_of_glintly or "s1"
    await agency.pool.execute(
        "update brands set clickup_space_id = $1 where clickup_list_id = $2",
        space_of_glintly,
        GLINTLY_LIST,
    )
    await agency.pool.execute(
        "update brands set clickup_space_id = $1 where name = 'Hearthlane'", space
    )
    watch_id, inbox = await watch(agency), ListRef(id=GLINTLY_LIST, name="Inbox", space_id=space)
    await look(agency, FakeBoard(lists={GLINTLY_LIST: [late()]}, inboxes={space: inbox}))

    assert not await has_reported(agency, watch_id)


async def test_an_open_task_in_a_list_that_clients_share_is_not_called_gone(
    agency: Database,
) -> None:
    awaited = {"id": "1", "title": "Banner", "url": "https://app.clickup.com/t/1"}
    watch_id = await watch(agency)
    await agency.pool.execute(
        "update schedules set watch = watch || $1 where id = $2",
        {"check": "done", "task": awaited},
        watch_id,
    )
    await agency.pool.execute(
        "update brands set clickup_list_id = $1 where client_id ="
        " (select id from agency_clients where name = 'Hearthlane')",
        GLINTLY_LIST,
    )
    await look(agency, FakeBoard(lists={GLINTLY_LIST: [late()]}))
    assert not await has_reported(agency, watch_id)


async def test_a_watch_that_two_processes_pause_is_told_of_once(agency: Database) -> None:
    watch_id, now = await watch(agency), datetime.now(UTC)
    for moment in (now, now + timedelta(seconds=1)):
        async with agency.transaction() as conn:
            await pause(conn, watch_id, "its client is gone", planned=moment)

    told = "select count(*) from outbox where slack_user_id = $1 and key like $2"
    assert await agency.pool.fetchval(told, INES, "%:told") == 1
    assert await agency.pool.fetchval(told, INES, "%:paused:%") == 1
