"""What stands before every ClickUp request: token, rate window, faults, log, events."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
import pytest
from clickup_stand import BRIGHTKETTLE, TEAM, WEDNESDAY, Stand, ms, open_stand

from workbench.clickup.seed import seed_clickup


@pytest.fixture
async def stand() -> AsyncGenerator[Stand]:
    async with open_stand() as stand:
        yield stand


async def post(stand: Stand, name: str) -> httpx.Response:
    return await stand.http.post(f"/list/{BRIGHTKETTLE}/task", json={"name": name})


@pytest.mark.parametrize(
    ("header", "status", "ecode"),
    [
        ("pk_workbench", 200, None),
        ("Bearer pk_workbench", 200, None),
        ("pk_other", 401, "OAUTH_025"),
        ("Bearer pk_other", 401, "OAUTH_025"),
        ("", 401, "OAUTH_017"),
    ],
)
async def test_the_token_is_taken_raw_or_as_bearer(
    stand: Stand, header: str, status: int, ecode: str | None
) -> None:
    answer = await stand.http.get("/user", headers={"Authorization": header})
    assert (answer.status_code, answer.json().get("ECODE")) == (status, ecode)


@pytest.mark.parametrize(
    ("path", "status", "ecode"),
    [
        ("/list/8cj47gd-123/task", 400, "INPUT_003"),
        ("/list/999/task", 401, "OAUTH_027"),
        ("/list/999", 401, "OAUTH_027"),
        ("/team/1/task", 401, "OAUTH_027"),
        ("/team/1/space", 401, "OAUTH_027"),
        ("/space/1/list", 401, "OAUTH_027"),
        ("/folder/1/list", 401, "OAUTH_027"),
        ("/task/86b000000", 404, "ITEM_013"),
        ("/task/no%20task", 400, "INPUT_004"),
        ("/task/DEV-12?custom_task_ids=true&team_id=90100400001", 404, "ITEM_013"),
    ],
)
async def test_what_the_token_cannot_see_has_its_own_code(
    stand: Stand, path: str, status: int, ecode: str
) -> None:
    answer = await stand.http.get(path)
    assert (answer.status_code, answer.json()["ECODE"]) == (status, ecode)


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/nope"), ("PATCH", "/user"), ("GET", "/<b>")]
)
async def test_an_unknown_route_is_a_page_and_not_json(
    stand: Stand, method: str, path: str
) -> None:
    answer = await stand.http.request(method, path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert f"Cannot {method} /clickup/api/v2/" in answer.text
    assert "<b>" not in answer.text


async def test_the_rate_window_closes_after_its_limit_and_opens_a_minute_later(
    stand: Stand,
) -> None:
    stand.limit_rate(100)
    answers = [await stand.http.get("/user") for _ in range(100)]
    assert {answer.status_code for answer in answers} == {200}
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers[::33]] == [
        "99",
        "66",
        "33",
        "0",
    ]
    stand.clock.at += 59
    refused = await stand.http.get("/user")
    assert refused.status_code == 429
    assert refused.json() == {"err": "Rate limit reached", "ECODE": "APP_002"}
    assert "Retry-After" not in refused.headers
    assert refused.headers["X-RateLimit-Reset"] == str(int(WEDNESDAY.timestamp()) + 60)
    stand.clock.at += 1
    assert (await stand.http.get("/user")).headers["X-RateLimit-Remaining"] == "99"


async def test_a_wiped_workbench_counts_from_the_start(stand: Stand) -> None:
    stand.limit_rate(1)
    await stand.http.get("/user")
    assert (await stand.http.get("/user")).status_code == 429
    stand.storage.wipe()
    seed_clickup(stand.storage, stand.clock)
    assert (await stand.http.get("/user")).status_code == 200


async def test_the_limit_can_be_set_from_outside(stand: Stand) -> None:
    control = f"{stand.origin}/_control/clickup/rate"
    assert (await stand.http.post(control, json={"limit": 1})).json() == {"limit": 1}
    assert (await stand.http.get("/user")).headers["X-RateLimit-Limit"] == "1"
    assert (await stand.http.get("/user")).status_code == 429
    for nonsense in ('{"limit": "many"}', '{"limit": -1}', "limit=5", ""):
        assert (await stand.http.post(control, content=nonsense)).status_code == 400
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert (await stand.http.post(control, json={"limit": 5}, headers=elsewhere)).status_code == 403


async def test_an_empty_workspace_belongs_to_nobody() -> None:
    async with open_stand() as stand:
        stand.storage.wipe()
        assert (await stand.http.get("/team")).json()["ECODE"] == "OAUTH_027"
        assert (await stand.http.get(f"{stand.origin}/_control/clickup/tasks")).json() == {
            "tasks": []
        }


async def test_every_answer_says_how_the_token_stands(stand: Stand) -> None:
    stand.plan("html", "get_user")
    for path in ("/user", "/user", "/nope", "/task/86b000000"):
        answer = await stand.http.get(path)
        assert {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} <= {
            name.title().replace("Ratelimit", "RateLimit") for name in answer.headers
        }


@pytest.mark.parametrize(
    ("kind", "status", "kept"),
    [
        ("rate_limited", 429, 0),
        ("error_before", 500, 0),
        ("error_after", 500, 1),
        ("html", 502, 0),
        ("unauthorized", 401, 0),
    ],
)
async def test_a_fault_strikes_once_and_commits_only_when_it_says_so(
    stand: Stand, kind: str, status: int, kept: int
) -> None:
    stand.plan(kind, "create_task")
    assert (await post(stand, "Struck")).status_code == status
    assert await stand.kept("Struck") == kept
    assert (await post(stand, "Struck")).status_code == 200


@pytest.mark.parametrize(("kind", "kept"), [("reset_before", 0), ("reset_after", 1)])
async def test_a_reset_gives_no_answer(stand: Stand, kind: str, kept: int) -> None:
    stand.plan(kind, "POST /list/*/task")
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        await post(stand, "Cut off")
    assert await stand.kept("Cut off") == kept
    assert (await stand.get("/user"))["user"]["id"] == 100099


async def test_a_hanging_answer_comes_after_the_commit_and_does_not_hold_up_the_others() -> None:
    async with open_stand() as stand:
        stand.plan("hang_after", "create_task", delay_s=600)
        waiting = asyncio.create_task(post(stand, "Hangs"))
        with stand.events.watch() as changes:
            while (await changes.get())["action"] != "task_created":
                pass
        assert await stand.kept("Hangs") == 1
        assert not waiting.done()
        waiting.cancel()
        await asyncio.wait({waiting})


async def test_a_hang_shorter_than_patience_is_only_slow(stand: Stand) -> None:
    stand.plan("hang_after", "create_task", delay_s=0.05)
    assert (await post(stand, "Slow")).status_code == 200


async def test_a_planned_rate_limit_tells_when_to_come_back(stand: Stand) -> None:
    stand.plan("rate_limited", delay_s=7)
    answer = await stand.http.get("/user")
    assert (answer.status_code, answer.json()["ECODE"]) == (429, "APP_002")
    assert answer.headers["X-RateLimit-Remaining"] == "0"
    assert answer.headers["X-RateLimit-Reset"] == str(int(WEDNESDAY.timestamp()) + 7)


async def test_a_lagging_task_is_found_by_id_before_lists_show_it(stand: Stand) -> None:
    stand.plan("list_lag", delay_s=30)
    stand.plan("reset_after", "create_task")
    await stand.http.get("/user")
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        await post(stand, "Late in lists")
    path = f"/list/{BRIGHTKETTLE}/task"
    assert "Late in lists" not in await stand.names(path)
    assert "Late in lists" not in await stand.names(f"/team/{TEAM}/task")
    shown = (await stand.http.get(f"{stand.origin}/_control/clickup/tasks")).json()["tasks"]
    assert (await stand.get(f"/task/{shown[-1]['id']}"))["name"] == "Late in lists"
    stand.clock.at += 30
    assert "Late in lists" in await stand.names(path)


async def test_a_fault_for_one_operation_leaves_the_others_alone(stand: Stand) -> None:
    stand.plan("error_before", "list_tasks", times=2)
    task = await stand.create()
    await stand.get(f"/task/{task['id']}")
    path = f"/list/{BRIGHTKETTLE}/task"
    statuses = [(await stand.http.get(path)).status_code for _ in range(3)]
    assert statuses == [500, 500, 200]


async def test_every_request_is_in_the_log(stand: Stand) -> None:
    stand.plan("error_after", "create_task")
    await post(stand, "Logged")
    await stand.http.get(f"/list/{BRIGHTKETTLE}/task", params={"statuses[]": ["a", "b"], "page": 2})
    await stand.http.put("/task/86b000000", content="no json")
    common = {"target": "clickup", "kind": "request", "at": WEDNESDAY.timestamp()}
    path = f"/list/{BRIGHTKETTLE}/task"
    entries = [dict(entry) for entry in stand.storage.log()]
    for entry in entries:
        entry.pop("seq")
    assert entries == [
        {
            **common,
            "operation": "create_task",
            "method": "POST",
            "path": path,
            "query": {},
            "body": {"name": "Logged"},
            "status": 500,
            "fault": "error_after",
        },
        {
            **common,
            "operation": "list_tasks",
            "method": "GET",
            "path": path,
            "query": {"statuses[]": ["a", "b"], "page": "2"},
            "body": None,
            "status": 200,
            "fault": None,
        },
        {
            **common,
            "operation": "update_task",
            "method": "PUT",
            "path": "/task/86b000000",
            "query": {},
            "body": "no json",
            "status": 400,
            "fault": None,
        },
    ]


async def test_every_change_is_told_to_those_who_watch(stand: Stand) -> None:
    with stand.events.watch() as changes:
        task = await stand.create()
        await stand.update(task["id"], priority=1)
        await stand.http.post(f"/task/{task['id']}/comment", json={"comment_text": "hello"})
        await stand.http.post(f"/task/{task['id']}/tag/promo")
        await stand.http.get(f"/task/{task['id']}")
        await stand.http.delete(f"/task/{task['id']}")
        told = [changes.get_nowait() for _ in range(changes.qsize())]
    assert {(change["kind"], change["task_id"], change["list_id"]) for change in told} == {
        ("clickup", task["id"], BRIGHTKETTLE)
    }
    assert [change["action"] for change in told] == [
        "task_created",
        "task_updated",
        "comment_created",
        "task_updated",
        "task_deleted",
    ]


async def test_the_control_api_shows_all_tasks_and_lists_without_a_token(stand: Stand) -> None:
    created = await stand.create(status="complete", due_date=ms(WEDNESDAY))
    async with httpx.AsyncClient(base_url=stand.origin) as anyone:
        tasks = (await anyone.get("/_control/clickup/tasks")).json()["tasks"]
        spaces = (await anyone.get("/_control/clickup/lists")).json()["spaces"]
    assert (len(tasks), tasks[-1]["id"]) == (284, created["id"])
    assert {**tasks[-1], "markdown_description": ""} == {**created, "markdown_description": ""}
    assert [space["name"] for space in spaces][:2] == ["Brightkettle Group", "Glintly"]
    assert set(spaces[0]["lists"][0]) == {"id", "name", "statuses"}
    assert [place["name"] for place in spaces[5]["lists"]] == [
        "Pawtrail",
        "Pawtrail Pro",
        "Pawtrail Lite",
    ]
