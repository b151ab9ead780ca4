"""Docs of ClickUp over its API v3: by place, page by page of the list, and with their pages."""

from collections.abc import AsyncGenerator

import pytest
from clickup_stand import TEAM, Stand, open_stand

PLACE = "90100500008"
HEALTH = "18m2dn-4457"


@pytest.fixture
async def stand() -> AsyncGenerator[Stand]:
    async with open_stand() as stand:
        yield stand


async def test_docs_of_a_place_come_with_a_cursor_until_the_last(stand: Stand) -> None:
    found = await stand.get_v3(f"/workspaces/{TEAM}/docs", parent_id=PLACE)
    assert len(found["docs"]) == 8
    assert "next_cursor" not in found
    assert {doc["parent"]["id"] for doc in found["docs"]} == {PLACE}
    assert (await stand.get_v3(f"/workspaces/{TEAM}/docs", parent_id="1"))["docs"] == []
    for number in range(3):
        doc = {**stand.storage.all("clickup_doc")[0], "id": f"18m2dn-000{number}"}
        stand.storage.put("clickup_doc", doc["id"], doc)
    first = await stand.get_v3(f"/workspaces/{TEAM}/docs", parent_id=PLACE, limit=10)
    cursor = first["next_cursor"]
    rest = await stand.get_v3(f"/workspaces/{TEAM}/docs", limit=10, next_cursor=cursor)
    assert (len(first["docs"]), len(rest["docs"]), "next_cursor" in rest) == (10, 1, False)


async def test_pages_are_a_tree_with_their_texts(stand: Stand) -> None:
    where = f"/workspaces/{TEAM}/docs/{HEALTH}/pages"
    child = {"id": "c", "doc_id": HEALTH, "name": "Child", "content": "x"}
    dates = {"date_created": 1, "date_updated": 1}
    stand.storage.put("clickup_doc_page", "c", {**child, "parent": f"{HEALTH}-appeal", **dates})
    pages = await stand.get_v3(where, max_page_depth=-1)
    names = [page["name"] for page in pages]
    assert names[-1] == "Listing Appeal SOP"
    assert [page["name"] for page in pages[-1]["pages"]] == ["Child"]
    assert "plan of action" in pages[-1]["content"]
    flat = await stand.get_v3(where, max_page_depth=0)
    assert flat[-1]["pages"] == []


async def test_a_doc_that_is_not_there_is_a_404(stand: Stand) -> None:
    answer = await stand.http.get(
        f"{stand.origin}/clickup/api/v3/workspaces/{TEAM}/docs/18m2dn-1/pages",
        headers={"Authorization": "pk_workbench"},
    )
    assert (answer.status_code, answer.json()["ECODE"]) == (404, "DOC_001")
