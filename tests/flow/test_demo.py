"""The demo as a newcomer has it: started, used, killed, stopped, started again."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError

import psycopg
import pytest

from agencyclaw.store.embedded import EmbeddedPostgres

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).parent / "agencyclaw"
COUPON = "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"
AGREED = "what was agreed about the storefront banner"
INES, DM = "U01INES", "D01INES"
# Nobody answers there: whoever tried it would fail.
REAL = "postgresql://nobody:x@127.0.0.1:1/real"
PATIENCE = 300.0
OURS = ("SLACK_", "CLICKUP_", "AGENCYCLAW_", "OPENAI_", "DATABASE_", "LOGFIRE_", "OTEL_")
T = TypeVar("T")


def until(look: Callable[[], T | None]) -> T:
    """Look until there is something to see."""
    deadline = time.monotonic() + PATIENCE
    while not (seen := look()):
        assert time.monotonic() < deadline, f"never happened: {look}"
        time.sleep(0.05)
    return seen


def is_alive(pid: int) -> bool:
    """A process that ended but was not waited for is not alive."""
    stat = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return stat.stdout.strip()[:1] not in {"", "Z"}


def in_the_background() -> None:
    """As a shell begins a job in the background: deaf to Ctrl-C, until it says otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Demo:
    """One home folder, and the demo that runs on it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(OURS) and name != "PYTHONDONTWRITEBYTECODE"
        } | {"AGENCYCLAW_HOME": str(home), "DATABASE_URL": REAL}
        self.own = home / "demo"
        self.said = ""
        self.page = self.address = self.token = ""

    def start(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [str(COMMAND), "demo", *words],
            env=self.environment,
            cwd=self.home.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=in_the_background,
        )
        self.said = ""
        while "Ctrl-C" not in self.said:
            line = self._line()
            assert line, f"the demo ended: {self.said}"
            self.said += line
        self.page = re.findall(r"http://\S+", self.said)[-1]
        self.address, _, self.token = self.page.partition("/?token=")

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def until_it_says(self, text: str) -> None:
        while text not in self.said:
            self.said += self._line() or pytest.fail(self.said)

    def command(self, *words: str) -> subprocess.Popen[str]:
        """Start another command on the same home."""
        return subprocess.Popen(
            [str(COMMAND), *words],
            env=self.environment,
            cwd=self.home.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def control(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.address}/_control/{path}",
            data,
            {"Content-Type": "application/json", "X-Workbench-Token": self.token},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def say(self, text: str) -> str:
        return self.control("message", {"channel": DM, "user": INES, "text": text})["ts"]

    def replies(self, root: str) -> list[dict[str, Any]]:
        messages = self.control(f"messages/{DM}")["messages"]
        return [m for m in messages if m.get("thread_ts") == root and m["user"] != INES]

    def press(self, message: dict[str, Any], label: str) -> None:
        hand = {"channel": DM, "messageTs": message["ts"], "user": INES, "action": label}
        self.control("interact", hand)

    def tasks(self, title: str) -> list[dict[str, Any]]:
        return [t for t in self.control("clickup/tasks")["tasks"] if t["name"] == title]

    def children(self) -> dict[str, int]:
        """The processes below the demo, by what they are, and the database server."""
        table = subprocess.run(
            ["ps", "-axww", "-o", "pid=,ppid=,command="], capture_output=True, text=True
        ).stdout
        rows = [line.split(None, 2) for line in table.splitlines()]
        own = [(int(pid), what) for pid, parent, what in rows if int(parent) == self.process.pid]
        found = {("workbench" if "workbench" in what else "serve"): pid for pid, what in own}
        note = (self.own / "postgres" / "postmaster.pid").read_text(encoding="utf-8")
        return {**found, "postgres": int(note.split()[0])}

    def age_database(self) -> None:
        """Make the running demo's database one of a development version."""
        with psycopg.connect(EmbeddedPostgres(self.own).dsn) as connection:
            connection.execute("update alembic_version set version_num = '0036'")

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


def card(demo: Demo, root: str) -> dict[str, Any] | None:
    """The message with buttons below a message."""
    with_buttons = [m for m in demo.replies(root) if "Create task" in json.dumps(m)]
    return with_buttons[-1] if with_buttons else None


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A demo whose port of choice was taken."""
    # Unix sockets have short names, and pytest's folders have long ones.
    home = tmp_path_factory.mktemp("demo") / "home"
    demo = Demo(home)
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        # Of the real thing: an assistant that took any of these would not start here.
        (home.parent / ".env").write_text(
            f"DATABASE_OWNER_URL={REAL}\nAGENCYCLAW_HTTP_PORT={taken}\n"
            "SLACK_BOT_TOKEN=xoxb-real\nSLACK_API_URL=http://127.0.0.1:9/api/\n"
            "SLACK_SIGNING_SECRET=real\nCLICKUP_API_URL=http://127.0.0.1:9/\n"
            "AGENCYCLAW_DEBUG_TOKEN=real\nAGENCYCLAW_MAX_REQUESTS=1\n"
        )
        demo.start("--port", str(taken))
        demo.environment["TAKEN"] = str(taken)
    yield demo
    if demo.process.poll() is None:
        assert demo.end(signal.SIGTERM) == 0


def test_make_runs_the_command_that_is_tested_here() -> None:
    dry = ["make", "--no-print-directory", "--dry-run", "demo"]
    plain, fresh = (
        subprocess.run([*dry, *more], cwd=ROOT, capture_output=True, text=True, check=True)
        for more in ([], ["RESET=1"])
    )

    assert plain.stdout.rstrip().endswith(".venv/bin/agencyclaw demo")
    assert fresh.stdout.rstrip().endswith(".venv/bin/agencyclaw demo --reset")


def test_one_address_is_printed_and_a_busy_port_gives_way(demo: Demo) -> None:
    assert demo.said.count("http://") == 1
    assert "a script plays the tour" in demo.said
    assert demo.said.count("DATABASE_URL is not used") == 1
    port = int(demo.address.rpartition(":")[2])
    assert int(demo.environment["TAKEN"]) < port < int(demo.environment["TAKEN"]) + 200
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    with browser.open(demo.page, timeout=PATIENCE) as page:
        assert page.url == f"{demo.address}/"
        assert b"<title>" in page.read()


def test_without_its_token_nobody_gets_in_and_its_files_are_its_owners(demo: Demo) -> None:
    for path in ("/", "/_control/state", "/_control/stream"):
        with pytest.raises(HTTPError, match="403"):
            urllib.request.urlopen(demo.address + path, timeout=PATIENCE)

    kept = [path for path in demo.own.iterdir() if path.name.startswith("workbench.")]
    assert {path.name for path in kept} >= {"workbench.json", "workbench.sqlite"}
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


def test_a_sentence_a_card_a_click_one_task(demo: Demo) -> None:
    root = demo.say(COUPON)
    proposal = until(lambda: card(demo, root))
    assert demo.tasks("Set up 20% coupon for the garlic press") == []

    demo.press(proposal, "Create task")

    [task] = until(lambda: demo.tasks("Set up 20% coupon for the garlic press"))
    assert "Coupons Promotion SOP" in task["description"]


def test_a_search_finds_what_colleagues_had_said(demo: Demo) -> None:
    root = demo.say(AGREED)

    def answer() -> str | None:
        shown = json.dumps(demo.replies(root))
        return shown if "Looked at: " in shown else None

    found = until(answer)
    assert "Miguel Duarte, #ops" in found
    assert "1,200 dollars, out of the spring campaign" in found
    assert "Looked at: public channels" in found
    assert "Lunch" not in found


def test_the_run_page_knows_the_message_and_what_came_of_it(demo: Demo) -> None:
    def run() -> dict[str, Any] | None:
        runs = demo.control("runs")["runs"]
        return next((one for one in runs if one["text"] == COUPON and one["carried_out"]), None)

    found = until(run)

    assert (found["outcome"], found["prepared"], found["carried_out"]) == ("Answered", 1, 1)
    assert found["tokens_in"] > 0


def test_other_commands_find_the_running_demo_by_themselves(demo: Demo) -> None:
    second = demo.command("demo")
    chat = demo.command("chat", "which clients do I have", "--json")
    doctor = demo.command("doctor")
    said = [one.communicate(timeout=PATIENCE)[0] for one in (second, chat, doctor)]

    assert second.returncode == 3
    assert demo.address in said[0]
    assert "Brightkettle Group" in json.loads(said[1])[0]["text"]
    assert doctor.returncode == 0, said[2]
    assert "signed in as agencyclaw" in said[2]
    assert "only a trigger protects the audit" not in said[2]


class SetupVisitor:
    """A browser that answers the questions of a page of setup."""

    def __init__(self, address: str) -> None:
        cookies = urllib.request.HTTPCookieProcessor()
        self._browser = urllib.request.build_opener(cookies)
        self._origin = "/".join(address.split("/")[:3])
        self._page = address.partition("?")[0]
        self._shown = self._get(address)

    def answer(self, question: str, *answers: str) -> None:
        """Wait until it asks this, and answer with words or with the names of options."""
        until(lambda: self._asks(question))
        values = [re.findall(r'value="(\d+)"[^>]*><span>' + one, self._shown) for one in answers]
        chosen = [found[0] if found else one for found, one in zip(values, answers, strict=True)]
        number = re.findall(r'name="number" value="(\d+)"', self._shown)[0]
        fields = [("number", number), *(("answer", one) for one in chosen)]
        data = urllib.parse.urlencode(fields).encode()
        sent = urllib.request.Request(self._page, data, {"Origin": self._origin})
        self._shown = self._get(sent)

    def reads(self, text: str) -> None:
        """Wait until the page has this text."""
        until(lambda: text in self._shown or self._look(text))

    def _asks(self, question: str) -> bool:
        return question in self._shown or self._look(question)

    def _look(self, text: str) -> bool:
        self._shown = self._get(self._page)
        return text in self._shown

    def _get(self, page: str | urllib.request.Request) -> str:
        with self._browser.open(page, timeout=PATIENCE) as answer:
            return html.unescape(answer.read().decode())


def posted(demo: Demo) -> list[str]:
    """When the messages of the conversation were posted."""
    return [one["ts"] for one in demo.control(f"messages/{DM}")["messages"]]


def test_an_empty_agency_is_set_up_from_the_page_and_the_tours_is_kept(demo: Demo) -> None:
    before = posted(demo)
    demo.control("supervisor", {"kind": "set_up"})

    def agency() -> dict[str, Any]:
        return demo.control("state")["agency"]

    setup = SetupVisitor(until(lambda: agency()["setup"].partition("starting")[0]))
    setup.answer("Model, such as", "")
    setup.answer("Which of them are you", "Ines Varga")
    setup.answer("Who may use the assistant")
    setup.answer("hold the work for clients", "Brightkettle Group")
    setup.answer("Which are shared")
    setup.answer("another name, or are left out")
    setup.answer("Which brands have another name", "Brightkettle of")
    setup.answer("The brand of", "Copperleaf")
    setup.answer("marketplaces", "US")
    setup.answer("Create 1 brand", "yes")
    setup.answer("CSV files")
    setup.answer("Which spaces have Docs", "Reporting Requests")
    setup.answer("Take the procedures over", "yes")
    setup.answer("Which may the assistant use", "Coupons Promotion SOP")
    setup.reads("This is all")

    until(lambda: agency()["shown"] == "own" or None)
    until(lambda: demo.control("state")["connections"] or None)
    root = demo.say("create a coupon task for Copperleaf")
    demo.press(until(lambda: card(demo, root)), "Create task")
    until(lambda: demo.tasks("Set up a coupon"))

    demo.control("supervisor", {"kind": "tour"})
    until(lambda: agency()["shown"] == "tour" or None)
    until(lambda: demo.control("state")["connections"] or None)
    root = demo.say("what's due this week for Brightkettle")
    until(lambda: demo.replies(root))
    assert posted(demo)[: len(before)] == before
    assert agency() == {"shown": "tour", "has_own": True, "setup": ""}


def test_a_killed_assistant_comes_back_and_answers_once(demo: Demo) -> None:
    os.kill(demo.children()["serve"], signal.SIGKILL)
    root = demo.say("what can you do")

    until(lambda: demo.replies(root))
    demo.until_it_says("starting it again")
    later = demo.say("hello")
    until(lambda: demo.replies(later))

    assert len(demo.replies(root)) == 1


def test_a_killed_demo_takes_everything_along_and_keeps_what_was_said(demo: Demo) -> None:
    before = len(demo.control(f"messages/{DM}")["messages"])
    children = demo.children()

    demo.end(signal.SIGKILL)
    demo.start()

    assert len(demo.control(f"messages/{DM}")["messages"]) == before
    assert not is_alive(children["workbench"])
    until(lambda: not is_alive(children["serve"]))


def test_ctrl_c_leaves_no_process_behind_and_reset_starts_afresh(demo: Demo) -> None:
    children, former = demo.children(), demo.token
    demo.age_database()

    assert demo.end(signal.SIGINT) == 0
    assert not [name for name, pid in children.items() if is_alive(pid)]

    del demo.environment["DATABASE_URL"]
    (demo.home.parent / ".env").write_text(f"DATABASE_URL={REAL}\n")
    demo.start("--reset")
    # A page of an earlier start opens nothing.
    assert demo.token != former
    assert "DATABASE_URL is not used" in demo.said
    assert demo.control(f"messages/{DM}")["messages"] == []
    assert demo.tasks("Set up 20% coupon for the garlic press") == []
    root = demo.say(COUPON)
    until(lambda: card(demo, root))


def test_a_database_of_a_development_version_is_refused_with_the_way_to_reset_it(
    demo: Demo,
) -> None:
    demo.age_database()
    assert demo.end(signal.SIGINT) == 0

    again = demo.command("demo")
    said, _ = again.communicate(timeout=PATIENCE)

    assert again.returncode == 3
    assert "Take a dump" in said
    assert "reset it: the demo's with `make demo RESET=1`" in said
    assert "Traceback" not in said
