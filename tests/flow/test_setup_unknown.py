"""From an empty database and an unknown ClickUp with 15 spaces to the first task, both ways."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
from acting import INES, actors, call, offer, text, turn
from dotenv import dotenv_values
from test_setup import asked
from test_setup_page import BUTTON, Visitor, address_of, served
from unknown_clickup import replace_places

from agencyclaw.store.engine import Database
from tests.browser import Browser, why_no_browser
from workbench.clickup.gateway import TOKEN
from workbench.fixture import Bench
from workbench.slack.methods import APP_TOKEN, BOT_TOKEN

_ARE_ON_ONE_LINE = (
    "[...document.querySelectorAll('form button')].every((button) => button.offsetHeight < 60)"
)
_FOR_CLIENTS = (
    *("Aldermoor Tools", "Bellweather", "Cobbleside", "Dunmere Pets", "Everly & Co", "Fennick"),
    *("Marketing (space 90100700006)", "Marketing (space 90100700007)"),
    *("Gorsewood", "Hollybrook", "Ivelet <b>Foods</b>"),
)
_BRANDS = [
    ("Aldermoor Tools", "Aldermoor Tools"),
    ("Bellweather", "Bellweather"),
    ("Cobbleside", "Cobbleside Amazon"),
    ("Cobbleside", "Cobbleside Walmart"),
    ("Dunmere Pets", "Dunmere Pets"),
    ("Everly & Co", "Everly Garden"),
    ("Everly & Co", "Everly Home"),
    ("Everly & Co", "Everly Kids"),
    ("Hollybrook", "Hollybrook"),
    ("Northgate", "Marketing"),
    ("Southgate", "Marketing"),
]


async def test_in_the_terminal(bench: Bench, database: Database, tmp_path: Path) -> None:
    replace_places(bench.storage)
    async with asked(bench, database, tmp_path) as setup:
        await setup.answer("Bot token", BOT_TOKEN)
        await setup.answer("App-level token", APP_TOKEN)
        await setup.answer("Its token", TOKEN)
        await setup.answer("Model", "")
        await setup.pick("Which of them are you", "Ines Varga")
        await setup.answer("Who may use the assistant", "none")
        await setup.pick("hold the work for clients", *_FOR_CLIENTS)
        shown = await setup.pick("Which are shared", "Reporting")
        assert "Internal" in shown
        shown = await setup.answer("another name, or are left out", "none")
        assert "Not classified: Internal, Sandbox, Templates." in shown
        await setup.answer("The client of the space Marketing (space 90100700006)", "Northgate")
        await setup.answer("The client of the space Marketing (space 90100700007)", "Southgate")
        await setup.pick("Which lists of Bellweather", "Backlog")
        await setup.pick("Which lists of Cobbleside", "Amazon, US", "Walmart, US")
        await setup.answer("Which lists of Everly & Co", "all")
        await setup.answer("Which lists of Gorsewood", "none")
        await setup.answer("Which lists of Ivelet", "none")
        lists = [f"Cobbleside, {folder}, US" for folder in ("Amazon", "Walmart")]
        both = [f"US of Cobbleside; tasks go to {one}" for one in lists]
        await setup.pick("Which brands have another name", *both)
        await setup.answer("The brand of US of Cobbleside", "Cobbleside Amazon")
        await setup.answer("The brand of US of Cobbleside", "Cobbleside Walmart")
        await setup.answer("marketplaces", "US")
        await setup.answer("Create 11 brands", "y")
        await setup.answer("CSV files", "")
        await setup.answer("Which spaces have Docs", "none")
        assert await setup.end() == 0, setup.heard
    await _a_task_can_be_made(bench, database, tmp_path)


@pytest.mark.skipif(why_no_browser() is not None, reason=str(why_no_browser()))
async def test_in_the_browser(bench: Bench, database: Database, tmp_path: Path) -> None:
    replace_places(bench.storage)
    async with Browser(390, 844) as browser, served(bench, database, tmp_path) as process:
        size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        await browser.call("Emulation.setDeviceMetricsOverride", **size)
        visitor = Visitor(browser)
        await browser.call("Page.navigate", url=await address_of(process))
        await visitor.write("Bot token", BOT_TOKEN)
        await visitor.write("App-level token", APP_TOKEN)
        await visitor.write("Its token", TOKEN)
        await visitor.write("Model", "")
        await visitor.tick("Which of them are you", "Ines Varga")
        await visitor.tick("Who may use the assistant")
        await visitor.tick("hold the work for clients", *_FOR_CLIENTS)
        await visitor.tick("Which are shared", "Reporting")
        await visitor.tick("another name, or are left out")
        await visitor.write("The client of the space Marketing (space 90100700006)", "Northgate")
        await visitor.write("The client of the space Marketing (space 90100700007)", "Southgate")
        await visitor.tick("Which lists of Bellweather", "Backlog")
        await visitor.tick("Which lists of Cobbleside", "Amazon, US", "Walmart, US")
        await visitor.asked("Which lists of Everly & Co")
        assert await browser.evaluate(_ARE_ON_ONE_LINE)
        await browser.click(BUTTON, "Choose all of them")
        await visitor.tick("Which lists of Gorsewood")
        await visitor.tick("Which lists of Ivelet <b>Foods</b>")
        lists = [f"Cobbleside, {folder}, US" for folder in ("Amazon", "Walmart")]
        await visitor.tick("Which brands have another name", *lists)
        await visitor.write("The brand of US of Cobbleside", "Cobbleside Amazon")
        await visitor.asked("Cobbleside, Walmart, US")
        await visitor.write("The brand of US of Cobbleside", "Cobbleside Walmart")
        await visitor.write("marketplaces", "US")
        await visitor.asked("Create 11 brands")
        assert await browser.evaluate("document.documentElement.scrollWidth") <= 390
        assert await browser.evaluate(_ARE_ON_ONE_LINE)
        await browser.click(BUTTON, "Yes")
        await visitor.asked("CSV files")
        await browser.click(BUTTON, "Continue")
        await visitor.tick("Which spaces have Docs")
        await browser.wait_for_text("main", "You may close this page")
        assert await process.wait() == 0
    await _a_task_can_be_made(bench, database, tmp_path)


async def _a_task_can_be_made(bench: Bench, db: Database, folder: Path) -> None:
    rows = await db.pool.fetch(
        "select c.name as client, b.name as brand from brands b"
        " join agency_clients c on c.id = b.client_id order by 1, 2"
    )
    brands = [(row["client"], row["brand"]) for row in rows]
    assert brands == _BRANDS
    admins = frozenset({UUID(str(dotenv_values(folder / ".env")["SUPER_ADMIN_PROFILE_IDS"]))})
    create = call(
        "create_task",
        client="Everly & Co",
        brand="Everly Kids",
        title="Banner",
        objective="make the banner",
    )
    async with actors(bench, db, folder) as acting:
        stage = await acting(
            turn("make the banner", create, text("It is on the card.")),
            super_admin_profile_ids=admins,
        )
        root = await stage.say(INES, "make the banner")
        await stage.press(INES, await offer(stage, INES, root), "Create task")
        [task] = await stage.created("Banner")
    assert task["list"]["name"] == "Everly Kids"
