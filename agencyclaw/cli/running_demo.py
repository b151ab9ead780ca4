"""The demo as the other commands use it: its folder, its address while it runs, its settings."""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any

from agencyclaw.domain.errors import Unavailable
from agencyclaw.settings import Settings

CLICKUP_TEAM = "90100400001"
CLICKUP_DOCS = "90100500008"
INES = "eba9b492-c907-57f8-80a3-3c6bf3b3f6d1"
# These settings are the demo's too; all others have their defaults there.
_SHARED = {
    "agencyclaw_clock_ahead_s",
    "agencyclaw_guides",
    "agencyclaw_log_format",
    "agencyclaw_log_level",
    "agencyclaw_model",
    "agencyclaw_model_fast",
    "agencyclaw_model_frontier",
    "agencyclaw_quiet_hours",
    "agencyclaw_sandbox",
    "agencyclaw_trace_content",
    "logfire_token",
    "otel_exporter_otlp_endpoint",
    "otel_exporter_otlp_traces_endpoint",
}


@dataclass(frozen=True)
class WorkbenchClient:
    """Calls the control API of a running workbench; raises Unavailable if it doesn't answer."""

    address: str
    token: str

    @property
    def page(self) -> str:
        """The address to open in a browser."""
        return f"{self.address}/?token={self.token}"

    def get(self, path: str) -> dict[str, Any]:
        """Send a GET and return the answer."""
        return self._request(path, None)

    def post(self, path: str, body: dict[str, Any]) -> None:
        """Send a POST."""
        self._request(path, json.dumps(body).encode())

    def _request(self, path: str, body: bytes | None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-Workbench-Token": self.token}
        url = f"{self.address}/_control/{path}"
        try:
            request = urllib.request.Request(url, body, headers)  # noqa: S310  (our own loopback)
            with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
                return json.load(answer)
        except (OSError, HTTPException, ValueError) as error:
            raise Unavailable(f"The workbench does not answer at {self.address}.") from error


def demo_home(settings: Settings) -> Path:
    """Return the folder of everything the demo owns, apart from real data."""
    return settings.agencyclaw_home.absolute() / "demo"


def save_address(home: Path, workbench: WorkbenchClient) -> None:
    """Save the workbench's address and token, and who supervises it; only its owner may read it."""
    file = _address_file(home)
    file.unlink(missing_ok=True)
    file.touch(mode=0o600)
    file.write_text(json.dumps({**asdict(workbench), "demo": os.getpid()}), encoding="utf-8")


def forget_address(home: Path) -> None:
    """Delete the saved address."""
    _address_file(home).unlink(missing_ok=True)


def running_workbench(home: Path) -> WorkbenchClient | None:
    """Return the workbench of the demo that runs in this folder, if any."""
    saved = _saved_address(home)
    workbench = WorkbenchClient(str(saved.get("address", "")), str(saved.get("token", "")))
    try:
        workbench.get("state")
    except Unavailable:
        return None
    return workbench


def is_supervised(home: Path) -> bool:
    """Return whether the demo that saved its address here is still alive."""
    pid = int(_saved_address(home).get("demo", 0))
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return pid > 0


def _saved_address(home: Path) -> dict[str, Any]:
    try:
        return json.loads(_address_file(home).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _address_file(home: Path) -> Path:
    return home / "workbench.json"


def replaced(environment: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """Return an environment with these values; Settings take a name in either case."""
    names = {name.upper() for name in values}
    rest = {name: value for name, value in environment.items() if name.upper() not in names}
    return {**rest, **values}


def workbench_environment(address: str) -> dict[str, str]:
    """Return the variables that connect the assistant to the workbench at this address."""
    return {
        "SLACK_BOT_TOKEN": "xoxb-workbench",
        "SLACK_APP_TOKEN": "xapp-workbench",
        "SLACK_API_URL": f"{address}/api/",
        "CLICKUP_API_TOKEN": "pk_workbench",
        "CLICKUP_API_URL": f"{address}/clickup/api/v2",
        "CLICKUP_TEAM_ID": CLICKUP_TEAM,
        "CLICKUP_DOCS": CLICKUP_DOCS,
        "CLICKUP_LIST_LAG_S": "5",
        "CLICKUP_LOOK_DELAYS": "1,2,3",
        "SUPER_ADMIN_PROFILE_IDS": INES,
        "AGENCYCLAW_SCRIPT_PACE_S": "0.7",
    }


def demo_settings() -> dict[str, object]:
    """Return the settings that the demo overrides.

    Of the real settings only those for models, telemetry and experiments apply here: no database,
    no port, no limit.
    """
    kept = _SHARED | {"agencyclaw_home"} | {name.lower() for name in workbench_environment("")}
    return {
        name: field.get_default(call_default_factory=True)
        for name, field in Settings.model_fields.items()
        if name not in kept
    }


def demo_database(settings: Settings) -> dict[str, object]:
    """Return the settings of the demo's database, and of no other."""
    home = demo_home(settings)
    saved = _saved_address(home)
    run_page = f"{saved['address']}/runs?token={saved['token']}#{{run}}" if saved else ""
    return demo_settings() | {
        "agencyclaw_home": home,
        "agencyclaw_trace_url": settings.agencyclaw_trace_url or run_page,
    }


def demo_environment(settings: Settings) -> dict[str, object]:
    """Return the settings of a running demo for other commands; empty if none is running."""
    workbench = running_workbench(demo_home(settings))
    if workbench is None:
        return {}
    variables = {**workbench_environment(workbench.address), "AGENCYCLAW_MODEL": settings.model}
    return {name.lower(): value for name, value in variables.items()} | demo_database(settings)
