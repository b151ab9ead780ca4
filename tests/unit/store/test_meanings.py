"""Procedures found by meaning beside words, and a search that goes on without."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from fakes.embedding_server import EmbeddingServer
from pydantic_ai import Embedder, models
from pydantic_ai.embeddings import TestEmbeddingModel
from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
from pydantic_ai.providers.openai import OpenAIProvider

from agencyclaw.domain.errors import Unavailable
from agencyclaw.models import EmbeddingModel
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.meanings import Meanings

CONCEPTS = (("circus", "zirkus"), ("restock", "nachschub"))
GERMAN = "Bestellst du Karten für den Zirkus?"
CIRCUS = "Circus tickets"


@pytest.fixture(autouse=True)
def _requests_of_the_client_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)


@asynccontextmanager
async def reading(
    agency: Database, server: EmbeddingServer, patience_s: float = 30
) -> AsyncGenerator[KnowledgeReader]:
    async with server.running() as url:
        provider = OpenAIProvider(base_url=url, api_key="sk-test")
        model = OpenAIEmbeddingModel("small", provider=provider)
        embeddings = EmbeddingModel(Embedder(model), "openai:small")
        yield KnowledgeReader(agency, Meanings(agency, embeddings, patience_s=patience_s))


async def add(agency: Database, title: str, body: str) -> None:
    await agency.pool.execute(
        "insert into playbook_sops (clickup_doc_id, clickup_page_id, name, category, version,"
        " content_md) values ('d', $1, $1, 'leisure', '1', $2)",
        title,
        body,
    )


async def titles(reader: KnowledgeReader, query: str) -> list[str]:
    hits = await reader.find_sops(query, limit=4, by_meaning=True)
    return [hit.sop.title for hit in hits]


async def test_a_question_that_shares_no_word_with_its_procedure_finds_it(
    agency: Database,
) -> None:
    await add(agency, CIRCUS, "Order by telephone.")
    assert CIRCUS not in await titles(KnowledgeReader(agency), GERMAN)

    async with reading(agency, EmbeddingServer(CONCEPTS)) as reader:
        [first, *_] = await reader.find_sops(GERMAN, limit=4, by_meaning=True)

    assert first.sop.title == CIRCUS
    assert not first.is_ground


async def test_what_words_offer_as_the_answer_is_offered_beside_meaning_too(
    agency: Database,
) -> None:
    asked = "How many redemptions per shopper do we allow on a coupon, and how deep may it be?"
    [by_words] = await KnowledgeReader(agency).find_sops(asked, limit=1)

    async with reading(agency, EmbeddingServer(CONCEPTS)) as reader:
        [by_both] = await reader.find_sops(asked, limit=1, by_meaning=True)

    assert (by_both.sop.title, by_both.score) == (by_words.sop.title, by_words.score)


@pytest.mark.parametrize(
    ("server", "patience_s"),
    [
        (EmbeddingServer(CONCEPTS, status=401), 30),
        (EmbeddingServer(CONCEPTS, status=404), 30),
        (EmbeddingServer(CONCEPTS, is_stalled=True), 0.2),
        (EmbeddingServer(CONCEPTS, status=422), 30),
        (EmbeddingServer(CONCEPTS, odd='{"error": {"message": "no such model"}}'), 30),
        (EmbeddingServer(CONCEPTS, odd="<html>Sign in</html>"), 30),
    ],
)
async def test_a_search_goes_on_by_words_when_the_model_fails_and_is_not_asked_again_at_once(
    agency: Database, server: EmbeddingServer, patience_s: float
) -> None:
    asked = "What do we do with goods that have no active offer any more?"
    by_words = await titles(KnowledgeReader(agency), asked)

    async with reading(agency, server, patience_s) as reader:
        assert await titles(reader, asked) == by_words
        assert await titles(reader, asked) == by_words

    assert len(server.asked) == 1


async def test_a_procedure_that_the_model_refuses_keeps_no_other_from_being_found(
    agency: Database,
) -> None:
    await add(agency, CIRCUS, "Order by telephone.")
    await add(agency, "A page that a filter stops", "Unspeakable.")
    server = EmbeddingServer(CONCEPTS, refuses="Unspeakable")

    async with reading(agency, server) as reader:
        await titles(reader, GERMAN)
        refused = [one for one in server.asked if "Unspeakable" in str(one)]
        assert (await titles(reader, GERMAN))[0] == CIRCUS
        asked = len(server.asked)
        assert (await titles(reader, GERMAN))[0] == CIRCUS

    assert len(refused) == 1
    assert len(server.asked) == asked + 1


async def test_a_model_that_refuses_every_text_gets_one_with_each_question(
    agency: Database,
) -> None:
    server = EmbeddingServer(CONCEPTS, refuses="#")

    async with reading(agency, server) as reader:
        await titles(reader, "circus?")
        await titles(reader, "circus?")

    assert len(server.asked) == 4


@pytest.mark.parametrize(
    "odd",
    [
        '{"data": null, "model": "small"}',
        '{"data": [{"index": 0, "embedding": null}], "model": "small"}',
        '{"data": [{"index": 0, "embedding": []}], "model": "small"}',
        "[]",
        "<html>Sign in</html>",
    ],
)
async def test_an_answer_without_a_vector_makes_the_model_unavailable(odd: str) -> None:
    async with EmbeddingServer(CONCEPTS, odd=odd).running() as url:
        provider = OpenAIProvider(base_url=url, api_key="sk-test")
        embedder = Embedder(OpenAIEmbeddingModel("small", provider=provider))
        with pytest.raises(Unavailable, match="openai:small"):
            await EmbeddingModel(embedder, "openai:small").of_query(GERMAN)


async def test_only_what_is_new_or_was_changed_is_embedded(agency: Database) -> None:
    server = EmbeddingServer(CONCEPTS)
    async with reading(agency, server) as reader:
        await titles(reader, GERMAN)
        count = await agency.pool.fetchval("select count(*) from playbook_sops")
        assert len(server.asked) == count + 1

        server.asked.clear()
        await agency.pool.execute(
            "update playbook_sops set content_md = 'Order the nachschub.', version = '2'"
            " where name = 'N-PAT Optimization SOP'"
        )
        assert (await titles(reader, "Nachschub?"))[0] == "N-PAT Optimization SOP"

    [query, documents] = server.asked
    assert [one.startswith("N-PAT Optimization SOP") for one in documents] == [True]
    assert query == ["Nachschub?"]


async def test_a_procedure_that_is_called_by_its_name_costs_no_request(agency: Database) -> None:
    server = EmbeddingServer(CONCEPTS)
    async with reading(agency, server) as reader:
        assert (await titles(reader, "N-PAT Optimization SOP"))[0] == "N-PAT Optimization SOP"
        assert await reader.find_sops(GERMAN, limit=4) is not None

    assert server.asked == []


async def test_a_procedure_that_is_not_in_use_is_not_found_by_meaning(agency: Database) -> None:
    await add(agency, CIRCUS, "Order by telephone.")
    async with reading(agency, EmbeddingServer(CONCEPTS)) as reader:
        assert CIRCUS in await titles(reader, GERMAN)
        await agency.pool.execute(
            "update playbook_sops set content_md = '' where name = $1", CIRCUS
        )
        assert CIRCUS not in await titles(reader, GERMAN)


async def test_vectors_of_another_model_are_not_compared(agency: Database) -> None:
    for name, dimensions in (("one", 8), ("two", 4)):
        model = TestEmbeddingModel(dimensions=dimensions)
        meanings = Meanings(agency, EmbeddingModel(Embedder(model), name))
        assert len(await meanings.closest("anything", limit=5)) == 5

    kept = await agency.pool.fetch(
        "select model, max(cardinality(vector)) as size from procedure_vectors group by model"
    )
    assert {row["model"]: row["size"] for row in kept} == {"one": 8, "two": 4}


async def test_a_long_procedure_is_found_by_any_of_its_parts(agency: Database) -> None:
    fill = "Nothing else is to be done here and everybody goes on with what they were at.\n" * 90
    await add(agency, "Long", f"{fill}Go to the circus.\n{fill}")
    async with reading(agency, EmbeddingServer(CONCEPTS)) as reader:
        assert (await titles(reader, GERMAN))[0] == "Long"

    parts = "select count(*) from procedure_vectors join playbook_sops s on s.id = sop_id"
    assert await agency.pool.fetchval(f"{parts} where name = 'Long'") > 5
