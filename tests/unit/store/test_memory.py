"""What is remembered: certain enough, dated, and nobody else's preferences."""

import pytest

from agencyclaw.domain.people import Place
from agencyclaw.store.background import read_background
from agencyclaw.store.brands import is_taken
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.memory import MemoryReader
from agencyclaw.store.memory_writes import archive_note, drop_preference, keep_note, restore_note
from tests.unit.store.test_directory import actor

GLINTLY = client_id("Glintly Inc")
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
        assert not await drop_preference(conn, sara, "default_client", "Brightkettle")
    kept = await MemoryReader(agency).preferences(sara)
    assert kept.default_client is not None

    async with agency.transaction() as conn:
        assert await drop_preference(conn, sara, "default_client", "glintly inc")
    assert (await MemoryReader(agency).preferences(sara)).default_client is None


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
        again = await keep_note(conn, GLINTLY, words, author=None, confidence=0.9, source="chat")

    assert again is None
    assert len(await MemoryReader(agency).notes([GLINTLY])) == 1


@pytest.mark.parametrize("words", SAME)
async def test_a_note_is_not_taken_out_again_beside_the_same_words(
    agency: Database, words: str
) -> None:
    [note] = await MemoryReader(agency).notes([GLINTLY])
    async with agency.transaction() as conn:
        await archive_note(conn, note.id, GLINTLY)
        await keep_note(conn, GLINTLY, words, author=None, confidence=0.9, source="chat")
        assert await restore_note(conn, note.id) is None

    assert len(await MemoryReader(agency).notes([GLINTLY])) == 1


@pytest.mark.parametrize("name", ["glintly", " Glintly. ", "ＧＬＩＮＴＬＹ", "“Glintly”"])
async def test_a_brands_name_is_taken_however_it_is_written(agency: Database, name: str) -> None:
    async with agency.transaction() as conn:
        assert await is_taken(conn, GLINTLY, name)
        assert not await is_taken(conn, GLINTLY, f"{name} Two")
