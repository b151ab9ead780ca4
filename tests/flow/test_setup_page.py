"""`agencyclaw setup --page`: the same steps in a browser, and who gets no answer from it."""

from __future__ import annotations

import asyncio
import base64
import os
import stat
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

import aiohttp
import pytest
from acting import INES, actors, create, offer, text, turn
from dotenv import dotenv_values
from test_command_line import COMMAND, OURS

from agencyclaw.store.engine import Database
from tests.browser import Browser, why_no_browser
from workbench.clickup.gateway import TOKEN
from workbench.fixture import PATIENCE_S, Bench
from workbench.slack.methods import APP_TOKEN, BOT_TOKEN

BUTTON = "form button"


@asynccontextmanager
async def served(
    bench: Bench, db: Database, folder: Path, *options: str
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """Run setup with its page on a workbench and a database."""
    environment = {name: one for name, one in os.environ.items() if not name.startswith(OURS)}
    process = await asyncio.create_subprocess_exec(
        str(COMMAND),
        *("setup", "--page", *options),
        cwd=folder,
        env={
            **environment,
            "SLACK_API_URL": bench.slack_api_url,
            "CLICKUP_API_URL": bench.clickup_api_url,
            "CLICKUP_RATE_LIMIT_PER_MINUTE": "10000",
            "DATABASE_URL": db.dsn,
            "AGENCYCLAW_MODEL": "scripted",
        },
        stdin=asyncio.subprocess.PIPE if options else None,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def address_of(process: asyncio.subprocess.Process) -> str:
    """The address that it prints."""
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        while line := (await process.stdout.readline()).decode().strip():
            if line.startswith("http://127.0.0.1:"):
                return line
            if not line.startswith("Open this"):
                raise AssertionError(line)
            await process.stdout.readline()
    raise AssertionError("it printed no address")


class Visitor:
    """A person who answers the page's questions."""

    def __init__(self, browser: Browser, pictures: Path | None = None) -> None:
        self.browser = browser
        self._pictures = pictures
        self._number = 0

    async def asked(self, question: str) -> None:
        """Wait until the page asks this."""
        await self.browser.wait_for_text(".question", question)
        if self._pictures:
            shot = await self.browser.call("Page.captureScreenshot", format="png")
            self._number += 1
            picture = self._pictures / f"{self._number:02}.png"
            picture.write_bytes(base64.b64decode(shot["data"]))

    async def write(self, question: str, answer: str | None = None) -> None:
        """Answer a question in words; None leaves what is suggested."""
        await self.asked(question)
        if answer is not None:
            await self.browser.type("#answer", answer)
        await self.browser.click(BUTTON, "Continue")

    async def upload(self, file: Path) -> None:
        """Choose a file, and send it."""
        document = await self.browser.call("DOM.getDocument")
        root = {"nodeId": document["root"]["nodeId"], "selector": "input[type=file]"}
        field = await self.browser.call("DOM.querySelector", **root)
        await self.browser.call("DOM.setFileInputFiles", nodeId=field["nodeId"], files=[str(file)])
        await self.browser.click(BUTTON, "Continue")

    async def tick(self, question: str, *names: str) -> None:
        """Tick the options that begin with these names, and no others."""
        await self.asked(question)
        for name in names:
            await self.browser.click("label.option", name)
        await self.browser.click(BUTTON, "Continue")


@pytest.mark.skipif(why_no_browser() is not None, reason=str(why_no_browser()))
@pytest.mark.parametrize("width", [1200, 390])
async def test_an_empty_database_becomes_an_agency_in_the_browser(
    bench: Bench, database: Database, tmp_path: Path, width: int
) -> None:
    pictures = os.environ.get("PICTURES")
    folder = Path(pictures) / str(width) if pictures else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    async with Browser(width, 844) as browser, served(bench, database, tmp_path) as process:
        size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
        await browser.call("Emulation.setDeviceMetricsOverride", **size)
        visitor = Visitor(browser, folder)
        await browser.call("Page.navigate", url=await address_of(process))
        await visitor.write("Bot token", "xoxb-wrong")
        await visitor.write("App-level token", APP_TOKEN)
        await browser.wait_for_text(".bad", "refused by Slack")
        await visitor.write("Bot token", BOT_TOKEN)
        await visitor.write("App-level token", APP_TOKEN)
        await visitor.write("Its token", "pk_wrong")
        await browser.wait_for_text(".bad", "ClickUp")
        await visitor.write("Its token", TOKEN)
        await visitor.write("Model", "")
        await visitor.tick("Which of them are you", "Ines Varga")
        await visitor.tick("Who may use the assistant", "Sara Lindqvist", "Paul Brandt")
        await visitor.tick("may only read", "Paul Brandt")
        await visitor.tick("hold the work for clients", "Glintly")
        await visitor.tick("Which are shared", "Reporting Requests")
        await visitor.tick("another name, or are left out", "Glintly")
        await visitor.write("The client of the space Glintly", "Glintly Inc")
        await visitor.tick("Which brands have another name")
        await visitor.write("marketplaces", "us, ca")
        await visitor.asked("Create 1 brand")
        await browser.click(BUTTON, "Yes")
        await visitor.asked("CSV files")
        wide = await browser.evaluate("document.documentElement.scrollWidth")
        assert wide <= width
        sheet = tmp_path / "clients.csv"
        sheet.write_text("Name,Summary\nLarkspur,lamps\n,nobody\n")
        await visitor.upload(sheet)
        await browser.wait_for_text(".question", "Import 1 record, leave 1 line out")
        shown = await browser.text("main")
        assert "clients.csv, line 3, column Name: it is empty" in shown
        assert "Larkspur" in shown
        assert "lamps" in shown
        await browser.click(BUTTON, "Yes")
        await visitor.asked("CSV files")
        assert "Imported 1 record" in await browser.text("main")
        await browser.click(BUTTON, "Continue")
        await visitor.tick("Which spaces have Docs", "Reporting Requests")
        await visitor.asked("Take the procedures over")
        await browser.click(BUTTON, "Yes")
        await visitor.asked("Which may the assistant use")
        await browser.click(BUTTON, "Choose all of them")
        await browser.wait_for_text("main", "You may close this page")
        assert await browser.count(".bad") == 0, await browser.text("main")
        if folder:
            shot = await browser.call("Page.captureScreenshot", format="png")
            (folder / "end.png").write_bytes(base64.b64decode(shot["data"]))
        assert await process.wait() == 0
        assert browser.errors == []

    waiting = "select count(*) from playbook_sops where state <> 'approved'"
    assert await database.pool.fetchval(waiting) == 0
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    kept = dotenv_values(tmp_path / ".env")
    admins = frozenset({UUID(str(kept["SUPER_ADMIN_PROFILE_IDS"]))})
    async with actors(bench, database, tmp_path) as acting:
        asking = turn("make the task", create(), text("It is on the card."))
        stage = await acting(asking, super_admin_profile_ids=admins)
        root = await stage.say(INES, "make the task")
        await stage.press(INES, await offer(stage, INES, root), "Create task")
        [task] = await stage.created("Refresh the Glintly storefront banner")
    assert task["list"]["id"] == "901005000021"


async def test_the_page_ends_plainly_with_its_input(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    async with served(bench, database, tmp_path, "--until-eof") as process:
        await address_of(process)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        rest = (await asyncio.wait_for(process.stdout.read(), PATIENCE_S)).decode()
        await process.wait()

    assert "The input ended here." in rest
    assert "Traceback" not in rest
    assert process.returncode == 2


async def test_only_the_browser_with_the_key_is_answered_at_its_own_address_and_once(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    async with served(bench, database, tmp_path) as process, aiohttp.ClientSession() as http:
        address = await address_of(process)
        page = address.partition("?")[0]
        own = page.rpartition("/")[0]

        async def status(method: str, url: str, **headers: str) -> int:
            options: Mapping[str, object] = {"allow_redirects": False, "headers": headers}
            async with http.request(method, url, **options) as answer:  # pyright: ignore[reportArgumentType]
                return answer.status

        assert await status("GET", page) == 403
        assert await status("GET", f"{page}?key=wrong") == 403
        assert await status("GET", address, Host="agency.example") == 403
        async with http.get(address, allow_redirects=False) as opened:
            assert opened.status == 303
            cookie = opened.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert await status("GET", address) == 403

        mine = cookie.partition(";")[0]
        assert await status("GET", page, Cookie=mine, Host="agency.example") == 403
        assert await status("POST", page, Cookie=mine) == 403
        assert await status("POST", page, Cookie=mine, Origin="https://agency.example") == 403
        assert await status("POST", page, Origin=own) == 403
        async with http.get(page, headers={"Cookie": mine}) as shown:
            first = await shown.text()
            assert "Bot token" in first
            assert ">Open Slack's page with the app filled in</a>" in first
            assert "frame-ancestors 'none'" in shown.headers["Content-Security-Policy"]
        assert await status("POST", page, Cookie=mine, Origin=own) == 303
    assert not (tmp_path / ".env").exists()
