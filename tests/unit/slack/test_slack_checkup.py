"""What the doctor asks of Slack, and how it says what is missing."""

from __future__ import annotations

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from agencyclaw.domain.errors import Misconfigured, Throttled
from agencyclaw.slack.checkup import check_slack
from agencyclaw.slack.scopes import feature_of, needed_scopes


def granting(scopes: list[str]) -> web.Response:
    body = {"ok": True, "user": "claw", "team": "Lanternfish", "url": "wss://x/"}
    headers = {"x-oauth-scopes": ",".join(scopes)}
    return web.json_response(body | {"user_id": "U01CLAW", "team_id": "T0"}, headers=headers)


def slack_that_granted(scopes: list[str]) -> TestServer:
    """A Slack that takes every token and names the scopes it has."""

    async def answer(_: web.Request) -> web.Response:
        return granting(scopes)

    app = web.Application()
    app.router.add_route("*", "/api/{method}", answer)
    return TestServer(app)


async def test_a_token_with_every_scope_of_the_manifest_is_good() -> None:
    async with slack_that_granted(needed_scopes()) as server:
        said = await check_slack("xoxb-1", "xapp-1", str(server.make_url("/api/")))

    assert said == "signed in as claw in Lanternfish, socket mode allowed"


async def test_without_a_socket_only_the_bot_token_is_asked_about() -> None:
    async with slack_that_granted(needed_scopes()) as server:
        said = await check_slack("xoxb-1", "", str(server.make_url("/api/")))

    assert said == "signed in as claw in Lanternfish, events come over HTTP"


@pytest.mark.parametrize("scope", ["im:write", "users:read", "assistant:write", "chat:write"])
async def test_a_scope_that_was_not_granted_is_named(scope: str) -> None:
    granted = [one for one in needed_scopes() if one != scope]
    async with slack_that_granted(granted) as server:
        with pytest.raises(Misconfigured, match=f"lacks the scopes {scope}"):
            await check_slack("xoxb-1", "xapp-1", str(server.make_url("/api/")))


def test_every_scope_of_the_manifest_says_what_it_is_for() -> None:
    features = [feature_of(scope) for scope in needed_scopes()]

    assert len(set(features)) == len(needed_scopes())


async def test_of_several_scopes_each_is_named_with_what_lacks_without_it() -> None:
    granted = [one for one in needed_scopes() if one not in ("commands", "im:write")]
    async with slack_that_granted(granted) as server:
        with pytest.raises(Misconfigured) as raised:
            await check_slack("xoxb-1", "xapp-1", str(server.make_url("/api/")))

    assert "\n     commands: the command /claw" in str(raised.value)
    assert "\n     im:write: beginning a direct message" in str(raised.value)


async def test_slack_is_asked_with_a_form_and_its_own_refusal_is_said() -> None:
    async def answer(request: web.Request) -> web.Response:
        is_form = request.content_type == "application/x-www-form-urlencoded"
        is_json = request.content_type == "application/json"
        body = {"ok": is_form or is_json, "error": "invalid_post_type", "url": "wss://x/"}
        body |= {"user": "claw", "team": "Lanternfish"} if body["ok"] else {}
        headers = {"x-oauth-scopes": ",".join(needed_scopes())}
        return web.json_response(body, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/api/{method}", answer)
    async with TestServer(app) as server:
        said = await check_slack("xoxb-1", "xapp-1", str(server.make_url("/api/")))

    assert said == "signed in as claw in Lanternfish, socket mode allowed"


@pytest.mark.parametrize("method", ["auth.test", "apps.connections.open"])
async def test_a_slack_that_asks_to_wait_says_nothing_about_a_token(method: str) -> None:
    async def answer(request: web.Request) -> web.Response:
        if request.match_info["method"] == method:
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429)
        return granting(needed_scopes())

    app = web.Application()
    app.router.add_route("*", "/api/{method}", answer)
    async with TestServer(app) as server:
        with pytest.raises(Throttled):
            await check_slack("xoxb-1", "xapp-1", str(server.make_url("/api/")))


@pytest.mark.parametrize("code", ["invalid_auth", "token_revoked", "missing_scope"])
async def test_an_app_token_that_does_not_work_is_named(code: str) -> None:
    async def answer(request: web.Request) -> web.Response:
        if request.match_info["method"] == "apps.connections.open":
            return web.json_response({"ok": False, "error": code})
        return granting(needed_scopes())

    app = web.Application()
    app.router.add_route("*", "/api/{method}", answer)
    async with TestServer(app) as server:
        with pytest.raises(Misconfigured, match="SLACK_APP_TOKEN"):
            await check_slack("xoxb-1", "xapp-1", str(server.make_url("/api/")))
