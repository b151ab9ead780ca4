"""What is remembered: certain enough, dated, and nobody else's preferences."""

from typing import Any

import pytest

from agencyclaw.domain.clients import Named
from agencyclaw.domain.people import Place
from agencyclaw.domain.records import RecordChange
from agencyclaw.domain.remembering import (
    ForgetNote,
    ForgetPreference,
    RememberNote,
    RememberPreference,
)
from agencyclaw.store.background import read_background
from agencyclaw.store.brands import is_taken
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.memory import MemoryReader, NoteRecord, PreferenceRecord
from agencyclaw.store.records import Row
from tests.fakes.slack_store import a_proposal
from tests.unit.store.test_directory import actor

GLINTLY = client_id("Glintly Inc")
CLIENT = Named(id=GLINTLY, name="Glintly Inc")
_MANY_NOTES = """
insert into client_memory_notes (client_id, author_profile_id, source, note, confidence)
select $1, p.id, 'manual', 'note ' || n, 0.9
from profiles p, generate_series(1, $2::int) as n where p.slack_user_id = 'U01INES'
"""
# Each time later than what is there.
_DONE = """
with receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane)
  values ($2, 'events', 'message', 'T0LANTERN', 'D', '1', '1', true, 'U01SARAL', 'lane')
  returning id
)
insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
  actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, arguments, state,
  settled_at)
select id, n, 'T0LANTERN', 'T0LANTERN:D:1', 'D', '1', true, $1, 'U01SARAL', 'Sara', $2, 'f', $3,
  'done', clock_timestamp()
from receipt, generate_series(1, $4::int) as n
"""
PLACE = Place(team_id="T0LANTERN", channel_id="D01SARAL", thread_ts="1.0", is_direct=True)


async def test_a_note_says_who_and_when_and_a_guess_is_left_out(agency: Database) -> None:
    [note] = await MemoryReader(agency).notes([GLINTLY])

    assert (note.note, note.author, note.client) == (
        "Prefers concise task titles",
        "Sara Lindqvist",
        "Glintly Inc",
    )
    assert note.created_at.tzinfo is not None


async def test_an_archived_note_is_forgotten(agency: Database) -> None:
    await agency.pool.execute("update client_memory_notes set archived_at = now()")

    assert await MemoryReader(agency).notes([GLINTLY]) == []


async def test_however_many_notes_a_client_has_those_of_another_are_found(agency: Database) -> None:
    others = client_id("Pawtrail")
    await agency.pool.execute(_MANY_NOTES, others, 250)

    notes = await MemoryReader(agency).notes([GLINTLY, others])

    assert "Prefers concise task titles" in [one.note for one in notes]
    assert len(notes) == 251


async def test_what_is_no_event_of_a_client_takes_no_events_place(agency: Database) -> None:
    sara = Named(id=person_id("Sara Lindqvist"), name="Sara Lindqvist")
    note = RememberNote(client=CLIENT, note="Ships on Mondays")
    default = RememberPreference(
        person=sara, key="default_client", value="Glintly Inc", client=CLIENT
    )
    for effect, how_often in ((note, 1), (default, 25)):
        arguments = effect.model_dump(mode="json")
        await agency.pool.execute(_DONE, sara.id, effect.kind, arguments, how_often)

    record = await MemoryReader(agency).client_record(GLINTLY)

    assert ["Ships on Mondays" in one.text for one in record.events] == [True]


async def test_preferences_are_a_persons_own(agency: Database) -> None:
    memory = MemoryReader(agency)

    own = await memory.preferences(person_id("Sara Lindqvist"))
    others = await memory.preferences(person_id("Miguel Duarte"))

    assert own.default_client is not None
    assert own.default_client.id == GLINTLY
    assert others.default_client is None
    assert others.kept == ()


async def test_a_run_starts_with_the_preferences_of_who_asks(agency: Database) -> None:
    async def known_of(name: str) -> str | None:
        background = await read_background(agency, PLACE, actor(name), {}, idle_s=60)
        default = background.preferences.default_client
        return default.name if default else None

    assert await known_of("Sara Lindqvist") == "Glintly Inc"
    assert await known_of("Miguel Duarte") is None


async def test_a_client_that_left_is_nobodys_default(agency: Database) -> None:
    await agency.pool.execute(
        "update agency_clients set status = 'archived' where id = $1", GLINTLY
    )

    kept = await MemoryReader(agency).preferences(person_id("Sara Lindqvist"))

    assert kept.default_client is None


async def test_a_default_that_is_another_by_now_is_not_taken_away(agency: Database) -> None:
    sara = person_id("Sara Lindqvist")

    async with agency.transaction() as conn:
        assert not await forgets(conn, "Brightkettle")
    kept = await MemoryReader(agency).preferences(sara)
    assert kept.default_client is not None

    async with agency.transaction() as conn:
        assert await forgets(conn, "glintly inc")
    assert (await MemoryReader(agency).preferences(sara)).default_client is None


async def test_a_default_is_taken_back_by_its_client_whatever_that_is_called_by_now(
    agency: Database,
) -> None:
    async with agency.transaction() as conn:
        await conn.execute("update agency_clients set name = 'Glintly GmbH' where id = $1", GLINTLY)
        another = CLIENT.model_copy(update={"id": client_id("Brightkettle Group")})
        assert not await forgets(conn, "Glintly GmbH", another)
        assert await forgets(conn, "Glintly Inc", CLIENT)


# As the matcher compares names: case, forms of letters, spaces and marks at the edges are nothing.
SAME = [
    "prefers concise task titles",
    "Prefers  CONCISE task titles.",
    "“Prefers ｃoncise task titles”",
]


@pytest.mark.parametrize("words", SAME)
async def test_the_same_words_are_kept_once_however_they_are_written(
    agency: Database, words: str
) -> None:
    async with agency.transaction() as conn:
        assert not await keeps(conn, RememberNote(client=CLIENT, note=words))

    assert len(await MemoryReader(agency).notes([GLINTLY])) == 1


@pytest.mark.parametrize("words", SAME)
async def test_a_note_is_not_taken_out_again_beside_the_same_words(
    agency: Database, words: str
) -> None:
    [note] = await MemoryReader(agency).notes([GLINTLY])
    async with agency.transaction() as conn:
        gone = ForgetNote(client=CLIENT, note=note.note, note_id=note.id, author="Sara Lindqvist")
        assert await keeps(conn, gone)
        assert await keeps(conn, RememberNote(client=CLIENT, note=words))
        assert not await keeps(conn, gone.reverse())

    assert len(await MemoryReader(agency).notes([GLINTLY])) == 1


@pytest.mark.parametrize("name", ["glintly", " Glintly. ", "ＧＬＩＮＴＬＹ", "“Glintly”"])
async def test_a_brands_name_is_taken_however_it_is_written(agency: Database, name: str) -> None:
    async with agency.transaction() as conn:
        assert await is_taken(conn, GLINTLY, name, None)
        assert not await is_taken(conn, GLINTLY, f"{name} Two", None)


async def forgets(conn: Connection, name: str, client: Named | None = None) -> bool:
    """Whether Sara's default client is forgotten, where it is called like this."""
    sara = Named(id=person_id("Sara Lindqvist"), name="Sara Lindqvist")
    effect = ForgetPreference(person=sara, key="default_client", value=name, client=client)
    return await is_written(effect, PreferenceRecord(conn, effect))


async def keeps(conn: Connection, effect: RememberNote | ForgetNote) -> bool:
    """Whether a note is kept or forgotten."""
    return await is_written(effect, NoteRecord(conn, effect))


async def is_written(effect: RecordChange[Any], row: Row) -> bool:
    """Write it as Sara, unless something is in its way."""
    if effect.conflict(now := await row.read()):
        return False
    by_sara = a_proposal(actor_profile_id=person_id("Sara Lindqvist"))
    return await row.write(now, by_sara) is not None
