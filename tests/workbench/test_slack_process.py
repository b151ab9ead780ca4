import asyncio
import json
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from aiohttp import ClientSession
from slack_app import INES, INES_DM, said

from workbench.__main__ import open_storage, read_options
from workbench.seed import is_empty

HELLO = {"channel": INES_DM, "user": INES, "text": "hello"}


# Loading every pydantic plugin of the machine takes longer than all the rest.
QUICKLY = {**os.environ, "PYDANTIC_DISABLE_PLUGINS": "__all__"}


async def start(*options: str) -> Process:
    words = (sys.executable, "-m", "workbench", *options)
    return await asyncio.create_subprocess_exec(*words, stdout=PIPE, stderr=PIPE, env=QUICKLY)


async def read_door(process: Process) -> tuple[int, dict[str, str]]:
    assert process.stdout
    ready = json.loads(await asyncio.wait_for(process.stdout.readline(), 300))
    return ready["port"], {"X-Workbench-Token": ready["token"]}


async def test_a_killed_workbench_keeps_everything(tmp_path: Path) -> None:
    data = str(tmp_path / "new" / "workbench.sqlite")
    first = await start("--data", data)
    port, key = await read_door(first)
    control = f"http://127.0.0.1:{port}/_control"
    async with ClientSession() as http:
        async with http.post(f"{control}/message", json=HELLO, headers=key) as answer:
            assert answer.status == 200
        first.kill()
        await first.communicate()
        second = await start("--data", data, "--port", str(port), "--retry-delays", "0,1")
        again, key = await read_door(second)
        assert again == port
        async with http.get(f"{control}/messages/{INES_DM}", headers=key) as answer:
            assert said((await answer.json())["messages"]) == ["hello"]
        second.send_signal(signal.SIGTERM)
        await second.communicate()
        assert second.returncode == 0


async def test_a_taken_port_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = await start("--port", str(taken.getsockname()[1]))
        _, complaint = await process.communicate()
    assert process.returncode == 1
    assert complaint.startswith(b"the workbench cannot start: ")
    assert complaint.count(b"\n") == 1


def test_a_reset_starts_afresh(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path / "workbench.sqlite")]
    storage = open_storage(read_options(data))
    assert not is_empty(storage)
    storage.put("slack/messages/D01INES", "1", {"ts": "1"})
    storage.close()
    kept = open_storage(read_options(data))
    assert len(kept.all("slack/messages/D01INES")) == 1
    kept.close()
    fresh = open_storage(read_options([*data, "--reset"]))
    assert fresh.all("slack/messages/D01INES") == []
    assert not is_empty(fresh)
    fresh.close()


def test_the_options_have_slacks_own_delays() -> None:
    options = read_options([])
    assert (options.retry_delays, options.ack_timeout) == ((0.0, 60.0, 300.0), 3.0)
    assert read_options(["--retry-delays", "0, 0.5"]).retry_delays == (0.0, 0.5)
