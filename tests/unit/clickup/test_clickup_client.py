"""Which requests are sent again, and what a failure is called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import logfire
import pytest
from clickup_fake import FakeClickUp, FakeTime, refused
from logfire.testing import SimpleSpanProcessor, TestExporter

from agencyclaw.clickup.answers import EmptyAnswer, TaskAnswer, Whoami
from agencyclaw.clickup.calls import ApiCall
from agencyclaw.clickup.client import ClickUpClient, authorization
from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    NotFound,
    Refused,
    Throttled,
    Unavailable,
    Unclear,
)

Connect = Callable[..., ClickUpClient]
READ = ApiCall("GET", "/user")
CREATE = ApiCall("POST", "/list/{list_id}/task", ids={"list_id": "901"}, body={"name": "A task"})
UPDATE = ApiCall("PUT", "/task/{task_id}", ids={"task_id": "86b0001"}, body={"name": "A task"})

HTML = httpx.Response(502, html="<h1>502 Bad Gateway</h1>")
TROUBLE = {
    "500": lambda: httpx.Response(500, json={"err": "Internal Server Error"}),
    "503 without a body": lambda: httpx.Response(503),
    "HTML 502": lambda: HTML,
    "408": lambda: refused(408),
    "HTML 200": lambda: httpx.Response(200, html="<h1>Maintenance</h1>"),
    "broken JSON": lambda: httpx.Response(200, text='{"user": {"id": 1'),
    "deep JSON": lambda: httpx.Response(200, text="[" * 100_000),
    "JSON of another shape": lambda: httpx.Response(200, json=["user"]),
    "empty 200": lambda: httpx.Response(200),
    "read timeout": lambda: httpx.ReadTimeout("late"),
    "write timeout": lambda: httpx.WriteTimeout("late"),
    "reset": lambda: httpx.ReadError("reset"),
    "cut off": lambda: httpx.RemoteProtocolError("no answer"),
    "bad encoding": lambda: httpx.DecodingError("gzip"),
    "operating system": lambda: ConnectionResetError(104, "reset"),
}
NO_CONNECTION = [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow")]


@pytest.mark.parametrize("name", TROUBLE)
async def test_a_read_that_fails_twice_succeeds(
    client: ClickUpClient, board: FakeClickUp, time: FakeTime, name: str
) -> None:
    board.fails(TROUBLE[name](), refused(429, "APP_002"))
    assert (await client.ask(READ, Whoami)).user.id == 700001
    assert len(board.requests) == 3
    assert time.slept == [1.0, 5.0]


@pytest.mark.parametrize("name", TROUBLE)
async def test_a_read_that_keeps_failing_is_given_up_after_three_attempts(
    client: ClickUpClient, board: FakeClickUp, name: str
) -> None:
    board.fails(*[TROUBLE[name]() for _ in range(4)])
    with pytest.raises(Unavailable, match="try again") as told:
        await client.ask(READ, Whoami)
    assert type(told.value) is Unavailable
    assert len(board.requests) == 3


@pytest.mark.parametrize("name", TROUBLE)
async def test_a_post_whose_outcome_is_unknown_is_never_sent_again(
    client: ClickUpClient, board: FakeClickUp, name: str
) -> None:
    board.fails(TROUBLE[name]())
    with pytest.raises(Unclear) as told:
        await client.ask(CREATE, TaskAnswer)
    assert told.value.attempts == board.posts == 1


async def test_a_redirected_post_is_unclear_and_the_token_stays_here(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(httpx.Response(307, headers={"Location": "https://elsewhere.test/"}))
    with pytest.raises(Unclear):
        await client.ask(CREATE, TaskAnswer)
    assert [request.url.host for request in board.requests] == ["clickup.test"]


@pytest.mark.parametrize("failure", [*NO_CONNECTION, refused(429, "APP_002")], ids=str)
async def test_a_post_that_was_certainly_not_applied_is_sent_again(
    client: ClickUpClient, board: FakeClickUp, failure: Any
) -> None:
    board.fails(failure, failure)
    await client.ask(CREATE, TaskAnswer)
    assert len(board.tasks) == 1
    assert board.posts == 3


async def test_a_post_refused_for_its_rate_thrice_is_given_up(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(*[refused(429, "APP_002")] * 5)
    with pytest.raises(Throttled) as told:
        await client.ask(CREATE, TaskAnswer)
    assert told.value.after > 0
    assert (board.posts, len(board.tasks)) == (3, 0)


async def test_a_post_is_sent_at_most_three_times_whatever_happens(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(*NO_CONNECTION, refused(429), *NO_CONNECTION)
    with pytest.raises(Throttled):
        await client.ask(CREATE, TaskAnswer)
    assert board.posts == 3


async def test_a_caller_may_allow_fewer_attempts(client: ClickUpClient, board: FakeClickUp) -> None:
    board.fails(*NO_CONNECTION)
    with pytest.raises(Unavailable):
        await client.ask(CREATE, TaskAnswer, attempts=1)
    assert board.posts == 1


async def test_an_unclear_post_tells_how_often_it_was_sent(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(refused(429), httpx.ReadTimeout("late"))
    with pytest.raises(Unclear) as told:
        await client.ask(CREATE, TaskAnswer)
    assert told.value.attempts == board.posts == 2


async def test_a_post_that_finds_no_connection_was_certainly_not_applied(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(*NO_CONNECTION, *NO_CONNECTION)
    with pytest.raises(Unavailable) as told:
        await client.ask(CREATE, TaskAnswer)
    assert type(told.value) is Unavailable
    assert board.posts == 3


async def test_a_put_is_repeated_and_unclear_when_it_keeps_failing(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(httpx.ReadTimeout("late"), httpx.Response(500), refused(429))
    with pytest.raises(Unclear):
        await client.ask(UPDATE, TaskAnswer)
    assert len(board.requests) == 3


@pytest.mark.parametrize(
    ("answer", "error", "sentence"),
    [
        (refused(401, "OAUTH_017"), Misconfigured, "Set CLICKUP_API_TOKEN"),
        (refused(401, "OAUTH_019"), Misconfigured, "Set CLICKUP_API_TOKEN"),
        (refused(401, "OAUTH_021"), Misconfigured, "Set CLICKUP_API_TOKEN"),
        (refused(401, "OAUTH_025"), Misconfigured, "OAUTH_025"),
        (refused(401, "OAUTH_077"), Misconfigured, "Set CLICKUP_API_TOKEN"),
        (refused(401), Misconfigured, "HTTP 401"),
        (refused(401, "<@U1>"), Misconfigured, "HTTP 401"),
        (refused(401, "OAUTH_023"), NotFound, "no such list"),
        (refused(401, "OAUTH_027"), NotFound, "no such list"),
        (refused(401, "OAUTH_029"), NotFound, "no such list"),
        (refused(401, "OAUTH_045"), NotFound, "no such list"),
        (refused(404, "ITEM_013"), NotFound, "no such list"),
        (refused(404, "ITEM_015"), NotFound, "no such list"),
        (httpx.Response(404, html="Cannot GET /x"), Misconfigured, "Set CLICKUP_API_URL"),
        (refused(400, "ITEM_114"), Refused, "no such status"),
        (refused(400, "ITEM_137"), Refused, "another ClickUp list"),
        (refused(400, "ITEM_246"), Refused, "limit of the ClickUp plan"),
        (refused(400, "NEW_001"), Refused, "HTTP 400, NEW_001"),
        (refused(400), Refused, "HTTP 400"),
        (refused(403, "ACCESS_083"), Refused, "may not do that"),
        (refused(413), Refused, "HTTP 413"),
        (httpx.Response(422, html="no"), Refused, "HTTP 422"),
    ],
)
async def test_a_refusal_is_told_once_and_in_our_own_words(
    client: ClickUpClient,
    board: FakeClickUp,
    answer: httpx.Response,
    error: type[AgencyClawError],
    sentence: str,
) -> None:
    board.fails(answer)
    with pytest.raises(error) as told:
        await client.ask(CREATE, TaskAnswer)
    assert type(told.value) is error
    assert sentence in str(told.value)
    assert "Ignore" not in str(told.value)
    assert "<" not in str(told.value)
    assert (board.posts, len(board.tasks)) == (1, 0)


async def test_a_read_that_is_redirected_names_the_setting(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(httpx.Response(301, headers={"Location": "https://clickup.test/"}))
    with pytest.raises(Misconfigured, match="CLICKUP_API_URL"):
        await client.ask(READ, Whoami)
    assert len(board.requests) == 1


@pytest.mark.parametrize("token", ["", " ", "pk_1\n", "pk 1", "pk_ü", "pk_1\0"])
async def test_a_token_that_can_be_none_is_told_before_anything_is_sent(
    connect: Connect, board: FakeClickUp, time: FakeTime, token: str
) -> None:
    with pytest.raises(Misconfigured, match="Set CLICKUP_API_TOKEN"):
        await connect(token).ask(CREATE, TaskAnswer)
    assert (board.requests, time.slept) == ([], [])


@pytest.mark.parametrize("address", ["", "clickup.test/api/v2", "ftp://clickup.test", "http://:x"])
async def test_an_address_that_can_be_none_is_told_before_anything_is_sent(
    connect: Connect, board: FakeClickUp, address: str
) -> None:
    with pytest.raises(Misconfigured, match="Set CLICKUP_API_URL"):
        await connect(base_url=address).ask(CREATE, TaskAnswer)
    assert board.requests == []


async def test_a_dead_token_is_told_at_once(
    client: ClickUpClient, board: FakeClickUp, time: FakeTime
) -> None:
    board.fails(refused(401, "OAUTH_025"))
    with pytest.raises(Misconfigured):
        await client.ask(READ, Whoami)
    assert (len(board.requests), time.slept) == (1, [])


@pytest.mark.parametrize("bad", ["", "1/../2", "901?x=1", "٣", "9" * 21, "backlog", "1\n"])
async def test_an_id_that_can_be_none_is_never_sent(
    client: ClickUpClient, board: FakeClickUp, bad: str
) -> None:
    with pytest.raises(NotFound) as told:
        await client.ask(ApiCall("GET", "/list/{list_id}", ids={"list_id": bad}), Whoami)
    assert bad == "" or bad not in str(told.value)
    assert board.requests == []


def test_personal_tokens_go_raw_and_others_as_bearer() -> None:
    assert authorization("pk_1_ABC") == "pk_1_ABC"
    assert authorization("1_oauth") == "Bearer 1_oauth"
    assert authorization("Bearer 1_oauth") == "Bearer 1_oauth"


@pytest.mark.parametrize("call", [READ, CREATE], ids=["read", "create"])
async def test_a_cancelled_request_stays_cancelled(
    client: ClickUpClient, board: FakeClickUp, call: ApiCall
) -> None:
    arrived = asyncio.Event()

    async def hang(request: httpx.Request) -> httpx.Response:
        arrived.set()
        await asyncio.Event().wait()
        raise AssertionError("never")

    board.fails(hang)
    work = asyncio.ensure_future(client.ask(call, TaskAnswer))
    await arrived.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert len(board.requests) == 1
    board.add()
    assert (await client.ask(READ, Whoami)).user.id == 700001


async def test_an_answer_that_never_ends_is_given_up(connect: Connect, board: FakeClickUp) -> None:
    async def hang(request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError("never")

    board.fails(hang)
    async with asyncio.timeout(300):
        with pytest.raises(Unclear):
            await connect(timeout_s=0.02).ask(CREATE, TaskAnswer)
    assert board.posts == 1


async def test_no_attempt_begins_after_the_deadline(
    client: ClickUpClient, board: FakeClickUp, time: FakeTime
) -> None:
    board.fails(httpx.Response(500), httpx.Response(500))
    with pytest.raises(Unavailable):
        await client.ask(READ, Whoami, deadline_s=1.5)
    assert (len(board.requests), time.slept) == (2, [1.0])


async def test_a_span_has_ids_and_status_but_neither_token_nor_content(
    connect: Connect, board: FakeClickUp
) -> None:
    seen = TestExporter()
    telemetry = {"send_to_logfire": False, "console": False, "metrics": False}
    logfire.configure(additional_span_processors=[SimpleSpanProcessor(seen)], **telemetry)
    try:
        board.fails(refused(429), httpx.ReadTimeout("late"))
        with pytest.raises(Unclear):
            await connect("pk_secret").ask(CREATE, TaskAnswer)
    finally:
        logfire.configure(**telemetry)
    spans = [span for span in seen.exported_spans_as_dict() if span["name"] == "clickup request"]
    kept = ("method", "path_template", "attempt", "list_id", "status", "failure")
    assert [{k: v for k, v in s["attributes"].items() if k in kept} for s in spans] == [
        {
            "method": "POST",
            "path_template": "/list/{list_id}/task",
            "attempt": 1,
            "list_id": "901",
            "status": 429,
        },
        {
            "method": "POST",
            "path_template": "/list/{list_id}/task",
            "attempt": 2,
            "list_id": "901",
            "failure": "ReadTimeout",
        },
    ]
    assert "secret" not in str(spans)
    assert "A task" not in str(spans)


async def test_no_content_is_an_answer_where_none_is_needed(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.fails(*[httpx.Response(204)] * 4)
    assert await client.ask(UPDATE, EmptyAnswer) == EmptyAnswer()
    with pytest.raises(Unclear):
        await client.ask(UPDATE, TaskAnswer)
