"""The processes that the demo's supervisor starts of this program, and their environments."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from dotenv import dotenv_values

from agencyclaw.cli.main import UNAVAILABLE
from agencyclaw.cli.running_demo import (
    WorkbenchClient,
    demo_settings,
    replaced,
    workbench_environment,
)
from agencyclaw.domain.errors import Unavailable
from agencyclaw.settings import SCRIPTED

_READY_S = 90.0
_RESTART_PAUSE_S = 1.0
# These are the fictional agency's; one that is set up has its own.
_OF_THE_TOUR = ("SUPER_ADMIN_PROFILE_IDS", "CLICKUP_DOCS")


def start_command(
    arguments: Sequence[str],
    environment: dict[str, str],
    *,
    folder: Path | None = None,
    output: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start one of our commands, which ends when its standard input does."""
    return subprocess.Popen(  # noqa: S603  (our own modules, no shell)
        [sys.executable, "-m", "agencyclaw", *arguments, "--until-eof"],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=output,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )


def stop_process(process: subprocess.Popen[bytes]) -> None:
    """End a process, if it runs."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class CommandProcess:
    """One of our commands as a process of its own."""

    _process: subprocess.Popen[bytes]

    @property
    def exit_code(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.poll()

    def stop(self) -> None:
        """End it, if it runs."""
        stop_process(self._process)


class AssistantProcess(CommandProcess):
    """The assistant, which may end and be started again."""

    def __init__(
        self,
        environment: dict[str, str],
        *,
        fresh: bool = False,
        folder: Path | None = None,
    ) -> None:
        self._environment = environment
        self._fresh = fresh
        self._folder = folder
        self._process = self._start()

    def await_connection(self, client: WorkbenchClient, workbench: subprocess.Popen[bytes]) -> None:
        """Wait until it listens; it may have been quicker than the workbench.

        Until then a restart still empties the database if that was asked for.
        """
        deadline = time.monotonic() + _READY_S
        while time.monotonic() < deadline:
            if workbench.poll() is not None:
                raise Unavailable("The workbench ended; see the message above.")
            if self.exit_code == UNAVAILABLE:
                self.restart()
            elif self.exit_code is not None:
                break
            if _is_connected(client):
                self._fresh = False
                return
            time.sleep(0.05)
        raise Unavailable("The assistant could not start; see the message above.")

    def restart(self) -> None:
        """Start it again after it ended, and pause: what ended it may last."""
        self._process = self._start()
        time.sleep(_RESTART_PAUSE_S)

    def _start(self) -> subprocess.Popen[bytes]:
        """Start it on the fictional agency, or on the one that was set up in its folder."""
        of_the_tour = [] if self._folder else ["--demo-agency"]
        arguments = ["serve", *of_the_tour, *(["--fresh"] if self._fresh else [])]
        return start_command(arguments, self._environment, folder=self._folder)


def _is_connected(client: WorkbenchClient) -> bool:
    """Return whether an assistant listens; a busy workbench says so later."""
    try:
        return bool(client.get("state").get("connections"))
    except Unavailable:
        return False


def own_folder(home: Path) -> Path:
    """Return the folder of the agency that is set up in the demo of this home."""
    return home / "own-agency"


class OwnAgency:
    """The folder of an agency that is set up in the demo: its settings and its database."""

    def __init__(self, home: Path, address: str, inherited: Mapping[str, str]) -> None:
        self.folder = own_folder(home)
        self._address = address
        self._inherited = inherited

    @property
    def is_set_up(self) -> bool:
        """Whether it has a super admin."""
        return bool(dotenv_values(self.folder / ".env").get("SUPER_ADMIN_PROFILE_IDS"))

    @property
    def model(self) -> str:
        """The model that was chosen in its setup; "" if none was."""
        return dotenv_values(self.folder / ".env").get("AGENCYCLAW_MODEL") or ""

    def environment(self, of_demo: Mapping[str, str]) -> dict[str, str]:
        """Return the variables for its commands; its own model goes before the demo's script.

        Real settings apply as little as in the tour, and the tour's own not at all.
        """
        connected = workbench_environment(self._address)
        kept = {name: value for name, value in connected.items() if name not in _OF_THE_TOUR}
        ours = {*connected, *(name.upper() for name in demo_settings())}
        inherited = {
            name: value for name, value in self._inherited.items() if name.upper() not in ours
        }
        chosen = dict(of_demo)
        if self.model and chosen.get("AGENCYCLAW_MODEL") == SCRIPTED:
            del chosen["AGENCYCLAW_MODEL"]
        return replaced(inherited, kept | chosen | {"AGENCYCLAW_HOME": str(self.folder)})


class SetupProcess(CommandProcess):
    """`agencyclaw setup --page` for an agency in the demo; what it prints goes to a file."""

    def __init__(self, agency: OwnAgency, model: Mapping[str, str]) -> None:
        agency.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._printed = agency.folder / "setup.log"
        # It holds the page's key.
        descriptor = os.open(self._printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as output:
            self._process = start_command(
                ["setup", "--page"],
                agency.environment(model),
                folder=agency.folder,
                output=output.fileno(),
            )

    @property
    def address(self) -> str:
        """The page's address with its key; "" until it listens."""
        lines = self._printed.read_text(encoding="utf-8").splitlines()
        return next((line.strip() for line in lines if line.strip().startswith("http://")), "")
