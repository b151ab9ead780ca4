"""Switches a running demo to another agency or another model, as its page asks."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from agencyclaw.cli.demo_hints import OWN_NOTICE, agency_hints, clock_hints, page_hints
from agencyclaw.cli.demo_processes import AssistantProcess, OwnAgency, SetupProcess
from agencyclaw.cli.local_models import find_local_models
from agencyclaw.cli.main import CONFIGURATION
from agencyclaw.cli.running_demo import WorkbenchClient, replaced
from agencyclaw.domain.errors import Unavailable
from agencyclaw.settings import DEFAULT_OPENAI, SCRIPTED

_PAUSE_S = 0.25
_AHEAD_AT_MOST_S = 366 * 24 * 3_600
_UNFINISHED = "Setup ended before all was green; what it did is kept."
_NO_MODEL = "That model could not be used; the terminal says why."


class DemoSwitching:
    """Keeps the assistant of the chosen agency running with the chosen model."""

    def __init__(
        self,
        client: WorkbenchClient,
        own: OwnAgency,
        tour_environment: dict[str, str],
        assistant: AssistantProcess,
        model: str,
    ) -> None:
        self.local = find_local_models() if model == SCRIPTED else []
        self._client = client
        self._own = own
        self._tour_environment = tour_environment
        self._assistant = assistant
        self._model = model
        is_script = model == SCRIPTED
        self._model_environment = {"AGENCYCLAW_MODEL": SCRIPTED} if is_script else {}
        self._former_model: tuple[str, dict[str, str]] | None = None
        self._ahead = timedelta()
        self._is_own = False
        self._setup: SetupProcess | None = None
        self._hints: dict[str, Any] = {}
        self._remark = ""

    def begin(self, workbench: subprocess.Popen[bytes]) -> None:
        """Wait until the assistant listens, and tell the page what there is."""
        self._assistant.await_connection(self._client, workbench)
        self._show()

    def stop(self) -> None:
        """End what was started."""
        if self._setup:
            self._setup.stop()
        self._assistant.stop()

    def keep_running(self, workbench: subprocess.Popen[bytes]) -> int:
        """Restart the assistant when it dies, and switch as asked, until the workbench ends."""
        while workbench.poll() is None:
            if self._assistant.exit_code is not None:
                self._restart()
            for request in self._requests():
                self._carry_out(request)
            self._follow_setup()
            self._show()
            time.sleep(_PAUSE_S)
        print("The workbench ended unexpectedly, so the demo ends too.", file=sys.stderr)
        return 1

    def _restart(self) -> None:
        """Start it again, with the former model if its first start with another one failed."""
        former, self._former_model = self._former_model, None
        if self._assistant.exit_code == CONFIGURATION and former:
            self._remark = _NO_MODEL
            self._model, self._model_environment = former
            self._start()
            return
        print("The assistant ended; starting it again.", flush=True)
        self._assistant.restart()

    def _requests(self) -> list[Mapping[str, str]]:
        try:
            return self._client.get("supervisor")["requests"]
        except Unavailable:
            return []  # It is busy, or about to end.

    def _carry_out(self, request: Mapping[str, str]) -> None:
        self._remark = ""
        match request["kind"]:
            case "set_up" if self._setup is None:
                self._setup = SetupProcess(self._own, self._model_environment)
            case "own_agency" if self._own.is_set_up:
                self._switch(is_own=True)
            case "tour":
                self._switch(is_own=False)
            case "model":
                self._choose_model(request)
            case "clock" if request["ahead"].isdecimal():
                self._ahead = timedelta(seconds=min(int(request["ahead"]), _AHEAD_AT_MOST_S))
                self._start()
            case _:
                pass

    def _choose_model(self, request: Mapping[str, str]) -> None:
        """Use one of the models that were found on this machine, or OpenAI's with a key."""
        found = {one.model: one for one in self.local}.get(request["model"])
        if found:
            chosen = found.model, found.environment
        elif request["key"]:
            key = {"AGENCYCLAW_MODEL": DEFAULT_OPENAI, "OPENAI_API_KEY": request["key"]}
            chosen = DEFAULT_OPENAI, key
        else:
            return
        self._former_model = self._model, self._model_environment
        self._model, self._model_environment = chosen
        self._start()

    def _follow_setup(self) -> None:
        """Work for the agency that was set up, once setup has ended well."""
        code = self._setup.exit_code if self._setup else None
        if code is None:
            return
        self._setup = None
        if code == 0:
            self._switch(is_own=True)
        else:
            self._remark = _UNFINISHED

    def _switch(self, *, is_own: bool) -> None:
        self._former_model = None
        self._is_own = is_own
        self._start()

    def _start(self) -> None:
        """Start the assistant as it is chosen now, in place of the one that runs."""
        self._assistant.stop()
        chosen = self._model_environment | self._clock_environment()
        if self._is_own:
            environment = self._own.environment(chosen)
            self._assistant = AssistantProcess(environment, folder=self._own.folder)
        else:
            self._assistant = AssistantProcess(replaced(self._tour_environment, chosen))

    def _clock_environment(self) -> dict[str, str]:
        """Return the settings of a moved clock; on it, nobody sits out a night."""
        if not self._ahead:
            return {}
        ahead = f"{self._ahead.total_seconds():.0f}"
        return {"AGENCYCLAW_CLOCK_AHEAD_S": ahead, "AGENCYCLAW_QUIET_HOURS": "0-0"}

    def _show(self) -> None:
        """Tell the page what it can offer, if that is other than before."""
        is_own_model = self._is_own and self._own.model and self._model == SCRIPTED
        model = self._own.model if is_own_model else self._model
        remark = OWN_NOTICE if self._is_own and not self._remark else self._remark
        hints = page_hints(model, self.local, remark=remark, is_own=self._is_own)
        hints |= agency_hints(self._own, self._setup, is_own=self._is_own)
        hints |= clock_hints(self._ahead)
        if hints == self._hints:
            return
        with suppress(Unavailable):  # It is busy, or about to end; the next round tells it.
            self._client.post("notice", hints)
            self._hints = hints
