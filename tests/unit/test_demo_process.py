"""The demo's assistant, started again until it is reached."""

from __future__ import annotations

import socket
from pathlib import Path
from threading import Thread
from typing import Any, cast

import pytest

from agencyclaw.cli import demo_processes, demo_switching, main
from agencyclaw.cli.demo_processes import AssistantProcess, OwnAgency
from agencyclaw.cli.demo_switching import DemoSwitching
from agencyclaw.cli.running_demo import WorkbenchClient, replaced, running_workbench
from agencyclaw.domain.errors import (
    AgencyClawError,
    Broken,
    DatabaseUnavailable,
    Misconfigured,
    NotFound,
    Unavailable,
)
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
    """A workbench that an assistant has connected to, once so many were started.

    Before that it is busy so many times.
    """

    def __init__(self, processes: Processes, after: int, *, busy: int = 0) -> None:
        self.processes, self.after, self.busy = processes, after, busy

    def get(self, _: str) -> dict[str, Any]:
        if self.busy:
            self.busy -= 1
            raise Unavailable("The workbench does not answer.")
        return {"connections": int(len(self.processes.commands) >= self.after)}


def started(monkeypatch: pytest.MonkeyPatch, *codes: int | None) -> Processes:
    processes = Processes(*codes)
    monkeypatch.setattr(demo_processes.subprocess, "Popen", processes)
    monkeypatch.setattr(demo_processes, "_RESTART_PAUSE_S", 0.0)
    return processes


def await_connection(
    assistant: AssistantProcess, client: Connected, workbench: EndsAfter | None = None
) -> None:
    assistant.await_connection(cast("Any", client), cast("Any", workbench or EndsAfter(10_000)))


def test_a_reset_is_asked_for_again_until_the_assistant_was_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes = started(monkeypatch, 3, None, None)
    assistant = AssistantProcess({}, fresh=True)
    await_connection(assistant, Connected(processes, after=2))
    assistant.restart()

    assert ["--fresh" in command for command in processes.commands] == [True, True, False]


def test_what_is_stopped_is_the_process_that_was_started_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo_processes, "_READY_S", 0.1)
    processes = started(monkeypatch, 3, None)
    assistant = AssistantProcess({}, fresh=False)
    with pytest.raises(Unavailable):
        await_connection(assistant, Connected(processes, after=99))
    assistant.stop()

    assert processes.stopped == [1]


def test_a_busy_workbench_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = started(monkeypatch, None)
    await_connection(AssistantProcess({}), Connected(processes, after=1, busy=2))

    assert len(processes.commands) == 1


def test_a_workbench_that_ended_ends_the_demo_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = started(monkeypatch, 3, 3)
    workbench = Connected(processes, after=1, busy=99)

    with pytest.raises(Unavailable, match="The workbench ended"):
        await_connection(AssistantProcess({}), workbench, EndsAfter(1))
    assert len(processes.commands) == 2


def test_an_assistant_that_reaches_nothing_is_started_again_after_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes = started(monkeypatch, *(3,) * 50)
    monkeypatch.setattr(demo_processes, "_RESTART_PAUSE_S", 0.2)
    monkeypatch.setattr(demo_processes, "_READY_S", 0.5)

    with pytest.raises(Unavailable):
        await_connection(AssistantProcess({}), Connected(processes, after=99))
    assert len(processes.commands) <= 4


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Broken("A bug."), 1),
        (NotFound("There is none.", reason="none"), 1),
        (Misconfigured("Set it."), 2),
        (DatabaseUnavailable("Away."), 3),
    ],
)
def test_only_a_service_that_is_away_is_worth_another_try(
    monkeypatch: pytest.MonkeyPatch, error: AgencyClawError, code: int
) -> None:
    def fail(_: object) -> int:
        raise error

    monkeypatch.setattr(main, "_run", fail)

    assert main.main(["doctor"]) == code


class Talks:
    """A server whose answer ends before it began, or is no JSON."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        Thread(target=self._talk, daemon=True).start()

    def _talk(self) -> None:
        connection, _ = self.listener.accept()
        with connection:
            connection.recv(4_096)
            connection.sendall(self.answer)
        self.listener.close()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"no such protocol\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{",
        b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_a_workbench_that_breaks_off_is_unavailable(answer: bytes) -> None:
    with pytest.raises(Unavailable, match="The workbench does not answer"):
        WorkbenchClient(Talks(answer).address, "token").get("state")


@pytest.mark.parametrize("saved", [None, "", "no JSON", '{"address": "no address"}'])
def test_without_a_usable_address_no_demo_runs(tmp_path: Path, saved: str | None) -> None:
    if saved is not None:
        (tmp_path / "workbench.json").write_text(saved, encoding="utf-8")

    assert running_workbench(tmp_path) is None


REAL = {
    "SUPER_ADMIN_PROFILE_IDS": "c0ffee00-0000-4000-8000-000000000000",
    "CLICKUP_DOCS": "real-docs",
    "clickup_api_token": "pk_real",
    "Database_Url": "postgresql://real",
    "AGENCYCLAW_HOME": "/real",
    "agencyclaw_home": "/real-too",
}


def test_no_real_setting_reaches_the_agency_that_is_set_up_in_the_demo(tmp_path: Path) -> None:
    inherited = {**REAL, "PATH": "/bin", "OPENAI_API_KEY": "sk", "agencyclaw_model_fast": "a:b"}
    own = OwnAgency(tmp_path, "http://127.0.0.1:1", inherited)
    environment = own.environment({"AGENCYCLAW_MODEL_FAST": "c:d"})

    assert not set(REAL.values()) & set(environment.values())
    assert "SUPER_ADMIN_PROFILE_IDS" not in environment
    assert (environment["PATH"], environment["OPENAI_API_KEY"]) == ("/bin", "sk")
    fast = [value for name, value in environment.items() if name.lower().endswith("_fast")]
    assert fast == ["c:d"]


def test_a_value_replaces_what_was_exported_in_another_case() -> None:
    exported = {"SLACK_BOT_TOKEN": "real", "slack_bot_token": "real", "PATH": "/bin"}

    assert replaced(exported, {"SLACK_BOT_TOKEN": "demo"}) == {
        "PATH": "/bin",
        "SLACK_BOT_TOKEN": "demo",
    }


class Page:
    """A workbench whose page asks for one thing after the other; it may be busy at first."""

    def __init__(self, *requests: dict[str, str], busy: int = 0) -> None:
        self.address = "http://127.0.0.1:1"
        self.busy = busy
        self.requests = list(requests)
        self.notices: list[dict[str, Any]] = []

    def get(self, path: str) -> dict[str, Any]:
        if path == "supervisor":
            return {"requests": [self.requests.pop(0)] if self.requests else []}
        return {"connections": 1}

    def post(self, _: str, body: dict[str, Any]) -> None:
        if self.busy:
            self.busy -= 1
            raise Unavailable("The workbench does not answer.")
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
    monkeypatch.setattr(demo_switching, "find_local_models", list[Any])
    own = OwnAgency(tmp_path, page.address, {})
    assistant = AssistantProcess({})
    switching = DemoSwitching(cast("Any", page), own, {}, assistant, SCRIPTED)
    switching.begin(cast("Any", EndsAfter(4)))
    switching.keep_running(cast("Any", EndsAfter(4)))
    return processes


def test_a_busy_page_is_told_in_the_next_round(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = Page(busy=2)
    switched(monkeypatch, tmp_path, [None], page)

    assert len(page.notices) == 1


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
