"""What admins are told without having asked: once for its key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.store.engine import Connection
from agencyclaw.store.homes import ALERT_CHANNEL
from agencyclaw.store.jobs import is_local
from agencyclaw.store.outbox import CLOSED_CHANNEL, post

# One who was met in another workspace alone is not here.
_ADMINS = """
select p.slack_user_id from profiles p
left join slack_members here on here.team_id = $1 and here.slack_user_id = p.slack_user_id
where p.is_admin and p.employment_status <> 'inactive' and p.slack_user_id is not null
  and case when here.slack_user_id is not null then coalesce(here.membership, 'member') = 'member'
    else not exists (
      select 1 from slack_members met where met.slack_user_id = p.slack_user_id
    ) end
order by p.slack_user_id
"""
_SENT = "select key from outbox where key = any($1::text[])"
_TODAY = "select (schedule_clock() at time zone 'UTC')::date"
_UNDELIVERED = """
select team_id, channel_id, body ->> 'text' as text from outbox
where id = $1 and starts_with(key, $2)
"""
_LEAVE = """
update alert_channels set active = false, updated_at = now()
where team_id = $1 and channel_id = $2 and active returning id
"""
_IN_CHANNEL = "admins:"
_QUIET_DAYS = 7


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


async def tell_admins(
    conn: Connection,
    team_id: str,
    key: str,
    text: str,
    brief: str = "",
    *,
    earlier: Sequence[str] = (),
) -> None:
    """Queue a message to the admins, once for its key: in the channel they chose, else to each.

    A channel has members who may not see every client, so it gets `brief`, if given, which names
    no client, task or person. Nobody who got it under one of the `earlier` keys gets it again.
    """
    keys = (key, *earlier)
    admins = [one["slack_user_id"] for one in await conn.fetch(_ADMINS, team_id)]
    direct = {admin: [f"{one}:{admin}" for one in keys] for admin in admins}
    posted = [f"{_IN_CHANNEL}{one}" for one in keys]
    every = [*posted, *(one for own in direct.values() for one in own)]
    sent = {row["key"] for row in await conn.fetch(_SENT, every)}
    channel = await conn.fetchval(ALERT_CHANNEL, team_id)
    # Chosen or given up meanwhile: what was told one way is not told again another way.
    was_sent = bool(sent) if channel else not sent.isdisjoint(posted)
    if was_sent:
        return
    if channel:
        place = Place(team_id=team_id, channel_id=channel, thread_ts="", is_direct=False)
        note = Note(text=brief or text)
        await post(conn, key=posted[0], kind=OutboxKind.NOTICE, place=place, note=note)
        return
    for admin, own in direct.items():
        if sent.isdisjoint(own):
            await notify(conn, own[0], Recipient(team_id, admin), Note(text=text))


async def raise_alert(
    conn: Connection, team_id: str, about: str, brief: str, text: str = ""
) -> None:
    """Tell the admins of a fault, and not again within seven days on the clock of schedules."""
    if is_local(team_id):
        return
    today = await conn.fetchval(_TODAY)
    days = [today - timedelta(days=ago) for ago in range(_QUIET_DAYS + 1)]
    key, *earlier = (f"fault:{team_id}:{about}:{day}" for day in days)
    await tell_admins(conn, team_id, key, text or brief, brief, earlier=earlier)


async def redirect_alert(conn: Connection, outbox_id: UUID, error: str) -> None:
    """Send an alert that its channel did not take to each admin; nothing else is touched.

    If the channel is gone, that is said once and it is left.
    """
    alert = await conn.fetchrow(_UNDELIVERED, outbox_id, _IN_CHANNEL)
    if alert is None:
        return
    team_id = alert["team_id"]
    left = error in CLOSED_CHANNEL and await conn.fetchval(_LEAVE, team_id, alert["channel_id"])
    text = "\n".join(filter(None, (message("alerts.gone") if left else "", alert["text"])))
    for admin in await conn.fetch(_ADMINS, team_id):
        recipient = Recipient(team_id, admin["slack_user_id"])
        key = f"moved:{outbox_id}:{recipient.slack_user_id}"
        await notify(conn, key, recipient, Note(text=text))
