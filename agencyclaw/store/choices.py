"""Choices offered as buttons under answers, until one is pressed or the question is answered."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
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
        return () if body.get("answered") is not None else Note.model_validate(body).choices

    async def pressed(self, place: Place, ts: str, label: str) -> None:
        """Remove the buttons of an answer after one was pressed."""
        async with self._db.transaction() as conn:
            rows = await conn.fetch(_PRESSED, place.team_id, place.channel_id, ts, label)
            await show_answered(conn, place, rows)

    async def answered_in_words(self, place: Place, slack_user_id: str, text: str) -> None:
        """Remove the buttons of questions that this person has now answered in words.

        An answer counts in the question's thread, or elsewhere in the DM if it is exactly a
        choice's label.
        """
        async with self._db.transaction() as conn:
            asked = await conn.fetch(_ASKED, place.team_id, place.channel_id, slack_user_id)
            answered = [
                row["id"]
                for row in asked
                if row["thread_ts"] == place.thread_ts
                or (place.is_direct and folded(text) in _labels(row["choices"]))
            ]
            await show_answered(conn, place, await conn.fetch(_ANSWERED, answered))


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
            note=Note.model_validate(row["body"]),
            changes_ts=row["sent_ts"],
        )
