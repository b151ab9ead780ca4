"""`agencyclaw demo`: a Slack workspace and a ClickUp in the browser, and the assistant in them.

A small supervisor of two processes. The workspace outlives the assistant; an assistant that dies is
restarted and finds everything it had promised in its database.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from agencyclaw.cli.demo_processes import (
    AssistantProcess,
    OwnAgency,
    own_folder,
    stop_process,
)
from agencyclaw.cli.demo_switching import DemoSwitching
from agencyclaw.cli.local_models import LocalModels
from agencyclaw.cli.running_demo import (
    WorkbenchClient,
    demo_home,
    forget_address,
    is_supervised,
    replaced,
    running_workbench,
    save_address,
    workbench_environment,
)
from agencyclaw.domain.errors import Misconfigured, Unavailable
from agencyclaw.settings import SCRIPTED, Settings, load_settings

_PARTING_S = 5.0


def run_demo(*, reset: bool, first_port: int) -> int:
    """Start both processes, print the address, and stay until Ctrl-C; returns the exit code."""
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, _interrupt)
    settings = load_settings()
    home = demo_home(settings)
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Misconfigured(f"AGENCYCLAW_HOME can't be used: {error}.") from None
    if other := _other_demo(home):
        raise Unavailable(f"A demo is running already: {other.page}\nStop that one first.")
    if settings.database_url:
        print("The demo keeps a database of its own; DATABASE_URL is not used.", flush=True)
    if reset or not (home / "workbench.sqlite").exists():
        print("Preparing the database and the demo agency ...", flush=True)
    if reset:
        shutil.rmtree(own_folder(home), ignore_errors=True)
    listener = _listen(first_port)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    environment = replaced(
        {**_tracing_environment(settings, address), **_inherited_environment()},
        {**workbench_environment(address), "AGENCYCLAW_HOME": str(home)},
    )
    workbench = _start_workbench(home, listener, reset=reset)
    assistant = AssistantProcess(environment, fresh=reset)
    switching: DemoSwitching | None = None
    try:
        client = _connect(workbench)
        save_address(home, client)
        own = OwnAgency(home, address, _inherited_environment())
        switching = DemoSwitching(client, own, environment, assistant, settings.model)
        switching.begin(workbench)
        print(_welcome(client.page, settings.model, switching.local), flush=True)
        return switching.keep_running(workbench)
    except KeyboardInterrupt:
        return 0
    finally:
        (switching or assistant).stop()
        stop_process(workbench)
        forget_address(home)


def _other_demo(home: Path) -> WorkbenchClient | None:
    """Return the workbench of a demo that runs already.

    A demo whose supervisor died gets a moment to end.
    """
    deadline = time.monotonic() + _PARTING_S
    while (workbench := running_workbench(home)) and time.monotonic() < deadline:
        if is_supervised(home):
            return workbench
        time.sleep(0.1)
    return workbench


def _listen(first_port: int) -> socket.socket:
    """Listen on the first port that is free, starting at `first_port`."""
    for port in range(first_port, first_port + 200):
        with suppress(OSError, OverflowError):
            return socket.create_server(("127.0.0.1", port))
    raise Unavailable(f"No free port between {first_port} and {first_port + 199}.")


def _tracing_environment(settings: Settings, address: str) -> dict[str, str]:
    """Return where spans go: to the workbench, unless a collector is configured."""
    if settings.otel_exporter_otlp_endpoint or settings.otel_exporter_otlp_traces_endpoint:
        return {}
    return {
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{address}/v1/traces",
        "OTEL_BSP_SCHEDULE_DELAY": "300",
        "AGENCYCLAW_TRACE_CONTENT": "true",
    }


def _inherited_environment() -> dict[str, str]:
    """Return our environment for a child; compiled code makes later starts quicker."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _start_workbench(
    home: Path, listener: socket.socket, *, reset: bool
) -> subprocess.Popen[bytes]:
    """Start it on a socket that listens already: another demo could take a port that is only free.

    The socket is the child's from then on.
    """
    arguments = ["--fd", str(listener.fileno()), "--data", str(home / "workbench.sqlite")]
    with listener:
        return subprocess.Popen(  # noqa: S603  (our own modules, no shell)
            [sys.executable, "-m", "workbench", *arguments, "--until-eof"]
            + (["--reset"] if reset else []),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**_inherited_environment(), "PYDANTIC_DISABLE_PLUGINS": "__all__"},
            pass_fds=(listener.fileno(),),
            start_new_session=True,
        )


def _connect(workbench: subprocess.Popen[bytes]) -> WorkbenchClient:
    """Read from the workbench where it listens; raises Unavailable if it ended instead."""
    assert workbench.stdout is not None
    line = workbench.stdout.readline()
    if not line:
        raise Unavailable("The workbench could not start; see the message above.")
    ready = json.loads(line)
    return WorkbenchClient(f"http://127.0.0.1:{ready['port']}", ready["token"])


def _welcome(page: str, model: str, local: Sequence[LocalModels]) -> str:
    if model == SCRIPTED:
        model = "none, a script plays the tour (set OPENAI_API_KEY to talk freely)"
    offers = "".join(f"{models.offer} To use it:\n  {models.command}\n" for models in local)
    return f"\nAgencyClaw is ready: {page}\nLanguage model: {model}\n{offers}Stop with Ctrl-C."


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
