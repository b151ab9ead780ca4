"""`agencyclaw runs --web`: runs in a browser, for whoever opened the printed address."""

from __future__ import annotations

import base64
import os
from pathlib import Path

import aiohttp
import pytest
from acting import INES, Acting, call, text, turn

from agencyclaw.cli.reports import show_run
from agencyclaw.cli.runs_page import runs_page
from agencyclaw.settings import Settings
from tests.browser import Browser, why_no_browser

ASKS = "which brands does Glintly Inc have?"
HOSTILE = 'what of <script>document.title = "taken"</script>?'
SETTINGS = Settings(_env_file=None)  # pyright: ignore[reportCallIssue]


@pytest.mark.skipif(why_no_browser() is not None, reason=str(why_no_browser()))
@pytest.mark.parametrize("width", [1200, 390])
async def test_runs_are_listed_searched_and_shown_as_a_whole(acting: Acting, width: int) -> None:
    stage = await acting(
        turn(ASKS, call("lookup_client", query="Glintly Inc"), text("It has **two** brands.")),
        turn(HOSTILE, text("No such client.")),
    )
    for words in (ASKS, HOSTILE):
        await stage.reply(INES, await stage.say(INES, words))
    await stage.settled()

    async with (
        runs_page(stage.db, SETTINGS, 0) as address,
        Browser(width, 844) as browser,
    ):
        await browser.goto(address)
        await browser.wait_for("document.querySelectorAll('ol li').length === 2")
        listed = await browser.text("ol")
        assert all(words in listed for words in (ASKS, HOSTILE, "Ines Varga", " UTC"))
        assert await browser.evaluate("document.title") == "Runs · AgencyClaw"

        await browser.type("input[type=search]", "two** BRANDS", enter=True)
        await browser.wait_for("document.querySelectorAll('ol li').length === 1")
        await _picture(browser, f"runs-{width}")
        await browser.click("ol a")
        await browser.wait_for_text("main", "Called")
        shown = await browser.text("main")
        assert 'lookup_client(query="Glintly Inc")' in shown
        assert '→ {"' in shown
        assert "It has **two** brands." in shown
        await _picture(browser, f"run-{width}")
        wide = "document.documentElement.scrollWidth <= window.innerWidth"
        assert await browser.evaluate(wide)
        assert browser.errors == []


async def test_words_that_look_like_an_address_are_no_link_to_the_trace(acting: Acting) -> None:
    asks = "https://glintly.example is down,\nwhat now?"
    stage = await acting(turn(asks, text("Nobody knows.")))
    await stage.reply(INES, await stage.say(INES, asks))
    traced = SETTINGS.model_copy(
        update={"agencyclaw_trace_url": "http://127.0.0.1:1/trace/{trace}"}
    )
    run = str(await stage.db.pool.fetchval("select id from agent_runs"))

    jar = aiohttp.CookieJar(unsafe=True)
    async with (
        runs_page(stage.db, traced, 0) as address,
        aiohttp.ClientSession(cookie_jar=jar) as owner,
    ):
        await _status(owner, address)
        async with owner.get(f"{address.partition('?')[0]}?run={run}") as answer:
            shown = await answer.text()

    assert shown.count("Its trace") == 1
    assert '<a href="http://127.0.0.1:1/trace/' in shown
    assert "<pre>https://glintly.example is down,</pre>" in shown
    told = await show_run(stage.db, run, Settings(), as_json=False)
    assert "\n  https://glintly.example is down,\n  what now?\n" in told


async def test_only_the_browser_that_opened_the_address_may_read(acting: Acting) -> None:
    stage = await acting(turn(ASKS, text("I can't see any.")))
    await stage.reply(INES, await stage.say(INES, ASKS))

    jar = aiohttp.CookieJar(unsafe=True)
    async with (
        runs_page(stage.db, SETTINGS, 0) as address,
        aiohttp.ClientSession(cookie_jar=jar) as owner,
        aiohttp.ClientSession() as stranger,
    ):
        bare = address.partition("?")[0]
        assert await _status(stranger, bare) == 403
        assert await _status(stranger, f"{bare}?key=guessed") == 403
        assert await _status(owner, address) == 200
        assert await _status(stranger, address) == 403
        assert await _status(owner, f"{bare}?run=none-begins-so") == 404
        async with owner.get(bare, headers={"Host": "elsewhere.test"}) as named_otherwise:
            assert named_otherwise.status == 403
        async with owner.post(bare, data={"run": "1"}) as written:
            assert written.status == 405


async def _status(session: aiohttp.ClientSession, address: str) -> int:
    async with session.get(address) as answer:
        return answer.status


async def _picture(browser: Browser, name: str) -> None:
    """Keep a picture, where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES"):
        shot = await browser.call("Page.captureScreenshot", format="png")
        picture = Path(folder) / f"{name}.png"
        picture.write_bytes(base64.b64decode(shot["data"]))
