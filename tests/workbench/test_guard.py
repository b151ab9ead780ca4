"""Who is let into the workbench, and who is not."""

import pytest
from aiohttp import ClientSession, CookieJar

from workbench.fixture import Bench, running_workbench

TOKEN = "a-token-of-this-start"
REBOUND = {"Host": "evil.example:8750"}
OF_A_SITE = {"Origin": "http://evil.example"}
PATHS = ["/", "/_control/state", "/api/auth.test", "/clickup/api/v2/user", "/_control/stream"]


async def status_of(bench: Bench, path: str, **headers: str) -> int:
    async with bench.http.get(bench.url + path, headers=headers, allow_redirects=False) as told:
        return told.status


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("headers", [REBOUND, OF_A_SITE, {"Origin": "null"}])
async def test_a_site_gets_no_answer_whatever_name_it_takes(
    path: str, headers: dict[str, str]
) -> None:
    async with running_workbench() as bench:
        assert await status_of(bench, path, **headers) == 403


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
async def test_this_machine_is_known_by_its_names(host: str) -> None:
    async with running_workbench() as bench:
        assert await status_of(bench, "/_control/state", Host=f"{host}:9999") == 200


async def test_page_and_hands_need_the_token_of_this_start() -> None:
    async with running_workbench(token=TOKEN) as bench:
        for path in ("/", "/runs", "/_control/state", "/_control/stream", "/?token=another"):
            assert await status_of(bench, path) == 403
        assert await status_of(bench, "/_control/state", **{"X-Workbench-Token": "é"}) == 403
        assert await status_of(bench, "/_control/state", **{"X-Workbench-Token": TOKEN}) == 200


async def test_a_browser_that_came_with_the_token_keeps_it_out_of_sight() -> None:
    async with (
        running_workbench(token=TOKEN) as bench,
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as browser,
    ):
        async with browser.get(f"{bench.url}/?token={TOKEN}") as page:
            assert (page.status, str(page.url)) == (200, f"{bench.url}/")
        [cookie] = browser.cookie_jar
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Strict")
        async with browser.get(f"{bench.url}/_control/state") as told:
            assert told.status == 200
