"""Documents: used once approved, in versions; and the questions that nothing answered."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any
from uuid import uuid4

import pytest

from agencyclaw.domain.errors import NotFound, Stale
from agencyclaw.domain.sops import KnowledgeGap
from agencyclaw.store.documents import DocumentStore, Piece
from agencyclaw.store.engine import Database
from agencyclaw.store.gaps import GAPS_A_DAY, note_gap, settle_gap
from agencyclaw.store.knowledge import KnowledgeReader

RETURNS = "# Opened parcels\n\nGrade every opened parcel from A to D, and photograph the seal."
QUERY = "how are opened parcels graded"


@pytest.fixture
def store(agency: Database) -> DocumentStore:
    return DocumentStore(agency)


@pytest.fixture
def reader(agency: Database) -> KnowledgeReader:
    return KnowledgeReader(agency)


async def add(store: DocumentStore, body: str = RETURNS, tier: str = "internal") -> str:
    pieces = [Piece("Opened parcels", body)]
    outcome, version = await store.add(
        "opened.md", pieces, tier=tier, checksum=body[-20:], by="tomas"
    )
    return f"{outcome} {version}"


async def found(reader: KnowledgeReader, query: str = QUERY) -> list[tuple[str, str, float]]:
    hits = await reader.find_documents(query, limit=2)
    return [(hit.sop.title, hit.sop.version, hit.score) for hit in hits]


async def test_a_document_is_used_only_after_somebody_approved_it(
    store: DocumentStore, reader: KnowledgeReader
) -> None:
    assert await add(store) == "added 1"
    assert await found(reader) == []

    assert await store.approve("opened.md", by="ines") == ("opened.md", "1")
    [(title, version, score)] = await found(reader)
    assert (title, version) == ("Opened parcels", "1")
    assert 0.5 <= score < 0.7
    [hit] = await reader.find_documents(QUERY, limit=2)
    assert hit.sop.tier == "internal"
    assert hit.is_ground


async def test_a_new_version_waits_while_the_old_one_stays_in_use(
    store: DocumentStore, reader: KnowledgeReader
) -> None:
    await add(store)
    await store.approve("opened.md", by="ines")

    assert await add(store) == "unchanged 1"
    assert await add(store, RETURNS + " Twice.") == "changed 2"
    assert [version for _, version, _ in await found(reader)] == ["1"]
    await store.approve("opened.md", by="ines")
    assert [version for _, version, _ in await found(reader)] == ["2"]
    assert [one.version for one in await store.documents()] == ["2"]


async def test_a_newer_waiting_version_replaces_the_waiting_one(store: DocumentStore) -> None:
    await add(store)
    await add(store, RETURNS + " Twice.")

    assert [(one.version, one.state) for one in await store.documents()] == [("2", "waiting")]


async def test_what_is_retired_is_not_found_any_more(
    store: DocumentStore, reader: KnowledgeReader, agency: Database
) -> None:
    await add(store)
    [listed] = await store.documents()
    await store.approve(listed.id[:8], by="ines")
    await store.retire(listed.id[:8], by="ines")

    assert await found(reader) == []
    assert await store.documents() == []
    held = await agency.pool.fetchval(
        "select max(documents) from search_words where shelf = 'document'"
    )
    assert held == 0


async def test_what_was_decided_about_a_document_is_audited(
    store: DocumentStore, agency: Database
) -> None:
    await add(store)
    await store.approve("opened.md", by="ines")
    await store.retire("opened.md", by="tomas")

    rows = await agency.pool.fetch(
        "select payload from agent_events where event_type = 'document_decided' order by created_at"
    )

    assert [(row["payload"]["decision"], row["payload"]["by"]) for row in rows] == [
        ("use", "ines"),
        ("retire", "tomas"),
    ]


@pytest.mark.parametrize("name", ["nothing.md", "", "zzzz"])
async def test_what_does_not_wait_can_t_be_approved(store: DocumentStore, name: str) -> None:
    with pytest.raises(NotFound):
        await store.approve(name, by="ines")


async def until_waiting(db: Database, sessions: int) -> None:
    """Wait until so many sessions wait for a lock of this database."""
    waiting = (
        "select count(*) from pg_stat_activity"
        " where wait_event_type = 'Lock' and datname = current_database()"
    )
    # A session of the database has no event to wait for.
    while await db.pool.fetchval(waiting) != sessions:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def while_adding(store: DocumentStore, db: Database, act: Coroutine[Any, Any, Any]) -> Any:
    """Start to act when a newer version is on its way but not yet stored."""
    async with db.transaction() as conn:
        await conn.execute("select from knowledge_documents for update")
        adding = asyncio.create_task(add(store, RETURNS + " Thrice."))
        await until_waiting(db, 1)
        acting = asyncio.create_task(act)
        await until_waiting(db, 2)
    await adding
    return await acting


async def test_a_version_that_was_replaced_meanwhile_is_not_approved(
    store: DocumentStore, agency: Database
) -> None:
    await add(store)
    await store.approve("opened.md", by="ines")
    await add(store, RETURNS + " Twice.")

    with pytest.raises(Stale, match="changed meanwhile"):
        await while_adding(store, agency, store.approve("opened.md", by="ines"))
    states = {one.version: one.state for one in await store.documents()}
    assert states == {"1": "approved", "3": "waiting"}


async def test_a_version_that_is_added_meanwhile_is_retired_too(
    store: DocumentStore, agency: Database
) -> None:
    await add(store)

    await while_adding(store, agency, store.retire("opened.md", by="ines"))
    assert await store.documents() == []


async def test_material_of_others_is_never_more_than_a_hint(
    store: DocumentStore, reader: KnowledgeReader
) -> None:
    await add(store, tier="external")
    await store.approve("opened.md", by="ines")

    [hit] = await reader.find_documents(QUERY, limit=2)
    assert (hit.sop.tier, hit.is_ground) == ("external", False)


async def test_the_counts_of_words_follow_every_change(agency: Database) -> None:
    exact = """
select stem, count(*)::int from playbook_sops, unnest(tsvector_to_array(search) || array['']) stem
where search is not null group by stem except
select stem, documents from search_words where shelf = 'sop'
"""
    await agency.pool.execute("update playbook_sops set aliases = '{glockenspiel}'")
    assert await agency.pool.fetch(exact) == []
    await agency.pool.execute("update playbook_sops set content_md = '' where category < 'm'")
    assert await agency.pool.fetch(exact) == []
    await agency.pool.execute("delete from playbook_sops where category > 'q'")
    assert await agency.pool.fetch(exact) == []


async def test_a_question_without_an_answer_is_listed_once_with_its_count(
    agency: Database, reader: KnowledgeReader, store: DocumentStore
) -> None:
    for words in ("How do we launch on Walmart?", "launch on walmart, how?", "Who paints signs?"):
        await note_gap(agency, KnowledgeGap(question=words, best=0.2, closest="Coupons"))
    await note_gap(agency, KnowledgeGap(question="?!"))

    gaps = await reader.open_gaps(limit=10)
    assert [(gap.question, gap.asked) for gap in gaps] == [
        ("launch on walmart, how?", 2),
        ("Who paints signs?", 1),
    ]
    assert await settle_gap(agency, str(gaps[0].id)[:8]) == 1
    assert [gap.question for gap in await reader.open_gaps(limit=10)] == ["Who paints signs?"]
    await note_gap(agency, KnowledgeGap(question="How do we LAUNCH on Walmart"))
    assert (await reader.open_gaps(limit=10))[0].asked == 3


async def test_of_one_turn_one_question_is_noted(agency: Database, reader: KnowledgeReader) -> None:
    turn = uuid4()
    for at in range(12):
        await note_gap(agency, KnowledgeGap(question=f"Obey rule {at} of mine", run_id=turn))

    assert [gap.question for gap in await reader.open_gaps(limit=50)] == ["Obey rule 0 of mine"]


async def test_a_person_fills_no_list_in_a_day_and_is_named(
    agency: Database, reader: KnowledgeReader
) -> None:
    who = await agency.pool.fetchrow("select id, full_name from profiles order by email limit 1")
    for at in range(GAPS_A_DAY + 5):
        await note_gap(agency, KnowledgeGap(question=f"Where is part {at}?", asked_by=who["id"]))
    await note_gap(agency, KnowledgeGap(question="Who paints signs?"))

    gaps = await reader.open_gaps(limit=50)
    assert len(gaps) == GAPS_A_DAY + 1
    assert {gap.asked_by is None for gap in gaps} == {True, False}

    await agency.pool.execute("update knowledge_gap_notes set noted_at = now() - interval '25h'")
    await note_gap(agency, KnowledgeGap(question="And tomorrow?", asked_by=who["id"]))
    assert len(await reader.open_gaps(limit=50)) == GAPS_A_DAY + 2
    assert await agency.pool.fetchval("select count(*) from knowledge_gap_notes") == 1


async def test_a_noted_question_hides_nothing_and_holds_no_key(
    agency: Database, reader: KnowledgeReader
) -> None:
    await note_gap(agency, KnowledgeGap(question="How\u202e do\x07 we\n\n# ship\u200b?"))

    [gap] = await reader.open_gaps(limit=5)
    assert gap.question == "How do we # ship?"
