"""What admins are told without having asked: once for its key."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.store.engine import Connection
from agencyclaw.store.outbox import post

_ADMINS = """
select slack_user_id from profiles
where is_admin and employment_status <> 'inactive' and slack_user_id is not null
order by slack_user_id
"""


@dataclass(frozen=True)
class Recipient:
    """Who gets a direct message."""

    team_id: str
    slack_user_id: str


async def notify(conn: Connection, key: str, recipient: Recipient, note: Note) -> None:
    """Queue a direct message, once for its key."""
    await post(
        conn,
        key=key,
        kind=OutboxKind.EPHEMERAL,
        place=Place.home_tab(recipient.team_id),
        note=note,
        slack_user_id=recipient.slack_user_id,
    )


async def tell_admins(conn: Connection, team_id: str, key: str, text: str) -> None:
    """Queue a message to every admin, once for its key."""
    for admin in await conn.fetch(_ADMINS):
        recipient = Recipient(team_id, admin["slack_user_id"])
        await notify(conn, f"{key}:{recipient.slack_user_id}", recipient, Note(text=text))
