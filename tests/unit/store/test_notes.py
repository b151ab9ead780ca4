"""Messages on their way: read by processes of two versions, and held up by nobody else's."""

from __future__ import annotations

from uuid import uuid4

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post


def test_a_note_has_what_the_version_before_does_not_know_only_if_it_is_there() -> None:
    card = uuid4()

    assert "cards" not in Note(text="There.").stored()
    assert Note(text="There.", cards=(card,)).stored()["cards"] == [str(card)]
    assert Note.model_validate(Note(text="There.").stored()) == Note(text="There.")


def test_what_a_later_version_added_is_left_aside() -> None:
    assert Note.model_validate({"text": "There.", "added_later": [1]}) == Note(text="There.")


async def test_a_persons_own_messages_wait_for_nobody_elses(database: Database) -> None:
    async with database.transaction() as conn:
        for user in ("U01INES", "U01MIG"):
            await post(
                conn,
                key=user,
                kind=OutboxKind.EPHEMERAL,
                place=Place.home_tab("T1"),
                note=Note(text="There."),
                slack_user_id=user,
            )

    rows = await database.pool.fetch("select lock from procrastinate_jobs order by lock")
    assert [row["lock"] for row in rows] == ["out:T1:home:U01INES", "out:T1:home:U01MIG"]
