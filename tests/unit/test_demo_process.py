"""The demo's assistant, started again until it is reached."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from agencyclaw.cli import demo_processes, demo_switching
from agencyclaw.cli.demo_processes import AssistantProcess, OwnAgency
from agencyclaw.cli.demo_switching import DemoSwitching
from agencyclaw.domain.errors import Unavailable
from agencyclaw.settings import SCRIPTED


class Processes:
    """Starts processes that end at once with these codes; None keeps running."""

    def __init__(self, *codes: int | None) -> None:
        self.codes = list(codes)
        self.commands: list[list[str]] = []
        self.environments: list[dict[str, str]] = []
        self.stopped: list[int] = []

    def __call__(self, command: list[str], **options: Any) -> EndedProcess:
        self.commands.append(command)
        self.environments.append(options["env"])
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
    monkeypatch.setattr(demo_processes.subprocess, "Popen", processes)
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
    monkeypatch.setattr(demo_processes, "_READY_S", 0.1)
    processes = started(monkeypatch, 3, None)
    assistant = AssistantProcess({}, fresh=False)
    with pytest.raises(Unavailable):
        assistant.await_connection(cast("Any", Connected(processes, after=99)))
    assistant.stop()

    assert processes.stopped == [1]


class Page:
    """A workbench whose page asks for one thing after the other."""

    def __init__(self, *requests: dict[str, str]) -> None:
        self.address = "http://127.0.0.1:1"
        self.requests = list(requests)
        self.notices: list[dict[str, Any]] = []

    def get(self, path: str) -> dict[str, Any]:
        if path == "supervisor":
            return {"requests": [self.requests.pop(0)] if self.requests else []}
        return {"connections": 1}

    def post(self, _: str, body: dict[str, Any]) -> None:
        self.notices.append(body)


class EndsAfter:
    """A workbench that ends after so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def poll(self) -> int | None:
        self.looks -= 1
        return None if self.looks >= 0 else 0


def switched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, codes: list[int | None], page: Page
) -> Processes:
    """The processes of a demo whose page asks for something."""
    processes = started(monkeypatch, *codes)
    monkeypatch.setattr(demo_switching, "_PAUSE_S", 0.0)
    monkeypatch.setattr(demo_switching, "_RESTART_PAUSE_S", 0.0)
    monkeypatch.setattr(demo_switching, "find_local_models", list[Any])
    own = OwnAgency(tmp_path, page.address, {})
    assistant = AssistantProcess({})
    switching = DemoSwitching(cast("Any", page), own, {}, assistant, SCRIPTED)
    switching.begin()
    switching.keep_running(cast("Any", EndsAfter(4)))
    return processes


def test_a_key_of_the_page_makes_a_model_answer_and_is_shown_nowhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = Page({"kind": "model", "model": "", "key": "sk-secret"})
    processes = switched(monkeypatch, tmp_path, [None, None], page)

    assert processes.environments[-1]["OPENAI_API_KEY"] == "sk-secret"
    assert "a script answers" in page.notices[0]["notice"]
    assert "gpt-5-mini answers here" in page.notices[-1]["notice"]
    assert "sk-secret" not in repr((page.notices, processes.commands))


def test_a_model_that_can_not_be_used_gives_way_to_the_former(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = Page({"kind": "model", "model": "", "key": "sk-wrong"})
    processes = switched(monkeypatch, tmp_path, [None, 2, None], page)

    assert "OPENAI_API_KEY" not in processes.environments[-1]
    assert page.notices[-1]["notice"].startswith("That model could not be used")
    assert "a script answers" in page.notices[-1]["notice"]


def test_a_model_that_was_in_use_stays_whatever_ends_the_assistant_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = Page({"kind": "model", "model": "", "key": "sk-right"})
    processes = switched(monkeypatch, tmp_path, [None, -9, 2, None], page)

    assert len(processes.commands) == 4
    assert processes.environments[-1]["OPENAI_API_KEY"] == "sk-right"


def test_a_model_that_nobody_found_here_is_not_switched_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = Page({"kind": "model", "model": "openai-chat:anything", "key": ""})
    processes = switched(monkeypatch, tmp_path, [None], page)

    assert len(processes.commands) == 1


def test_a_moved_clock_starts_the_assistant_ahead_and_can_be_set_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = Page({"kind": "clock", "ahead": "90000"}, {"kind": "clock", "ahead": "0"})
    processes = switched(monkeypatch, tmp_path, [None, None, None], page)

    moved, back = processes.environments[-2:]
    assert moved["AGENCYCLAW_CLOCK_AHEAD_S"] == "90000"
    assert "AGENCYCLAW_CLOCK_AHEAD_S" not in back
    shown = [notice["clock"]["shows"] for notice in page.notices]
    assert shown == ["", "What comes by itself is 1 day and 1 hour ahead.", ""]
    assert [step["ahead"] for step in page.notices[1]["clock"]["steps"]] == ["93600", "176400", "0"]
