"""What happens to a task: create, change, delete, comments, tags, fields."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from clickup_stand import BRIGHTKETTLE, GLINTLY, WEDNESDAY, Stand, StillClock, ms, open_stand


@pytest.fixture
async def stand() -> AsyncGenerator[Stand]:
    async with open_stand() as stand:
        yield stand


def people(task: dict[str, Any]) -> list[int]:
    return [person["id"] for person in task["assignees"]]


async def test_the_same_body_twice_makes_two_tasks(stand: Stand) -> None:
    first, second = await stand.create(name="Twice"), await stand.create(name="Twice")
    assert first["id"] != second["id"]
    assert await stand.kept("Twice") == 2


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (datetime(2026, 12, 31, 12, tzinfo=UTC), datetime(2026, 12, 31, 4, tzinfo=UTC)),
        (datetime(2026, 12, 31, 0, tzinfo=UTC), datetime(2026, 12, 31, 4, tzinfo=UTC)),
        # Lisbon is an hour ahead in summer: late evening in UTC is the next day there.
        (datetime(2027, 7, 1, 23, 30, tzinfo=UTC), datetime(2027, 7, 2, 3, tzinfo=UTC)),
        (datetime(2027, 7, 1, 22, 30, tzinfo=UTC), datetime(2027, 7, 1, 3, tzinfo=UTC)),
    ],
)
async def test_a_date_without_time_is_four_in_the_morning_of_that_local_day(
    stand: Stand, sent: datetime, kept: datetime
) -> None:
    created = await stand.create(due_date=ms(sent), due_date_time=False)
    assert created["due_date"] == str(ms(kept))
    moved = await stand.update((await stand.create())["id"], due_date=ms(sent), start_date=ms(sent))
    assert (moved["due_date"], moved["start_date"]) == (str(ms(kept)), str(ms(kept)))


async def test_a_date_with_time_is_kept_to_the_millisecond(stand: Stand) -> None:
    exact = ms(WEDNESDAY) + 123
    task = await stand.create(due_date=exact, due_date_time=True)
    assert task["due_date"] == str(exact)


async def test_null_clears_what_was_set(stand: Stand) -> None:
    task = await stand.create(due_date=ms(WEDNESDAY), priority=1, description="words")
    cleared = await stand.update(task["id"], due_date=None, priority=None, description=" ")
    assert (cleared["due_date"], cleared["priority"], cleared["description"]) == (None, None, "")


async def test_only_what_is_sent_changes(stand: Stand) -> None:
    task = await stand.create(due_date=ms(WEDNESDAY), priority=1, assignees=[100001])
    stand.clock.at += 5
    changed = await stand.update(task["id"], name="Renamed")
    assert changed.pop("name") == "Renamed"
    assert changed.pop("date_updated") == str(ms(WEDNESDAY) + 5000)
    del task["name"], task["date_updated"]
    assert changed == task


async def test_a_flat_list_of_assignees_on_update_is_accepted_and_ignored(stand: Stand) -> None:
    task = await stand.create(assignees=[100001])
    assert people(await stand.update(task["id"], assignees=[100005])) == [100001]


async def test_assignees_join_and_leave(stand: Stand) -> None:
    task = await stand.create(assignees=[100001])
    changed = await stand.update(task["id"], assignees={"add": [100005, 100008], "rem": [100001]})
    assert people(changed) == [100005, 100008]


async def test_an_assignee_who_is_nobody_is_dropped_in_silence(stand: Stand) -> None:
    assert people(await stand.create(assignees=[100006, 100004, 100004])) == [100004]


async def test_closing_and_reopening_moves_the_closing_date(stand: Stand) -> None:
    task = await stand.create()
    closed = await stand.update(task["id"], status="Complete")
    assert (closed["status"]["type"], closed["date_closed"]) == ("closed", str(ms(WEDNESDAY)))
    opened = await stand.update(task["id"], status="review")
    assert (opened["status"]["status"], opened["date_closed"]) == ("review", None)


async def test_markdown_is_parsed_and_a_description_is_literal(stand: Stand) -> None:
    text = "## Goal\n- [ ] see [the SOP](https://lanternfish.example/sop)"
    marked = await stand.create(markdown_content=text, description="loses")
    literal = await stand.create(description=text)
    assert marked["description"] == "Goal\nsee the SOP"
    assert literal["description"] == text
    read = await stand.get(f"/task/{marked['id']}", include_markdown_description="true")
    assert read["markdown_description"] == text


async def test_a_plain_line_survives_in_the_plain_description(stand: Stand) -> None:
    marker = "agencyclaw run=01_ab_cd-ef*gh key=0123456789abcdef"
    task = await stand.create(markdown_content=f"Body\n\n{marker}")
    assert task["description"].splitlines()[-1] == marker


@pytest.mark.parametrize(
    ("body", "status", "ecode"),
    [
        ({}, 400, "INPUT_005"),
        ({"name": "  "}, 400, "INPUT_005"),
        ({"name": 5}, 400, "INPUT_005"),
        ({"name": "x", "status": "nowhere"}, 400, "ITEM_114"),
        ({"name": "x", "parent": "86b000000"}, 400, "ITEM_137"),
        ({"name": "x", "assignees": ["100001"]}, 400, "INPUT_003"),
        ({"name": "x", "assignees": {"add": [1]}}, 400, "INPUT_003"),
        ({"name": "x", "due_date": "2026-12-01"}, 400, "INPUT_003"),
        ({"name": "x", "due_date": 10**17}, 400, "INPUT_003"),
        ({"name": "x", "due_date": True}, 400, "INPUT_003"),
        ({"name": "x", "priority": 9}, 400, "INPUT_003"),
        ({"name": "x", "priority": "high"}, 400, "INPUT_003"),
        ({"name": "x", "custom_fields": [{"id": "?", "value": 1}]}, 404, "FIELD_013"),
        (["name"], 400, "INPUT_003"),
    ],
)
async def test_a_bad_create_is_refused_and_leaves_nothing(
    stand: Stand, body: Any, status: int, ecode: str
) -> None:
    before = (await stand.get(f"/list/{BRIGHTKETTLE}"))["task_count"]
    answer = await stand.http.post(f"/list/{BRIGHTKETTLE}/task", json=body)
    assert (answer.status_code, answer.json()["ECODE"]) == (status, ecode)
    assert set(answer.json()) == {"err", "ECODE"}
    assert (await stand.get(f"/list/{BRIGHTKETTLE}"))["task_count"] == before


@pytest.mark.parametrize("body", ["{", "", "name=x", "[" * 5000, "null", '{"name": "\\ud800"}'])
async def test_bytes_that_are_no_task_never_break_it(stand: Stand, body: str) -> None:
    answer = await stand.http.post(f"/list/{BRIGHTKETTLE}/task", content=body)
    assert answer.status_code in (200, 400)
    await stand.get(f"/list/{BRIGHTKETTLE}/task")


async def test_a_subtask_lives_in_the_list_of_its_parent(stand: Stand) -> None:
    parent = await stand.create()
    child = await stand.create(name="Child", parent=parent["id"])
    assert child["parent"] == parent["id"]
    answer = await stand.http.post(
        f"/list/{GLINTLY}/task", json={"name": "Stray", "parent": parent["id"]}
    )
    assert (answer.status_code, answer.json()) == (
        400,
        {"err": "Parent not child of list", "ECODE": "ITEM_137"},
    )
    whole = await stand.get(f"/task/{parent['id']}", include_subtasks="true")
    assert [subtask["name"] for subtask in whole["subtasks"]] == ["Child"]


async def test_a_deleted_task_is_gone_with_its_subtasks(stand: Stand) -> None:
    parent = await stand.create()
    child = await stand.create(parent=parent["id"])
    answer = await stand.http.delete(f"/task/{parent['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    for task in (parent, child):
        answer = await stand.http.get(f"/task/{task['id']}")
        assert (answer.status_code, answer.json()["ECODE"]) == (404, "ITEM_013")


async def test_tasks_that_name_each_other_as_parent_can_still_be_deleted(stand: Stand) -> None:
    first, second = await stand.create(), await stand.create()
    await stand.update(first["id"], parent=second["id"])
    await stand.update(second["id"], parent=first["id"])
    assert (await stand.http.delete(f"/task/{first['id']}")).status_code == 204


async def test_comments_come_newest_first_and_25_at_a_time(stand: Stand) -> None:
    path = f"/task/{(await stand.create())['id']}/comment"
    for number in range(30):
        stand.clock.at += 1
        sent = {"comment_text": f"comment {number}", "notify_all": False}
        answer = (await stand.http.post(path, json=sent)).json()
        assert type(answer["id"]) is int
        assert answer["date"] == ms(WEDNESDAY) + (number + 1) * 1000
    newest = (await stand.get(path))["comments"]
    last = newest[-1]
    older = (await stand.get(path, start=last["date"], start_id=last["id"]))["comments"]
    texts = [comment["comment_text"] for comment in newest + older]
    assert texts == [f"comment {number}" for number in reversed(range(30))]
    assert (len(newest), newest[0]["user"]["id"]) == (25, 100099)


async def test_an_empty_comment_is_refused(stand: Stand) -> None:
    path = f"/task/{(await stand.create())['id']}/comment"
    answer = await stand.http.post(path, json={"comment_text": ""})
    assert (answer.status_code, answer.json()["ECODE"]) == (400, "INPUT_003")


async def test_tags_are_put_on_once_and_taken_off(stand: Stand) -> None:
    task = await stand.create()
    path = f"/task/{task['id']}/tag/Prime%20Day%2F26"
    for _ in range(2):
        assert (await stand.http.post(path)).json() == {}
    tagged = await stand.get(f"/task/{task['id']}")
    assert [tag["name"] for tag in tagged["tags"]] == ["prime day/26"]
    assert "prime day/26" in [tag["name"] for tag in (await _tags(stand))]
    assert (await stand.http.delete(path)).json() == {}
    assert (await stand.get(f"/task/{task['id']}"))["tags"] == []


async def _tags(stand: Stand) -> list[dict[str, Any]]:
    return (await stand.get("/space/90100500001/tag"))["tags"]


async def test_tags_in_the_body_are_kept_when_the_space_knows_them(stand: Stand) -> None:
    task = await stand.create(tags=["promo", "never-heard-of"])
    assert [tag["name"] for tag in task["tags"]] == ["promo"]


async def test_a_drop_down_takes_an_option_and_nothing_else(stand: Stand) -> None:
    marketplace, asin, *_ = (await stand.get(f"/list/{BRIGHTKETTLE}/field"))["fields"]
    canada = marketplace["type_config"]["options"][1]["id"]
    task = await stand.create(custom_fields=[{"id": asin["id"], "value": "B0CF7GARL1"}])
    path = f"/task/{task['id']}/field/{marketplace['id']}"
    refused = await stand.http.post(path, json={"value": "Canada"})
    assert (refused.status_code, refused.json()["ECODE"]) == (400, "FIELD_011")
    assert (await stand.http.post(path, json={"value": canada})).json() == {}
    fields = (await stand.get(f"/task/{task['id']}"))["custom_fields"]
    assert [field["value"] for field in fields if "value" in field] == [1, "B0CF7GARL1"]


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("Channels", '{"value": [{}]}'),
        ("Channels", '{"value": [["Organic"]]}'),
        ("Reviewer", '{"value": {"add": [{}]}}'),
        ("Reviewer", '{"value": {"add": ["100001"]}}'),
        ("Reviewer", '{"value": [100001]}'),
        ("Approved by client", '{"value": 1}'),
        ("Approved by client", '{"value": "yes"}'),
        ("Budget", '{"value": NaN}'),
        ("Budget", '{"value": 1e999}'),
        ("Budget", '{"value": "12"}'),
    ],
)
async def test_a_custom_field_refuses_what_its_type_does_not_take(
    stand: Stand, field: str, body: str
) -> None:
    fields = (await stand.get(f"/list/{BRIGHTKETTLE}/field"))["fields"]
    [field_id] = [one["id"] for one in fields if one["name"] == field]
    task = await stand.create()
    refused = await stand.http.post(f"/task/{task['id']}/field/{field_id}", content=body)
    assert refused.status_code == 400, refused.text
    kept = (await stand.get(f"/task/{task['id']}"))["custom_fields"]
    assert not any("value" in one for one in kept)


@pytest.mark.parametrize("points", ["NaN", "-Infinity", "1e999"])
async def test_points_are_a_number(stand: Stand, points: str) -> None:
    body = f'{{"name": "x", "points": {points}}}'
    refused = await stand.http.post(f"/list/{BRIGHTKETTLE}/task", content=body)
    assert (refused.status_code, refused.json()["ECODE"]) == (400, "INPUT_003")


async def test_everything_outlives_a_restart(tmp_path: Path) -> None:
    path, clock = str(tmp_path / "workbench.db"), StillClock()
    async with open_stand(path, clock) as stand:
        task = await stand.create(name="Stays", assignees=[100001], due_date=ms(WEDNESDAY))
        await stand.http.post(f"/task/{task['id']}/comment", json={"comment_text": "noted"})
        kept = await stand.get(f"/task/{task['id']}")
    async with open_stand(path, clock) as stand:
        again = await stand.get(f"/task/{task['id']}")
        comments = (await stand.get(f"/task/{task['id']}/comment"))["comments"]
        newer = await stand.create(name="Later")
        assert await stand.kept("Stays") == 1
    assert {**again, "url": ""} == {**kept, "url": ""}
    assert [comment["comment_text"] for comment in comments] == ["noted"]
    assert newer["id"] != task["id"]
