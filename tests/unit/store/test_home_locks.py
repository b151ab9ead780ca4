"""Several people's Home tabs are drawn anew in one transaction, and nobody waits in a circle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest

from agencyclaw.conversation.admin import AdminCommands
from agencyclaw.domain.commands import SlashCommand
from agencyclaw.domain.people import Actor, Place, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.proposals.departures import Departures
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.bindings import unbind
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.homes import wake_home

TEAM, CHANNEL = "T", "C"
YUKI, SARA, INES = "U01YUKI", "U01SARAL", "U01INES"
WEEKLY = {"day": "2099-01-05", "at": "09:00", "every": "week", "zone": "UTC"}

_PROPOSALS = """
with receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
  values ('k', 'events', 'message', 'T', 'C', '1', '1', false, 'U01INES', 'lane', '{}')
  returning id
)
insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
  actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, state, arguments)
select receipt.id, row_number() over (order by slack_user_id), 'T', 'p', 'C', '1', false, p.id,
  slack_user_id, full_name, 'create_task', 'f', $1, '{}'
from receipt, profiles p where slack_user_id in ('U01SARAL', 'U01YUKI')
"""
_ANSWERED = """
with linked as (
  insert into surface_bindings (team_id, channel_id, scope) values ('T', 'C', 'internal')
)
insert into schedules (id, person_id, team_id, words, timing, work, channel_id, is_in_channel,
  next_at)
select overlay(gen_random_uuid()::text placing at from 1 for 1)::uuid, id, 'T', 'brief us', $1,
  'ask', 'C', true, now()
from profiles join (values ('U01SARAL', '0'), ('U01YUKI', '1')) as one (who, at)
  on who = slack_user_id
"""
_HOLD = """
select from schedules
where person_id = (select id from profiles where slack_user_id = $1) for update
"""
_WAITS = """
select exists (select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock')
"""
_HOME = """
insert into outbox (key, kind, team_id, channel_id, slack_user_id, body, state)
values ('home:T:' || $1, 'home', 'T', '', $1, jsonb_build_object('sees_all', $1 = $2), 'sent')
"""


async def prepared(db: Database, state: str) -> None:
    """Have two people's proposals in a channel, and the tabs of both and of an admin."""
    await db.pool.execute(_PROPOSALS, state)
    for user in (YUKI, SARA, INES):
        await db.pool.execute(_HOME, user, INES)


async def until_it_waits(db: Database) -> None:
    # A session of the database has no event to wait for.
    while not await db.pool.fetchval(_WAITS):  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def unlink(db: Database) -> None:
    async with db.transaction() as conn:
        await unbind(conn, TEAM, CHANNEL)


def pausing(db: Database) -> Awaitable[str]:
    ines = Actor(
        profile_id=person_id("Ines Varga"),
        name="Ines Varga",
        tier=Tier.SUPER_ADMIN,
        slack_user_id=INES,
        timezone="UTC",
    )
    place = Place.home_tab(TEAM)
    typed = SlashCommand(
        key="pause", place=place, slack_ts="1.0", slack_user_id=INES, name="pause", rest=""
    )
    who = Identity(ines, Surface(kind=SurfaceKind.DM, scope=ScopeKind.INTERNAL, team_id=TEAM))
    return AdminCommands(db, DirectoryReader(db), frozenset()).pause(typed, who)


@pytest.mark.parametrize("home", [YUKI, SARA])
async def test_tabs_of_an_archived_channel_are_taken_in_one_order(
    agency: Database, home: str
) -> None:
    await prepared(agency, "open")
    async with agency.transaction() as other:
        await wake_home(other, TEAM, home)
        archiving = asyncio.create_task(Departures(agency).archived(TEAM, CHANNEL))
        await until_it_waits(agency)
        await wake_home(other, TEAM, INES)
    await archiving


async def test_a_pause_takes_what_it_gives_back_before_any_tab(agency: Database) -> None:
    await prepared(agency, "confirmed")
    async with agency.transaction() as other:
        await other.execute(
            "update proposals set reason = 'x' where actor_slack_user_id = $1", SARA
        )
        pause = asyncio.ensure_future(pausing(agency))
        await until_it_waits(agency)
        await wake_home(other, TEAM, SARA)
    assert "2 confirmed changes" in await pause


async def test_tabs_of_whose_questions_an_unlinked_channel_had_are_taken_in_one_order(
    agency: Database,
) -> None:
    await prepared(agency, "open")
    await agency.pool.execute(_ANSWERED, WEEKLY)
    async with agency.transaction() as other:
        await wake_home(other, TEAM, YUKI)
        unlinking = asyncio.create_task(unlink(agency))
        await until_it_waits(agency)
        await wake_home(other, TEAM, SARA)
    await unlinking


async def test_an_unlinked_channels_questions_are_taken_before_any_tab(agency: Database) -> None:
    await prepared(agency, "open")
    await agency.pool.execute(_ANSWERED, WEEKLY)
    async with agency.transaction() as other:
        await other.execute(_HOLD, SARA)
        unlinking = asyncio.create_task(unlink(agency))
        await until_it_waits(agency)
        await wake_home(other, TEAM, SARA)
    await unlinking
