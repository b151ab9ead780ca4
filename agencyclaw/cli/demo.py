"""`agencyclaw demo`: a Slack workspace and a ClickUp in the browser, and the assistant in them.

A small supervisor of two processes. The workspace outlives the assistant; an assistant that dies is
restarted and finds everything it had promised in its database.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError

from agencyclaw.cli.local_models import LocalModels, find_local_models
from agencyclaw.domain.errors import Unavailable
from agencyclaw.settings import SCRIPTED, Settings, load_settings

TEAM = "90100400001"
DOCS = "90100500008"
INES = "eba9b492-c907-57f8-80a3-3c6bf3b3f6d1"
_SHARED = {
    "agencyclaw_guides",
    "agencyclaw_log_format",
    "agencyclaw_log_level",
    "agencyclaw_model",
    "agencyclaw_model_fast",
    "agencyclaw_model_frontier",
    "agencyclaw_sandbox",
    "agencyclaw_trace_content",
    "logfire_token",
    "otel_exporter_otlp_endpoint",
    "otel_exporter_otlp_traces_endpoint",
}
_READY_S = 90.0
_PARTING_S = 5.0
_UNREACHABLE = 3
_SCRIPT_NOTICE = (
    "No language model is connected: a script answers, and knows only the sentences of the tour. "
    "Everything else here is real."
)


def run_demo(*, reset: bool, first_port: int) -> int:
    """Start both processes, print the address, and stay until Ctrl-C; returns the exit code."""
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, _interrupt)
    home = demo_home(load_settings())
    home.mkdir(parents=True, exist_ok=True)
    if workbench_page := _await_end(home):
        raise Unavailable(f"A demo is running already: {workbench_page.page}\nStop that one first.")
    if load_settings().database_url:
        print("The demo keeps a database of its own; DATABASE_URL is not used.", flush=True)
    if reset or not (home / "workbench.sqlite").exists():
        print("Preparing the database and the demo agency ...", flush=True)
    listener = _listen(first_port)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    environment = {**_traced(address), **_environment(), **_assistant_environment(address)}
    environment["AGENCYCLAW_HOME"] = str(home)
    workbench = _start_workbench(home, listener, reset=reset)
    assistant = _start_assistant(environment, fresh=reset)
    try:
        workbench_page = _note_workbench(home, workbench)
        assistant = _await_assistant(workbench_page, assistant, environment)
        model = load_settings().model
        local = find_local_models() if model == SCRIPTED else []
        workbench_page.post("notice", page_hints(model, local))
        print(_welcome(workbench_page, model, local), flush=True)
        return _keep_running(workbench, assistant, environment)
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(assistant)
        _stop(workbench)
        (home / "workbench.json").unlink(missing_ok=True)


@dataclass(frozen=True)
class DemoWorkbench:
    """The address of a running workbench, and the token of its page and control API."""

    address: str
    token: str

    @property
    def page(self) -> str:
        """The address to open in a browser."""
        return f"{self.address}/?token={self.token}"

    def get(self, what: str) -> dict[str, Any]:
        """Send a GET to the control API."""
        return self._ask(what, None)

    def post(self, what: str, body: dict[str, Any]) -> None:
        """Send a POST to the control API."""
        self._ask(what, json.dumps(body).encode())

    def _ask(self, what: str, body: bytes | None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-Workbench-Token": self.token}
        url = f"{self.address}/_control/{what}"
        request = urllib.request.Request(url, body, headers)  # noqa: S310  (our own loopback)
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
            return json.load(answer)


def _welcome(workbench_page: DemoWorkbench, model: str, local: Sequence[LocalModels]) -> str:
    if model == SCRIPTED:
        model = "none, a script plays the tour (set OPENAI_API_KEY to talk freely)"
    offers = "".join(f"{one.offer} To use it:\n  {one.command}\n" for one in local)
    return (
        f"\nAgencyClaw is ready: {workbench_page.page}\nLanguage model: {model}\n{offers}"
        "Stop with Ctrl-C."
    )


def demo_home(settings: Settings) -> Path:
    """Return the folder of everything the demo owns, apart from real data."""
    return settings.agencyclaw_home.absolute() / "demo"


def demo_database(settings: Settings) -> dict[str, object]:
    """Return the settings of the demo's database, and of no other."""
    home = demo_home(settings)
    note = _read_note(home)
    runs = f"{note['address']}/runs?token={note['token']}#{{run}}" if note else ""
    return demo_settings() | {
        "agencyclaw_home": home,
        "agencyclaw_trace_url": settings.agencyclaw_trace_url or runs,
    }


def demo_settings() -> dict[str, object]:
    """Return the settings that the demo overrides.

    Of the real settings only those for models, telemetry and experiments apply here: no database,
    no port, no limit.
    """
    kept = _SHARED | {"agencyclaw_home"} | {name.lower() for name in _assistant_environment("")}
    return {
        name: field.get_default(call_default_factory=True)
        for name, field in Settings.model_fields.items()
        if name not in kept
    }


def demo_environment(settings: Settings) -> dict[str, object]:
    """Return the settings of a running demo for other commands; empty if none is running."""
    workbench_page = _running(demo_home(settings))
    if not workbench_page:
        return {}
    names = _assistant_environment(workbench_page.address)
    return {key.lower(): value for key, value in names.items()} | demo_database(settings)


def _assistant_environment(address: str) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": "xoxb-workbench",
        "SLACK_APP_TOKEN": "xapp-workbench",
        "SLACK_API_URL": f"{address}/api/",
        "CLICKUP_API_TOKEN": "pk_workbench",
        "CLICKUP_API_URL": f"{address}/clickup/api/v2",
        "CLICKUP_TEAM_ID": TEAM,
        "CLICKUP_DOCS": DOCS,
        "CLICKUP_LIST_LAG_S": "5",
        "CLICKUP_LOOK_DELAYS": "1,2,3",
        "SUPER_ADMIN_PROFILE_IDS": INES,
    }


def _environment() -> dict[str, str]:
    """Return the children's environment; compiled code makes later starts quicker."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _traced(address: str) -> dict[str, str]:
    """Return where spans go: to the workbench, unless a collector is configured."""
    settings = load_settings()
    if settings.otel_exporter_otlp_endpoint or settings.otel_exporter_otlp_traces_endpoint:
        return {}
    return {
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{address}/v1/traces",
        "OTEL_BSP_SCHEDULE_DELAY": "300",
        "AGENCYCLAW_TRACE_CONTENT": "true",
    }


def _start_workbench(
    home: Path, listener: socket.socket, *, reset: bool
) -> subprocess.Popen[bytes]:
    """Start it on a socket that listens already: another demo could take a port that is only free.

    The socket is the child's from then on.
    """
    words = [
        "--fd",
        str(listener.fileno()),
        "--data",
        str(home / "workbench.sqlite"),
        "--until-eof",
    ]
    with listener:
        return subprocess.Popen(  # noqa: S603  (our own modules, no shell)
            [sys.executable, "-m", "workbench", *words, *(["--reset"] if reset else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**_environment(), "PYDANTIC_DISABLE_PLUGINS": "__all__"},
            pass_fds=(listener.fileno(),),
            start_new_session=True,
        )


def _start_assistant(
    environment: dict[str, str], *, fresh: bool = False
) -> subprocess.Popen[bytes]:
    words = ["serve", "--demo-agency", "--until-eof", *(["--fresh"] if fresh else [])]
    return subprocess.Popen(  # noqa: S603  (our own modules, no shell)
        [sys.executable, "-m", "agencyclaw", *words],
        stdin=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )


def _note_workbench(home: Path, workbench: subprocess.Popen[bytes]) -> DemoWorkbench:
    """Read the workbench's address and save it for our other commands."""
    assert workbench.stdout is not None
    line = workbench.stdout.readline()
    if not line:
        raise Unavailable("The workbench could not start; see the message above.")
    ready = json.loads(line)
    workbench_page = DemoWorkbench(f"http://127.0.0.1:{ready['port']}", ready["token"])
    note = home / "workbench.json"
    note.unlink(missing_ok=True)
    note.touch(mode=0o600)
    note.write_text(json.dumps({**asdict(workbench_page), "demo": os.getpid()}), encoding="utf-8")
    return workbench_page


def _running(home: Path) -> DemoWorkbench | None:
    """Return the address of the demo that runs on this home, if any."""
    note = _read_note(home)
    workbench_page = DemoWorkbench(str(note.get("address", "")), str(note.get("token", "")))
    try:
        workbench_page.get("state")
    except (URLError, OSError, ValueError):
        return None
    return workbench_page


def _read_note(home: Path) -> dict[str, Any]:
    try:
        return json.loads((home / "workbench.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _await_end(home: Path) -> DemoWorkbench | None:
    """Give a demo whose supervisor died a moment to end; return the address of a running one."""
    deadline = time.monotonic() + _PARTING_S
    while (workbench_page := _running(home)) and time.monotonic() < deadline:
        if _is_alive(int(_read_note(home).get("demo", 0))):
            return workbench_page
        time.sleep(0.1)
    return workbench_page


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid > 0


def _listen(first: int) -> socket.socket:
    """Listen on the first port that is free, starting at `first`."""
    for port in range(first, first + 200):
        with suppress(OSError):
            return socket.create_server(("127.0.0.1", port))
    raise Unavailable(f"No free port between {first} and {first + 199}.")


def _await_assistant(
    workbench_page: DemoWorkbench, assistant: subprocess.Popen[bytes], environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    """Wait until the assistant listens; it may have been quicker than the workbench."""
    deadline = time.monotonic() + _READY_S
    while time.monotonic() < deadline:
        if assistant.poll() is not None:
            if assistant.returncode != _UNREACHABLE:
                break
            assistant = _start_assistant(environment)
        if workbench_page.get("state").get("connections"):
            return assistant
        time.sleep(0.05)
    raise Unavailable("The assistant could not start; see the message above.")


def _keep_running(
    workbench: subprocess.Popen[bytes],
    assistant: subprocess.Popen[bytes],
    environment: dict[str, str],
) -> int:
    """Restart the assistant when it dies; end when the workbench ends."""
    try:
        while workbench.poll() is None:
            if assistant.poll() is not None:
                print("The assistant ended; starting it again.", flush=True)
                assistant = _start_assistant(environment)
                time.sleep(1.0)
            time.sleep(0.2)
    except KeyboardInterrupt:
        return 0
    finally:
        _stop(assistant)
    print("The workbench ended unexpectedly, so the demo ends too.", file=sys.stderr)
    return 1


def _stop(process: subprocess.Popen[bytes] | None) -> None:
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def page_hints(model: str, local: Sequence[LocalModels]) -> dict[str, Any]:
    """Return what the page shows above the conversation, and the sentences it offers to send."""
    if model != SCRIPTED:
        return {"notice": f"The language model {model} answers here."}
    from agencyclaw.agents.script_file import tour

    script = tour()
    offers = [f"{one.offer} The demo's terminal says how to use it." for one in local]
    return {
        "notice": " ".join((_SCRIPT_NOTICE, *offers)),
        "tour": [turn.say[0] for turn in script.turns],
        "admins": [turn.say[0] for turn in script.admins],
        "known": [line for turn in script.known for line in turn.say],
    }


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
