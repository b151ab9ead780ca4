"""Sends what a channel did not take to somebody who has to know."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.store.admin_notices import redirect_alert
from agencyclaw.store.engine import Connection
from agencyclaw.store.outbox import CLOSED_CHANNEL, post

# For whom an undelivered message of a channel was: whom it names, else whose act it answers.
_FOR_SOMEBODY = """
select o.team_id, o.body, o.run_id, coalesce(o.slack_user_id, r.slack_user_id) as slack_user_id
from outbox o left join slack_event_receipts r on r.id = o.receipt_id
where o.id = $1 and o.kind in ('answer', 'notice')
  and not is_direct_channel(o.team_id, o.channel_id)
  and coalesce(o.slack_user_id, r.slack_user_id) is not null
"""


async def redirect(conn: Connection, outbox_id: UUID, error: str) -> None:
    """Send an alert that was not delivered to each admin, and an answer to whom it is for.

    An answer is redirected only if its channel is closed to us, and comes without its choices,
    which count where they were offered.
    """
    await redirect_alert(conn, outbox_id, error)
    row = await conn.fetchrow(_FOR_SOMEBODY, outbox_id) if error in CLOSED_CHANNEL else None
    if row is None:
        return
    note = Note.read(row["body"])
    text = message("delivery.channel_closed", text=note.text)
    await post(
        conn,
        key=f"moved:{outbox_id}:{row['slack_user_id']}",
        kind=OutboxKind.EPHEMERAL,
        place=Place.home_tab(row["team_id"]),
        note=note.model_copy(update={"text": text, "choices": ()}),
        slack_user_id=row["slack_user_id"],
        run_id=row["run_id"],
    )
