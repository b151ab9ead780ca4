"""`agencyclaw setup` from an empty database, over the real protocols, to the first task."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import stat
import tempfile
import termios
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import pytest
from acting import INES, SARA_L, Acting, actors, create, offer, text, turn
from dotenv import dotenv_values
from stage import Stage, buttons
from test_command_line import COMMAND, OURS

from agencyclaw.cli.asking import positions
from agencyclaw.cli.env_file import keep_settings
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.store.engine import Database
from workbench.clickup.gateway import TOKEN
from workbench.fixture import PATIENCE_S, Bench
from workbench.slack.methods import APP_TOKEN, BOT_TOKEN

SKIP = "-"


@dataclass
class Questions:
    """A person at the terminal: reads until a question, and answers it."""

    process: asyncio.subprocess.Process
    heard: str = ""
    _unread: str = field(default="", repr=False)

    async def answer(self, question: str, answer: str) -> str:
        """Wait for a question that has these words, answer it; returns what was printed before."""
        await self.wait_for(question)
        shown, self._unread = self._unread, ""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{answer}\n".encode())
        await self.process.stdin.drain()
        return shown

    async def pick(self, question: str, *names: str) -> str:
        """Answer with the numbers of the lines that have these names."""
        await self.wait_for(question)
        lines = [line.split(maxsplit=1) for line in self._unread.splitlines() if line.strip()]
        numbers = {rest[1]: rest[0] for rest in lines if len(rest) == 2 and rest[0].isdecimal()}
        chosen = [number for line, number in numbers.items() if line.startswith(names)]
        assert len(chosen) == len(names), self._unread
        return await self.answer(question, ",".join(chosen))

    async def end(self) -> int:
        """Read to the end; returns the exit code."""
        async with asyncio.timeout(PATIENCE_S):
            while chunk := await self._read():
                self._unread += chunk
        return await self.process.wait()

    async def wait_for(self, question: str) -> None:
        """Wait until a question that has these words is asked."""
        async with asyncio.timeout(PATIENCE_S):
            while not self._is_asked(question):
                chunk = await self._read()
                assert chunk, f"it ended without asking “{question}”:\n{self.heard}"
                self._unread += chunk

    def _is_asked(self, question: str) -> bool:
        last = self._unread.rpartition("\n")[2]
        return question in last and last.endswith(": ")

    async def _read(self) -> str:
        assert self.process.stdout is not None
        chunk = (await self.process.stdout.read(4_096)).decode()
        self.heard += chunk
        return chunk


def environment(bench: Bench, db: Database) -> dict[str, str]:
    """The variables of a process that is set up on a workbench and a database."""
    others = {name: one for name, one in os.environ.items() if not name.startswith(OURS)}
    return others | {
        "SLACK_API_URL": bench.slack_api_url,
        "CLICKUP_API_URL": bench.clickup_api_url,
        "CLICKUP_RATE_LIMIT_PER_MINUTE": "10000",
        "DATABASE_URL": db.dsn,
        # Without a model, setup ends with something to mend.
        "AGENCYCLAW_MODEL": "scripted",
        "PYTHONUNBUFFERED": "1",
    }


@asynccontextmanager
async def asked(bench: Bench, db: Database, folder: Path) -> AsyncGenerator[Questions]:
    """Run `agencyclaw setup` in a folder, on a workbench and a database."""
    process = await asyncio.create_subprocess_exec(
        str(COMMAND),
        "setup",
        cwd=folder,
        env=environment(bench, db),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield Questions(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def connect(setup: Questions) -> None:
    """Answer for the accounts, once wrongly each."""
    await setup.answer("Bot token", "xoxb-wrong")
    await setup.answer("App-level token", APP_TOKEN)
    assert "refused by Slack" in await setup.answer("Bot token", BOT_TOKEN)
    await setup.answer("App-level token", APP_TOKEN)
    assert "signed in as" in await setup.answer("Its token", "pk_wrong")
    assert "BAD " in await setup.answer("Its token", TOKEN)
    await setup.answer("Model", "")


async def add_two(setup: Questions) -> None:
    """Answer for the accounts, and let Ines set it up for herself and Sara."""
    await connect(setup)
    await setup.pick("Which of them are you", "Ines Varga")
    await setup.pick("Who may use the assistant", "Sara Lindqvist")
    await setup.answer("may only read", "none")


async def test_an_empty_database_becomes_an_agency_that_creates_its_first_task(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    async with asked(bench, database, tmp_path) as setup:
        await connect(setup)
        await setup.pick("Which of them are you", "Ines Varga")
        await setup.pick("Who may use the assistant", "Sara Lindqvist", "Paul Brandt")
        await setup.pick("may only read", "Paul Brandt")
        await setup.pick("hold the work for clients", "Glintly", "Pawtrail")
        await setup.pick("Which are shared", "Reporting Requests")
        await setup.pick("another name, or are left out", "Glintly", "Pawtrail")
        await setup.answer("The client of the space Glintly", "Glintly Inc")
        await setup.answer("The client of the space Pawtrail", SKIP)
        assert "Glintly of Glintly Inc" in await setup.answer("Which brands have another", "none")
        await setup.answer("marketplaces", "Amazon")
        await setup.answer("marketplaces", "us, ca")
        await setup.answer("Create 1 brand", "y")
        (tmp_path / "clients.csv").write_text("Name,Summary\nLarkspur,lamps\n,nobody\n")
        await setup.answer("CSV files", "nothing.csv")
        assert "No such file" in await setup.answer("CSV files", "clients.csv")
        shown = await setup.answer("Import 1 record, leave 1 line out", "")
        assert "Larkspur" in shown
        assert "lamps" in shown
        await setup.answer("Import 1 record, leave 1 line out", "y")
        assert "clients.csv, line 3, column Name: it is empty" in shown
        await setup.answer("CSV files", "")
        await setup.pick("Which spaces have Docs", "Glintly")
        assert "BAD" in await setup.answer("Which spaces have Docs", "none")
        code = await setup.end()
    assert code == 0, setup.heard
    assert "BAD  " not in setup.heard.partition("\nCheck\n")[2]

    kept = dotenv_values(tmp_path / ".env")
    assert stat.S_IMODE((tmp_path / ".env").stat().st_mode) == 0o600
    assert (kept["SLACK_BOT_TOKEN"], kept["CLICKUP_API_TOKEN"]) == (BOT_TOKEN, TOKEN)
    admins = frozenset({UUID(str(kept["SUPER_ADMIN_PROFILE_IDS"]))})
    async with actors(bench, database, tmp_path) as acting:
        await _first_task(await _assistant(acting, admins))


async def _assistant(acting: Acting, admins: frozenset[UUID]) -> Stage:
    asking = turn("make the task", create(), text("It is on the card."))
    return await acting(asking, super_admin_profile_ids=admins)


async def _first_task(stage: Stage) -> None:
    root = await stage.say(INES, "make the task")
    card = await offer(stage, INES, root)
    await stage.press(INES, card, "Create task")
    [task] = await stage.created("Refresh the Glintly storefront banner")
    assert task["list"]["id"] == "901005000021"

    root = await stage.say(SARA_L, "make the task")
    refusal = await stage.reply(SARA_L, root)
    assert "Create task" not in buttons(refusal)


async def test_it_is_run_again_and_asks_only_for_what_is_missing(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    async with asked(bench, database, tmp_path) as setup:
        await connect(setup)
        await setup.pick("Which of them are you", "Ines Varga")
        setup.process.kill()
        await setup.process.wait()

    async with asked(bench, database, tmp_path) as again:
        shown = await again.answer("Model", "")
        assert "Bot token" not in shown
        assert "signed in as" in shown
        if await database.pool.fetchval("select count(*) from profiles") == 0:
            await again.pick("Which of them are you", "Ines Varga")
        shown = await again.answer("Who may use the assistant", "none")
        assert "You are Ines Varga, super admin" in again.heard
        await again.answer("hold the work for clients", "none")
        await again.answer("Which are shared", "none")
        await again.answer("CSV files", "")
        await again.pick("Which spaces have Docs", "Glintly", "Reporting Requests")
        shown = await again.answer("Take the procedures over", "y")
        assert "Glintly: There are no Docs" in again.heard
        assert "Listing Appeal SOP" in shown
        await again.pick("Which may the assistant use", "Coupons Promotion", "Listing Appeal")
        assert await again.end() == 0, again.heard

    rows = await database.pool.fetch("select full_name, is_admin from profiles")
    assert [(row["full_name"], row["is_admin"]) for row in rows] == [("Ines Varga", True)]
    in_use = "select name from playbook_sops where state = 'approved' order by name"
    assert [row["name"] for row in await database.pool.fetch(in_use)] == [
        "Coupons Promotion SOP",
        "Listing Appeal SOP",
    ]
    assert dotenv_values(tmp_path / ".env")["CLICKUP_DOCS"] == "90100500008"
    events = "select count(*) from agent_events where event_type = 'first_admin_created'"
    assert await database.pool.fetchval(events) == 1


async def test_of_two_first_setups_at_once_one_becomes_the_first_and_keeps_the_rights(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    async with asked(bench, database, tmp_path) as one:
        await connect(one)
        async with asked(bench, database, tmp_path) as other:
            await other.answer("Model", "")
            await other.wait_for("Which of them are you")
            await one.pick("Which of them are you", "Ines Varga")
            await one.wait_for("Who may use the assistant")
            await other.pick("Which of them are you", "Sara Lindqvist")
            assert await other.end() != 0

    assert "Somebody else has become the first super admin" in other.heard
    [row] = await database.pool.fetch("select id, full_name from profiles")
    assert row["full_name"] == "Ines Varga"
    assert dotenv_values(tmp_path / ".env")["SUPER_ADMIN_PROFILE_IDS"] == str(row["id"])


async def test_nobody_becomes_super_admin_of_an_agency_that_has_people(
    bench: Bench, agency: Database, tmp_path: Path
) -> None:
    async with asked(bench, agency, tmp_path) as setup:
        await connect(setup)
        assert await setup.end() != 0

    assert "nobody at work among SUPER_ADMIN_PROFILE_IDS" in setup.heard
    admins = await agency.pool.fetch("select id, full_name from profiles where is_admin")
    assert [row for row in admins if f"{row['full_name']} {row['id']}" not in setup.heard] == []
    assert "SUPER_ADMIN_PROFILE_IDS" not in dotenv_values(tmp_path / ".env")


async def test_what_setup_did_is_audited_as_changes_by_who_ran_it(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    async with asked(bench, database, tmp_path) as setup:
        await add_two(setup)
        await setup.answer("hold the work for clients", "none")
        await setup.answer("Which are shared", "none")
        await setup.answer("CSV files", "")
        await setup.answer("Which spaces have Docs", "none")
        assert await setup.end() == 0, setup.heard

    rows = await database.pool.fetch(
        "select p.skill_id, p.state, a.full_name from proposals p"
        " join profiles a on a.id = p.confirmed_by order by p.created_at"
    )
    assert [tuple(row) for row in rows] == [
        ("cc_team_member_create", "done", "Ines Varga"),
        ("cc_clickup_space_sync", "done", "Ines Varga"),
    ]


async def test_an_account_that_a_colleague_lacks_is_linked_when_setup_runs_again(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    async with asked(bench, database, tmp_path) as setup:
        await add_two(setup)
        await setup.wait_for("hold the work for clients")
    held = "select clickup_user_id from profiles where full_name = 'Sara Lindqvist'"
    account = await database.pool.fetchval(held)
    await database.pool.execute(
        "update profiles set clickup_user_id = null where full_name = 'Sara Lindqvist'"
    )

    async with asked(bench, database, tmp_path) as again:
        await again.answer("Model", "")
        await again.answer("Who may use the assistant", "none")
        await again.answer("Link the accounts of Sara Lindqvist (ClickUp account: none → ", "y")
        await again.wait_for("hold the work for clients")
    assert account is not None
    assert await database.pool.fetchval(held) == account


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        ("all", [0, 1, 2]),
        ("none", []),
        ("2", [1]),
        ("1, 3", [0, 2]),
        ("1-2,2", [0, 1]),
        ("4", None),
        ("0", None),
        ("3-1", None),
        ("the first", None),
        ("", None),
    ],
)
def test_an_answer_names_lines_by_number_or_nothing(answer: str, chosen: list[int] | None) -> None:
    assert positions(answer, 3) == chosen


def test_settings_are_kept_beside_what_is_there_and_for_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("# mine\nA=1\nexport B=2\n")
    path.chmod(0o644)

    keep_settings(path, {"B": "3", "C": "4"})

    assert path.read_text() == "# mine\nA=1\nB=3\nC=4\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_services_file_stays_its_own_where_root_changes_it(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text("A=1\n")
    path.chmod(0o640)
    owner = (4321, 4322) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    os.chown(path, *owner)

    keep_settings(path, {"A": "2"})

    kept = path.stat()
    assert (kept.st_uid, kept.st_gid, stat.S_IMODE(kept.st_mode)) == (*owner, 0o640)


def test_a_services_file_is_left_as_it_is_if_it_can_not_stay_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    path = tmp_path / ".env"
    path.write_text("A=1\n")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", refused)

    with pytest.raises(Misconfigured, match="not permitted"):
        keep_settings(path, {"A": "2"})

    assert path.read_text() == "A=1\n"


def test_a_group_that_means_nothing_here_keeps_no_setting_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise OSError(errno.EINVAL, "invalid argument")

    path = tmp_path / ".env"
    path.write_text("A=1\n")
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    monkeypatch.setattr(os, "fchown", unknown)

    keep_settings(path, {"A": "2"})

    assert path.read_text() == "A=2\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_group_that_the_new_file_can_not_keep_is_followed_by_no_other_one() -> None:
    service, readers, other = 4321, 4322, 4323
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ".env"
        path.write_text("A=1\n")
        path.chmod(0o640)
        os.chown(path, service, readers)
        os.chown(folder, service, other)
        os.setegid(other)
        os.seteuid(service)
        try:
            keep_settings(path, {"A": "2"})
        finally:
            os.seteuid(0)
            os.setegid(0)

        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_value_that_could_become_another_setting_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="line break"):
        keep_settings(tmp_path / ".env", {"A": "1\nB=2"})

    assert not (tmp_path / ".env").exists()


def test_a_file_that_cannot_be_written_is_named_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / ".env"

    with pytest.raises(Misconfigured, match=f"{path} can't be written: No such file"):
        keep_settings(path, {"A": "1"})


ANSWERS = {
    "Bot token": BOT_TOKEN,
    "App-level token": APP_TOKEN,
    "Its token": TOKEN,
    "Model": "",
}


@pytest.mark.parametrize("question", ["Bot token", "Model"])
async def test_ctrl_c_ends_a_question_at_once_and_leaves_the_terminal_as_it_was(
    bench: Bench, database: Database, tmp_path: Path, question: str
) -> None:
    ours, theirs = os.openpty()
    before = termios.tcgetattr(theirs)
    process = await asyncio.create_subprocess_exec(
        str(COMMAND),
        "setup",
        cwd=tmp_path,
        env=environment(bench, database),
        stdin=theirs,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        setup = Questions(process)
        for asked_before, answer in ANSWERS.items():
            await setup.wait_for(asked_before)
            if asked_before == question:
                break
            os.write(ours, f"{answer}\n".encode())
        process.send_signal(signal.SIGINT)
        assert await setup.end() == 130
        assert "Traceback" not in setup.heard
        assert termios.tcgetattr(theirs) == before
    finally:
        if process.returncode is None:
            process.kill()
        os.close(ours)
        os.close(theirs)
