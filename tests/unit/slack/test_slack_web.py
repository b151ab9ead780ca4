"""What each of Slack's answers, and each silence, means for a call."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from agencyclaw.domain.addresses import is_local
from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    Refused,
    Throttled,
    Unavailable,
    Unclear,
)
from agencyclaw.slack.web import Method, Web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def slack_that(answers: Handler, timeout_s: float = 60.0) -> AsyncIterator[Web]:
    """A client of a Slack that answers everything in one way."""
    app = web.Application()
    app.router.add_route("*", "/api/{method}", answers)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    client = Web(
        "xoxb-test", f"http://127.0.0.1:{runner.addresses[0][1]}/api/", timeout_s=timeout_s
    )
    await client.open()
    yield client
    await client.close()
    await runner.cleanup()


def says(status: int, body: str, kind: str = "application/json", **headers: str) -> Handler:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text=body, content_type=kind, headers=headers)

    return answer


async def hang(_: web.Request) -> web.Response:
    await asyncio.sleep(600)
    return web.json_response({"ok": True})


async def hang_up(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        (says(200, '{"ok": false, "error": "channel_not_found"}'), Refused),
        (says(200, '{"ok": false, "error": "invalid_auth"}'), Misconfigured),
        (says(200, '{"ok": false, "error": "ratelimited"}'), Throttled),
        (says(429, "", "text/plain"), Throttled),
        (says(200, '{"ok": false, "error": "internal_error"}'), Unclear),
        (says(200, '{"ok": false, "error": "fatal_error"}'), Unclear),
        (says(200, '{"ok": false}'), Unclear),
        (says(200, "<html>"), Unclear),
        (says(200, "<html>", "text/html"), Unclear),
        (says(200, "fine", "text/plain"), Unclear),
        (says(200, "[1]"), Unclear),
        (says(500, "<html>", "text/html"), Unclear),
        (says(502, "Bad gateway", "text/plain"), Unclear),
        (says(503, '{"ok": false, "error": "channel_not_found"}'), Unclear),
        (says(404, "<html>", "text/html"), Unavailable),
        (hang, Unclear),
        (hang_up, Unclear),
    ],
)
async def test_an_answer_has_one_meaning(answer: Handler, meaning: type[AgencyClawError]) -> None:
    # Only who must see it hang is in a hurry.
    async with slack_that(answer, 0.5 if answer is hang else 60.0) as slack:
        with pytest.raises(AgencyClawError) as raised:
            await slack.call(Method.POST, channel="C1", text="x")
        assert type(raised.value) is meaning


async def test_a_refusal_carries_slacks_word() -> None:
    async with slack_that(says(200, '{"ok": false, "error": "is_archived"}')) as slack:
        with pytest.raises(Refused) as raised:
            await slack.call(Method.POST, channel="C1", text="x")
        assert raised.value.reason == "is_archived"


async def test_slack_says_how_long_to_wait() -> None:
    limited = says(429, '{"ok": false, "error": "ratelimited"}', **{"Retry-After": "7"})
    async with slack_that(limited) as slack:
        with pytest.raises(Throttled) as raised:
            await slack.call(Method.POST, channel="C1", text="x")
        assert raised.value.after == 7


async def test_a_method_that_slack_holds_up_is_left_alone_and_the_others_go_on() -> None:
    seen: list[str] = []

    async def limits_statuses(request: web.Request) -> web.StreamResponse:
        seen.append(request.match_info["method"])
        if seen[-1] == Method.SET_SESSION:
            return web.Response(status=429, headers={"Retry-After": "3600"})
        return web.json_response({"ok": True})

    async with slack_that(limits_statuses) as slack:
        for _ in range(5):
            with pytest.raises(Throttled):
                await slack.call(Method.SET_SESSION, channel_id="C1", status="processing")
            await slack.call(Method.POST, channel="C1", text="x")

    assert seen.count(Method.SET_SESSION) == 1
    assert seen.count(Method.POST) == 5


async def test_a_connection_that_never_was_sent_nothing() -> None:
    client = Web("xoxb-test", "http://127.0.0.1:9/api/")
    await client.open()
    with pytest.raises(Unavailable):
        await client.call(Method.POST, channel="C1", text="x")
    await client.close()


@pytest.mark.parametrize("answer", [hang_up, says(500, "{}"), says(429, "{}")])
async def test_nothing_is_ever_sent_twice(answer: Handler) -> None:
    seen: list[str] = []

    async def count(request: web.Request) -> web.StreamResponse:
        seen.append(request.match_info["method"])
        return await answer(request)

    async with slack_that(count) as slack:
        with pytest.raises(AgencyClawError):
            await slack.call(Method.POST, channel="C1", text="x")
        assert seen == ["chat.postMessage"]


async def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    async with slack_that(says(200, '{"ok": true, "n": 1}')) as slack:
        assert (await slack.call(Method.AUTH_TEST))["n"] == 1


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:80/api/", True),
        ("http://127.9.9.9/", True),
        ("http://localhost:1/", True),
        ("http://[::1]:1/", True),
        ("https://slack.com/api/", False),
        ("https://127.0.0.1.evil.example/", False),
    ],
)
def test_this_machine_is_told_apart(url: str, here: bool) -> None:
    assert is_local(url) is here
