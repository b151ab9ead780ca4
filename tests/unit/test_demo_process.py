"""The demo's assistant, started again until it is reached."""

from __future__ import annotations

from typing import Any, cast

import pytest

from agencyclaw.cli import demo
from agencyclaw.cli.demo import AssistantProcess
from agencyclaw.domain.errors import Unavailable


class Processes:
    """Starts processes that end at once with these codes; None keeps running."""

    def __init__(self, *codes: int | None) -> None:
        self.codes = list(codes)
        self.commands: list[list[str]] = []
        self.stopped: list[int] = []

    def __call__(self, command: list[str], **_: object) -> EndedProcess:
        self.commands.append(command)
        return EndedProcess(self, len(self.commands) - 1)


class EndedProcess:
    def __init__(self, processes: Processes, number: int) -> None:
        self.processes, self.number = processes, number

    def poll(self) -> int | None:
        return self.processes.codes[self.number]

    def terminate(self) -> None:
        self.processes.stopped.append(self.number)

    def wait(self, _: float | None = None) -> int:
        return 0


class Connected:
    """A workbench that an assistant has connected to, once so many were started."""

    def __init__(self, processes: Processes, after: int) -> None:
        self.processes, self.after = processes, after

    def get(self, _: str) -> dict[str, Any]:
        return {"connections": int(len(self.processes.commands) >= self.after)}


def started(monkeypatch: pytest.MonkeyPatch, *codes: int | None) -> Processes:
    processes = Processes(*codes)
    monkeypatch.setattr(demo.subprocess, "Popen", processes)
    return processes


def test_a_reset_is_asked_for_again_until_the_assistant_was_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes = started(monkeypatch, 3, None, None)
    assistant = AssistantProcess({}, fresh=True)
    assistant.await_connection(cast("Any", Connected(processes, after=2)))
    assistant.restart()

    assert ["--fresh" in command for command in processes.commands] == [True, True, False]


def test_what_is_stopped_is_the_process_that_was_started_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "_READY_S", 0.1)
    processes = started(monkeypatch, 3, None)
    assistant = AssistantProcess({}, fresh=False)
    with pytest.raises(Unavailable):
        assistant.await_connection(cast("Any", Connected(processes, after=99)))
    assistant.stop()

    assert processes.stopped == [1]
