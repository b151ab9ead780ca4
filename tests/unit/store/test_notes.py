"""Messages on their way: read by processes of two versions, and held up by nobody else's."""

from __future__ import annotations

from uuid import uuid4

from agencyclaw.domain.choices import fixed
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Link, Note, OutboxKind, ShownTask
from agencyclaw.domain.sheets import Sheet, SheetColumn
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import Outbox, post


def test_a_note_has_what_the_version_before_does_not_know_only_if_it_is_there() -> None:
    card = uuid4()

    assert "cards" not in Note(text="There.").stored()
    assert Note(text="There.", cards=(card,)).stored()["cards"] == [str(card)]
    assert Note.read(Note(text="There.").stored()) == Note(text="There.")


async def test_what_a_later_version_added_is_left_aside_however_deep(database: Database) -> None:
    link = Link(text="Open", url="https://a.example")
    task = ShownTask(title="Count", details="", status="complete", run=uuid4())
    note = Note(text="There.", links=(link,), choices=(fixed("Yes"),), task=task)
    sheet = Sheet(title="Tasks", format="csv", columns=(SheetColumn(title="Task"),), rows=())
    later = {"added_later": [1]}
    stored = note.stored() | later
    stored |= {name: [one | later for one in stored[name]] for name in ("links", "choices")}
    stored |= {"task": stored["task"] | later}
    column = {"title": "Task"} | later
    stored |= {"sheet": sheet.model_dump(mode="json") | later | {"columns": [column]}}
    async with database.transaction() as conn:
        place = Place.home_tab("T1")
        delivery = await post(conn, key="1", kind=OutboxKind.NOTICE, place=place, note=note)
        await conn.execute("update outbox set body = $1", stored)
    assert delivery is not None

    read = await Outbox(database).claim(delivery)

    assert read is not None
    assert (read.note, read.sheet) == (note, sheet)


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
