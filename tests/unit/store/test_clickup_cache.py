"""Task lists that were read lately, as the tables keep them for all processes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import httpx

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import TaskEdit
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.domain.tasks import TaskRead, TaskRow
from agencyclaw.store.clickup_cache import ClickUpCache
from agencyclaw.store.engine import Database

TOKEN = "pk_1_SECRET"
READ = TaskRead(rows=(TaskRow(id="86a", name="Fix listing", status="to do"),), is_cut=True)


async def made_older(database: Database, minutes: int) -> None:
    older = timedelta(minutes=minutes)
    await database.pool.execute("update clickup_reads set read_at = read_at - $1::interval", older)


async def test_what_one_process_read_another_one_finds_with_its_age(database: Database) -> None:
    await ClickUpCache(database, TOKEN).keep("lists", READ, 0.0)
    await made_older(database, 4)

    found = await ClickUpCache(database, TOKEN).find("lists")

    assert found
    assert (found.rows, found.is_cut) == (READ.rows, True)
    assert found.as_of
    assert timedelta(minutes=4) <= datetime.now(UTC) - found.as_of < timedelta(minutes=5)


async def test_the_age_is_told_by_the_clock_of_its_reader(database: Database) -> None:
    day = timedelta(days=1)
    moved = Database(database.dsn, database.pool, ahead=day)
    await ClickUpCache(moved, TOKEN).keep("lists", READ, 0.0)

    now = await database.pool.fetchval("select clock_timestamp()")
    found = await ClickUpCache(moved, TOKEN).find("lists")

    assert found is not None
    assert found.as_of is not None
    assert timedelta() <= now + day - found.as_of < timedelta(minutes=1)


async def test_nothing_is_found_of_another_question_or_token_or_after_five_minutes(
    database: Database,
) -> None:
    cache = ClickUpCache(database, TOKEN)
    await cache.keep("lists", READ, 0.0)

    assert await cache.find("other lists") is None
    assert await ClickUpCache(database, "pk_2_OTHER").find("lists") is None
    await made_older(database, 5)
    assert await cache.find("lists") is None


async def test_what_is_too_old_goes_when_something_else_is_kept(database: Database) -> None:
    cache = ClickUpCache(database, TOKEN)
    await cache.keep("lists", READ, 0.0)
    await made_older(database, 6)

    await cache.keep("other lists", READ, 0.0)

    assert await database.pool.fetchval("select array_agg(key) from clickup_reads") == [
        "other lists"
    ]


async def test_nobody_waits_for_who_keeps_another_list_that_was_too_old(
    database: Database,
) -> None:
    """Two who each wait for the other's list would both fail."""
    cache = ClickUpCache(database, TOKEN)
    for key in ("lists", "other lists"):
        await cache.keep(key, READ, 0.0)
    await made_older(database, 6)

    async with database.transaction() as conn, asyncio.timeout(5):
        await conn.execute("update clickup_reads set read_at = now() where key = 'lists'")
        await cache.keep("other lists", READ, 0.0)

    assert await cache.find("other lists")


async def test_what_another_version_kept_in_a_form_unknown_here_is_read_again(
    database: Database,
) -> None:
    cache = ClickUpCache(database, TOKEN)
    await cache.keep("lists", READ, 0.0)
    await database.pool.execute('update clickup_reads set tasks = \'{"rows": [{"new": 1}]}\'')

    assert await cache.find("lists") is None


async def test_a_reading_that_began_before_a_change_counts_no_more_however_late_it_ends(
    database: Database,
) -> None:
    cache = ClickUpCache(database, TOKEN)
    await cache.keep("lists", READ, 0.0)

    await cache.drop()

    assert await cache.find("lists") is None
    await cache.keep("lists", READ, 1.0)
    assert await cache.find("lists") is None


class Lists:
    """A ClickUp with one task, which counts what it is asked."""

    def __init__(self) -> None:
        self.reads = 0

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer a request."""
        if request.url.path.endswith("/user"):
            return httpx.Response(200, json={"user": {"id": 1, "timezone": "UTC"}})
        task = {"id": "86a", "name": "Fix listing", "list": {"id": "901", "name": "Backlog"}}
        if request.method == "PUT":
            return httpx.Response(200, json=task)
        self.reads += 1
        return httpx.Response(200, json={"tasks": [task], "last_page": True})


def client_of(database: Database, clickup: Lists) -> ClickUpClient:
    transport = httpx.MockTransport(clickup.answer)
    return ClickUpClient(
        TOKEN,
        "http://localhost/api/v2",
        transport=transport,
        cache=lambda token: ClickUpCache(database, token),
    )


async def test_a_list_is_read_once_until_it_is_asked_for_afresh_or_we_change_a_task(
    database: Database,
) -> None:
    clickup = Lists()
    ours, theirs = client_of(database, clickup), client_of(database, clickup)
    reader = ClickUpReader(ours, "9015")

    async def read(fresh: bool = False) -> TaskRead:
        return await reader.tasks_together(["901"], None, "due", [], fresh=fresh)

    first, again = await read(), await read()
    assert (clickup.reads, first.as_of, again.rows) == (1, None, first.rows)
    assert again.as_of
    assert (await read(fresh=True)).as_of is None
    assert clickup.reads == 2

    await ClickUpWriter(theirs).update_task("86a", TaskEdit(fields=("title",), name="Fix it"))

    assert [(await read()).as_of for _ in range(2)] == [None, None]
    assert clickup.reads == 4
