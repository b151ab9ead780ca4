"""The doctor's report as a whole."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import TestServer

from agencyclaw.cli.doctor import examine
from agencyclaw.settings import Settings
from agencyclaw.slack.scopes import needed_scopes


async def test_a_check_that_fails_itself_takes_no_other_result_along(tmp_path: Path) -> None:
    async def answer(_: web.Request) -> web.Response:
        headers = {"x-oauth-scopes": ",".join(needed_scopes())}
        return web.json_response({"ok": True}, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/api/{method}", answer)
    async with TestServer(app) as server:
        settings = Settings(
            agencyclaw_home=tmp_path,
            slack_bot_token="xoxb-1",
            slack_app_token="xapp-1",
            slack_api_url=str(server.make_url("/api/")),
        )
        findings = {finding.what: finding for finding in await examine(settings)}

    assert not findings["Slack"].is_good
    assert "the check itself failed" in findings["Slack"].says
    assert findings["telemetry"].is_good
