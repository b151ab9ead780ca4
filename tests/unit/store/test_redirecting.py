"""Whom a message reaches that its channel does not take."""

from __future__ import annotations

import pytest

from agencyclaw.domain.people import Place
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import Outbox, post_notice
from agencyclaw.store.redirecting import redirect
from tests.fakes.slack_store import a_proposal

OPS = Place(team_id="T01", channel_id="C01OPS", thread_ts="1.0", is_direct=False)
DM = Place(team_id="T01", channel_id="D01INES", thread_ts="1.0", is_direct=True)
_QUEUED = "select slack_user_id, body ->> 'text' as text from outbox where kind = 'ephemeral'"
_LAST = "select id from outbox order by seq desc limit 1"


@pytest.mark.parametrize(
    ("place", "error", "count"),
    [
        (OPS, "is_archived", 1),
        (OPS, "not_in_channel", 1),
        (OPS, "other", 0),
        (DM, "is_archived", 0),
    ],
)
async def test_a_notice_about_a_proposal_goes_to_its_requester_once_where_its_channel_is_closed(
    database: Database, place: Place, error: str, count: int
) -> None:
    proposal = a_proposal(place=place)
    outbox = Outbox(database, redirect)
    async with database.transaction() as conn:
        await post_notice(conn, "paused", proposal, "It is back on its card.")
    notice = await database.pool.fetchval(_LAST)

    for _ in range(2):
        await outbox.dead_letter(notice, error)

    queued = await database.pool.fetch(_QUEUED)
    assert [row["slack_user_id"] for row in queued] == [proposal.actor_slack_user_id] * count
    assert all("It is back on its card." in row["text"] for row in queued)
