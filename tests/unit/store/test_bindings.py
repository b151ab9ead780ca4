"""A channel is linked, unlinked and linked to somebody else."""

from __future__ import annotations

import pytest

from agencyclaw.domain.people import ChannelScope, ScopeKind
from agencyclaw.store.bindings import bind, unbind
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Database

TEAM, OPS = "T01", "C01OPS"
INES = person_id("Ines Varga")
WEEKLY = {"day": "2099-01-05", "at": "09:00", "every": "week", "zone": "UTC"}
_ASK = """
insert into schedules (person_id, team_id, words, timing, work, channel_id, is_in_channel, next_at)
select id, 'T01', 'brief us', $1, 'ask', 'C01OPS', true, '2099-01-05 09:00Z'
from profiles where slack_user_id = 'U01SARAL'
"""
_RESUME = "update schedules set paused_because = null, next_at = '2099-01-05 09:00Z'"
_TOLD = "select channel_id from outbox where kind <> 'home' order by seq"


async def link(db: Database, client: str = "") -> None:
    kind = ScopeKind.CLIENT_SCOPED if client else ScopeKind.INTERNAL
    owner = ChannelScope(kind, client_id(client) if client else None, None)
    async with db.transaction() as conn:
        await bind(conn, TEAM, OPS, owner=owner, by=INES)


async def unlink(db: Database) -> None:
    async with db.transaction() as conn:
        await unbind(conn, TEAM, OPS)


async def test_a_question_that_is_resumed_and_paused_again_is_told_again(agency: Database) -> None:
    await agency.pool.execute(_ASK, WEEKLY)
    await link(agency)
    await unlink(agency)
    told = await agency.pool.fetch(_TOLD)
    await agency.pool.execute(_RESUME)
    await link(agency)
    await unlink(agency)

    assert told
    assert len(await agency.pool.fetch(_TOLD)) == 2 * len(told)


@pytest.mark.parametrize("client", ["Glintly Inc", ""])
async def test_no_alert_of_a_pause_goes_to_the_channel_that_is_given_away(
    agency: Database, client: str
) -> None:
    await agency.pool.execute(_ASK, WEEKLY)
    await link(agency)
    await agency.pool.execute(
        "insert into alert_channels (team_id, channel_id) values ($1, $2)", TEAM, OPS
    )
    await (link(agency, client) if client else unlink(agency))

    told = [row["channel_id"] for row in await agency.pool.fetch(_TOLD)]
    assert told
    assert OPS not in told
