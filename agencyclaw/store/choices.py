"""Choices offered as buttons under answers, until one is pressed or the question is answered."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, Note, OutboxKind
from agencyclaw.domain.text import folded
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.outbox import post

_OFFERED = """
select body from outbox
where kind = 'answer' and team_id = $1 and channel_id = $2 and sent_ts = $3
"""

_PRESSED = """
update outbox set body = body || jsonb_build_object('answered', $4::text)
where kind = 'answer' and team_id = $1 and channel_id = $2 and sent_ts = $3
  and body -> 'choices' <> '[]' and body ->> 'answered' is null
returning id, thread_ts, sent_ts, body
"""

_ASKED = """
select o.id, o.thread_ts, o.body -> 'choices' as choices
from outbox o join slack_event_receipts asked on asked.id = o.receipt_id
where o.kind = 'answer' and o.team_id = $1 and o.channel_id = $2 and o.sent_ts is not null
  and o.body -> 'choices' <> '[]' and o.body ->> 'answered' is null and asked.slack_user_id = $3
for update of o
"""
_ANSWERED = """
update outbox set body = body || jsonb_build_object('answered', '')
where id = any($1) returning id, thread_ts, sent_ts, body
"""


class Choices:
    """Reads and closes the choices under answers."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def offered(self, place: Place, ts: str) -> tuple[Choice, ...] | None:
        """Return an answer's choices: empty if it was answered already, None if it is unknown."""
        body = await self._db.pool.fetchval(_OFFERED, place.team_id, place.channel_id, ts)
        if body is None:
            return None
        return () if body.get("answered") is not None else Note.read(body).choices

    async def pressed(self, place: Place, ts: str, label: str) -> None:
        """Remove the buttons of an answer after one was pressed."""
        async with self._db.transaction() as conn:
            await _press(conn, place, ts, label)

    async def answered_by(self, message: Incoming) -> None:
        """Remove the buttons of questions that this person has now answered.

        An answer counts in the question's thread, or elsewhere in the DM if it is exactly a
        choice's label. A press may be answered before `pressed` has recorded it, or without it if
        the process died in between: what was chosen is shown all the same.
        """
        place, asker = message.place, message.slack_user_id
        async with self._db.transaction() as conn:
            if message.choice:
                await _press(conn, place, message.about_ts, message.choice.label)
            asked = await conn.fetch(_ASKED, place.team_id, place.channel_id, asker)
            answered = [
                row["id"]
                for row in asked
                if row["thread_ts"] == place.thread_ts
                or (place.is_direct and folded(message.text) in _labels(row["choices"]))
            ]
            await show_answered(conn, place, await conn.fetch(_ANSWERED, answered))


async def _press(conn: Connection, place: Place, ts: str, label: str) -> None:
    rows = await conn.fetch(_PRESSED, place.team_id, place.channel_id, ts, label)
    await show_answered(conn, place, rows)


def _labels(choices: list[dict[str, str]]) -> set[str]:
    return {folded(one["label"]) for one in choices}


async def show_answered(conn: Connection, place: Place, rows: list[Any]) -> None:
    """Redraw answers whose buttons have been pressed, or are wanted no more."""
    for row in rows:
        await post(
            conn,
            key=f"answered:{row['id']}",
            kind=OutboxKind.ANSWER_UPDATE,
            place=place.model_copy(update={"thread_ts": row["thread_ts"]}),
            note=Note.read(row["body"]),
            changes_ts=row["sent_ts"],
        )
