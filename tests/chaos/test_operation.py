"""What whoever operates it sees and relies on: health, metrics, an end in good order."""

from __future__ import annotations

import contextlib
import random
import re
import socket
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiohttp import ClientError
from crowd import Ledger
from faults import Faults
from ground import PATIENT, Ground, ground_of_its_own
from processes import SERVE, ProcessPool
from reckoning import Verdict, reckon, settle
from test_workers import answer, say

from workbench.slack.http_delivery import SECRET
from workbench.slack.records import TEAM

# Below those that the system gives to whoever asks for any.
PORTS = (20_000, 32_000)
OPERATE = Path(__file__).parents[2] / "docs" / "operate.md"


@dataclass
class Watch:
    """What can be asked of a process over HTTP."""

    ground: Ground
    port: int

    async def ask(self, path: str) -> tuple[int, str]:
        url = f"http://127.0.0.1:{self.port}{path}"
        async with self.ground.bench.http.get(url) as told:
            return told.status, await told.text()

    async def is_ready(self) -> bool:
        try:
            return (await self.ask("/readyz"))[0] == 200
        except (OSError, ClientError):
            return False

    async def metric(self, line: str) -> float:
        """The sum of all samples whose name and labels match."""
        _, text = await self.ask("/metrics")
        return sum(float(v) for v in re.findall(rf"^{line} (\S+)$", text, re.MULTILINE))


def free_port() -> int:
    """One that nobody is given by chance before the process takes it."""
    while True:
        port = random.randrange(*PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@pytest.fixture
async def watch(ground: Ground) -> Watch:
    port = free_port()
    ground.environment["AGENCYCLAW_HTTP_PORT"] = str(port)
    return Watch(ground, port)


async def test_health_and_metrics_tell_what_a_message_was(watch: Watch) -> None:
    ground, ledger = watch.ground, Ledger()
    await ground.start()
    await ground.bench.until(watch.is_ready)
    await answer(ground, await say(ground, ledger, "due 1"))
    await answer(ground, await say(ground, ledger, "refuses 2"))
    assert await settle(ground) == {}

    assert (await watch.ask("/healthz"))[0] == 200
    turns = r'agencyclaw_turn_duration_seconds_count\{outcome="handled"\}'
    assert await watch.metric(turns) == 2
    assert await watch.metric(r"agencyclaw_apologies_total\{.*\}") == 1
    tools = r'agencyclaw_tool_calls_total\{outcome="returned",tool="list_tasks"\}'
    assert await watch.metric(tools) == 1
    assert await watch.metric(r"agencyclaw_tokens_total\{.*\}") > 0
    posts = r'agencyclaw_slack_calls_total\{method="chat.postMessage",outcome="ok"\}'
    assert await watch.metric(posts) == 2
    assert await watch.metric(r'agencyclaw_clickup_requests_total\{.*status="200".*\}') >= 1
    assert await watch.metric(r'agencyclaw_receipts\{.*status="done"\}') == 2
    assert (await watch.ask("/nowhere"))[0] == 404
    documented = set(re.findall(r"`(agencyclaw_[a-z_]+)", OPERATE.read_text(encoding="utf-8")))
    text = (await watch.ask("/metrics"))[1]
    assert [name for name in sorted(documented) if f"# HELP {name} " not in text] == []


async def test_without_its_database_it_is_alive_and_not_ready(pool: ProcessPool) -> None:
    port = free_port()
    where = {"AGENCYCLAW_HTTP_PORT": str(port), **PATIENT}
    async with ground_of_its_own(pool, **where) as (ground, home):
        watch = Watch(ground, port)
        await ground.start()
        await ground.bench.until(watch.is_ready)
        faults = Faults(ground, random.Random(1), home)
        faults.kill_postgres(3.0)

        async def is_unready() -> bool:
            status, told = await watch.ask("/readyz")
            return status == 503 and '"database": false' in told

        await ground.bench.until(is_unready)
        assert (await watch.ask("/healthz"))[0] == 200
        assert (await watch.ask("/metrics"))[0] == 200
        await faults.clear_up()
        await ground.bench.until(watch.is_ready)


async def test_serving_over_http_the_process_answers_slack_at_its_port(watch: Watch) -> None:
    ground, ledger = watch.ground, Ledger()
    ground.environment["SLACK_SIGNING_SECRET"] = SECRET
    ground.words = (*SERVE, "--http")
    life = await ground.start()
    await ground.bench.until(watch.is_ready)
    await ground.bench.deliver_to(f"http://127.0.0.1:{watch.port}/slack/events")

    await answer(ground, await say(ground, ledger, "hello 1"))
    assert await settle(ground) == {}
    assert await reckon(ground, ledger) == Verdict(answered=1)
    life.terminate()
    assert await life.ended_within()
    assert life.died.result() == 0


async def test_asked_to_end_it_hands_over_what_takes_too_long(ground: Ground) -> None:
    ledger = Ledger()
    ground.environment["AGENCYCLAW_DRAIN_S"] = "0.1"
    life = await ground.start()
    await ground.connected()
    said = await say(ground, ledger, "slow 1")
    async with ground.database() as database:
        running = "select 1 from agent_runs where status = 'running'"
        while not await database.fetch(running):
            pass
    life.terminate()
    assert await life.ended_within()
    assert life.died.result() == 0
    await ground.start()

    await answer(ground, said)
    assert await settle(ground) == {}
    assert await reckon(ground, ledger) == Verdict(answered=1)


async def test_its_log_tells_its_start_its_end_and_the_settings_it_ignores(ground: Ground) -> None:
    ground.environment["AGENCYCLAW_MODLE"] = "x"
    life = await ground.start()
    await ground.connected()
    life.terminate()
    assert await life.ended_within()

    said = [" ".join(line.split(" ")[1:]) for line in life.lines]
    told = [line for line in said if "agencyclaw started" in line or line.startswith("warning")]
    assert "Did you mean AGENCYCLAW_MODEL?" in told[0]
    assert told[1] == f"info agencyclaw started model=scripted slack=socket team={TEAM}"
    assert said[-2:] == ["info agencyclaw draining at_most_s=10.0", "info agencyclaw stopped"]
