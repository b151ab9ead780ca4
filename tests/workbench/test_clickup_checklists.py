"""Checklists and custom fields are changed by ClickUp's own requests, and its page shows them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from clickup_stand import BRIGHTKETTLE, Stand, open_stand

ITEM_KEYS = {
    "id",
    "name",
    "orderindex",
    "assignee",
    "resolved",
    "parent",
    "date_created",
    "children",
}
LIST_KEYS = {
    "id",
    "task_id",
    "name",
    "date_created",
    "orderindex",
    "resolved",
    "unresolved",
    "items",
}


@pytest.fixture
async def stand() -> AsyncGenerator[Stand]:
    async with open_stand() as stand:
        yield stand


async def sent(stand: Stand, method: str, path: str, **body: Any) -> dict[str, Any]:
    answer = await stand.http.request(method, path, json=body or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def page(stand: Stand, task_id: str) -> str:
    return (await stand.http.get(f"{stand.origin}/t/{task_id}")).text


async def test_a_checklist_is_made_filled_ticked_and_deleted(stand: Stand) -> None:
    task = (await stand.create())["id"]
    made = (await sent(stand, "POST", f"/task/{task}/checklist", name="Launch"))["checklist"]
    path = f"/checklist/{made['id']}/checklist_item"
    await sent(stand, "POST", path, name="Photos")
    filled = (await sent(stand, "POST", path, name="Invoice"))["checklist"]
    assert set(filled) >= LIST_KEYS
    assert [one["name"] for one in filled["items"]] == ["Photos", "Invoice"]
    assert set(filled["items"][0]) >= ITEM_KEYS

    first, second = (one["id"] for one in filled["items"])
    ticked = (await sent(stand, "PUT", f"{path}/{first}", resolved=True))["checklist"]
    assert (ticked["resolved"], ticked["unresolved"]) == (1, 1)
    assert (await stand.get(f"/task/{task}"))["checklists"] == [ticked]
    assert '<input type="checkbox" disabled checked> Photos' in await page(stand, task)

    assert await sent(stand, "DELETE", f"{path}/{second}") == {}
    assert [one["name"] for one in (await lists(stand, task))[0]["items"]] == ["Photos"]
    assert await sent(stand, "DELETE", f"/checklist/{made['id']}") == {}
    assert await lists(stand, task) == []


async def lists(stand: Stand, task_id: str) -> list[dict[str, Any]]:
    return (await stand.get(f"/task/{task_id}"))["checklists"]


async def test_the_same_item_twice_makes_two_and_an_unknown_one_is_refused(stand: Stand) -> None:
    task = (await stand.create())["id"]
    made = (await sent(stand, "POST", f"/task/{task}/checklist", name="Launch"))["checklist"]
    path = f"/checklist/{made['id']}/checklist_item"
    for _ in range(2):
        await sent(stand, "POST", path, name="Photos")
    assert len((await lists(stand, task))[0]["items"]) == 2

    for wrong in (f"{path}/none", "/checklist/none/checklist_item/none"):
        answer = await stand.http.put(wrong, json={"resolved": True})
        assert answer.status_code == 404
    assert (await stand.http.post(path, json={"name": " "})).status_code == 400


async def field_id(stand: Stand, name: str) -> str:
    fields = (await stand.get(f"/list/{BRIGHTKETTLE}/field"))["fields"]
    return next(one["id"] for one in fields if one["name"] == name)


async def put(stand: Stand, task: str, name: str, value: Any) -> httpx.Response:
    path = f"/task/{task}/field/{await field_id(stand, name)}"
    return await stand.http.post(path, json={"value": value})


async def value(stand: Stand, task: str, name: str) -> Any:
    fields = (await stand.get(f"/task/{task}"))["custom_fields"]
    return next(one for one in fields if one["name"] == name).get("value")


@pytest.mark.parametrize(
    ("name", "given", "stored", "shown"),
    [
        ("Budget", 1250.5, "1250.5", "1250.5 USD"),
        ("Approved by client", True, "true", "<dd>Yes</dd>"),
        ("Marketplace", 1, 1, "<dd>CA</dd>"),
        ("Go-live", 1_797_249_600_000, "1797220800000", "Monday, 14 December 2026"),
    ],
)
async def test_a_field_takes_a_value_of_its_type_and_shows_it(
    stand: Stand, name: str, given: Any, stored: Any, shown: str
) -> None:
    task = (await stand.create())["id"]
    assert (await put(stand, task, name, given)).json() == {}
    assert await value(stand, task, name) == stored
    assert shown in await page(stand, task)

    assert await sent(stand, "DELETE", f"/task/{task}/field/{await field_id(stand, name)}") == {}
    assert await value(stand, task, name) is None


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("Budget", "1250"),
        ("Approved by client", "maybe"),
        ("Go-live", "2026-12-14"),
        ("Channels", "Organic"),
        ("Channels", ["Organic"]),
        ("Reviewer", [100005]),
        ("Progress", 50),
    ],
)
async def test_a_field_refuses_what_is_not_of_its_type(stand: Stand, name: str, wrong: Any) -> None:
    task = (await stand.create())["id"]
    assert (await put(stand, task, name, wrong)).status_code == 400
    assert await value(stand, task, name) is None


async def test_people_are_added_to_a_field_and_taken_from_it(stand: Stand) -> None:
    task = (await stand.create())["id"]
    await put(stand, task, "Reviewer", {"add": [100003, 100005, 999], "rem": []})
    await put(stand, task, "Reviewer", {"add": [], "rem": [100003]})

    assert [one["id"] for one in await value(stand, task, "Reviewer")] == [100005]
    assert "Miguel Duarte" in await page(stand, task)
