"""What the way of a delivery to Slack costs the database."""

from __future__ import annotations

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import Outbox, post

UPDATES = "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'outbox'"


async def test_no_index_changes_on_the_way_of_a_message_to_slack(database: Database) -> None:
    place = Place(team_id="T01", channel_id="C01OPS", thread_ts="1.0", is_direct=False)
    # One connection, because each reports what it did by itself.
    db = await Database.open(database.dsn, min_size=1, max_size=1)
    outbox = Outbox(db)
    async with db.transaction() as conn:
        message = await post(
            conn, key="notice:1", kind=OutboxKind.NOTICE, place=place, note=Note(text="Done.")
        )
    assert message is not None

    await outbox.claim(message)
    await outbox.sent(message, "2.0")

    await db.pool.execute("select pg_stat_force_next_flush()")
    row = await db.pool.fetchrow(UPDATES)
    await db.close()
    assert row is not None
    assert tuple(row) == (2, 2)
