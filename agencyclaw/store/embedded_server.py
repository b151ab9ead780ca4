"""One Postgres process on a data folder: creates, launches and stops it, never connects to it."""

import contextlib
import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from agencyclaw.store.embedded_account import (
    Account,
    EmbeddedPostgresError,
    can_reach,
    choose_account,
    claim_folder,
    place_binaries,
    server_major,
)
from agencyclaw.store.embedded_errors import (
    explain,
    explain_foreign_folder,
    explain_os_error,
    explain_shutdown,
    explain_silence,
    explain_version,
)

SUPERUSER = "postgres"
PORT = 5432
SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "fsync": "on",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "jit": "off",
    "io_method": "sync",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
}
INITDB = (
    *("--username", SUPERUSER, "--encoding=UTF8", "--no-instructions"),
    # TCP is off, and only this account can enter the socket's folder, so `trust` is safe.
    *("--auth-local=trust", "--auth-host=reject"),
    *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
)
CHARACTER_TYPES = ("C.UTF-8", "en_US.UTF-8", "C")
ENVIRONMENT = {"LC_ALL": "C", "PATH": os.defpath}
# The server came up and died since, or processes of its predecessor are still ending.
PASSING = ("ready to accept connections", "shared memory block")
# One beside the data, and one beside the socket, which has its whole path.
STALE_LOCK = re.compile(r'lock file "(postmaster\.pid|/.+/\.s\.PGSQL\.\d+\.lock)" already exists')
LONGEST_SOCKET_FOLDER = 80
PLAIN_PATH = re.compile(r"[\w/.+-]+", re.ASCII)
LOG_LIMIT = 4 << 20
# Where the pid file says what the server does; pg_ctl reads it there, too.
STATUS_LINE = 7


def try_lock(path: Path, kind: int = fcntl.LOCK_EX) -> int | None:
    """Return a descriptor that holds the lock until it is closed; None if the lock is taken."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


class Server:
    """The server of one home folder: its files, and the process if we started it."""

    def __init__(
        self, home: Path, binaries: Path | None = None, settings: Mapping[str, str] = SETTINGS
    ) -> None:
        self.home = home.absolute()
        self.data = self.home / "postgres"
        self.log = self.home / "postgres.log"
        self._binaries = binaries
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        self._log_start: int | None = None

    def socket_folder(self) -> Path | None:
        """Return the socket folder of the server that runs, or ran last; None if unknown."""
        lines = self._pid_file_lines()
        return Path(lines[4]) if len(lines) > 4 and lines[4] else None

    def launch(self, running: int) -> None:
        """Create the data folder if needed and start the server, which inherits the lock.

        The lock lives as long as any process of the server. Unlike a pid it therefore proves that
        nobody uses the data, whatever was killed.
        """
        try:
            self._check_data()
            account = choose_account(self.data)
            programs = self._binaries or place_binaries(account)
            if not (self.data / "PG_VERSION").exists():
                self._create_data(account, programs, running)
            self._take_over_data(account)
            self._spawn(account, programs, running)
        except OSError as error:
            raise EmbeddedPostgresError(explain_os_error(error, self.home)) from error
        finally:
            os.close(running)

    def has_ended(self) -> bool:
        """Return whether the process we launched has ended."""
        return self._process is not None and self._process.poll() is not None

    def require_passing(self) -> None:
        """Return if the failure may pass or was a stale lock file, which is removed; else raise.

        Postgres takes a lock file as stale unless its process exists. It does, if the number was
        given away since, or if nobody waits for the dead, as in a container without an init.
        """
        output = self._output()
        if any(sign in output for sign in PASSING) or self._was_killed():
            return
        if (stale := STALE_LOCK.search(output)) is None:
            raise EmbeddedPostgresError(self.describe(output))
        (self.data / stale[1]).unlink(missing_ok=True)

    def _was_killed(self) -> bool:
        return self._process is not None and self._process.poll() == -signal.SIGKILL

    @property
    def is_stopping(self) -> bool:
        """Whether the server says so of itself in its pid file."""
        lines = self._pid_file_lines()
        return len(lines) > STATUS_LINE and lines[STATUS_LINE].strip() == "stopping"

    def describe_shutdown(self) -> str:
        """Return the trouble of a server that does not come to an end."""
        return explain_shutdown(self.home, next(iter(self._pid_file_lines()), "unknown"))

    def describe(self, output: str | None = None) -> str:
        """Return the trouble shown by these words, or by the log since the launch."""
        if output is None and self._log_start is None:
            return explain_silence(self.home, next(iter(self._pid_file_lines()), "unknown"))
        return explain(output or self._output(), self.home, self.log)

    def interrupt(self) -> None:
        """Ask for a fast shutdown: sessions end, committed data is kept."""
        self._send(signal.SIGINT)

    def abort(self) -> None:
        """Ask for an immediate shutdown: committed data is recovered by the next start."""
        self._send(signal.SIGQUIT)

    def _send(self, one: signal.Signals) -> None:
        lines = self._pid_file_lines()
        if lines:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(lines[0]), one)

    def tidy(self, folder: Path | None) -> None:
        """Remove the socket folder if the server has left it empty."""
        if folder is not None:
            with contextlib.suppress(OSError):
                folder.rmdir()

    def erase(self) -> None:
        """Delete the data and the log; only for a server that does not run."""
        if self.data.exists():
            shutil.rmtree(self.data)
        self.log.unlink(missing_ok=True)

    def _pid_file_lines(self) -> list[str]:
        try:
            return (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []

    def _output(self) -> str:
        with self.log.open("rb") as log:
            log.seek(self._log_start or 0)
            return log.read().decode(errors="replace")

    def _check_data(self) -> None:
        version = self.data / "PG_VERSION"
        if version.exists():
            if (found := version.read_text().strip()) != (shipped := server_major()):
                raise EmbeddedPostgresError(explain_version(found, shipped, self.data))
        elif self.data.exists() and any(self.data.iterdir()):
            raise EmbeddedPostgresError(explain_foreign_folder(self.data))

    def _create_data(self, account: Account, programs: Path, running: int) -> None:
        """Create the data folder beside its place and move it in: a kill leaves no partial one."""
        draft = self.home / "postgres.new"
        for character_type in CHARACTER_TYPES:
            shutil.rmtree(draft, ignore_errors=True)
            claim_folder(draft, account)
            with _visible(draft, account) as (path, descriptors), self._open_log() as log:
                command = [programs / "initdb", "-D", path, *INITDB, f"--lc-ctype={character_type}"]
                made = _run(command, account, log, running, *descriptors).wait() == 0
            if made:
                break
            if character_type == "C" or "invalid locale name" not in self._output():
                raise EmbeddedPostgresError(self.describe())
        if self.data.exists():
            self.data.rmdir()
        draft.rename(self.data)
        _flush_folder(self.home)

    def _take_over_data(self, account: Account) -> None:
        """Make restored or shared data the account's own, as Postgres requires."""
        if account.switched and self.data.stat().st_uid == 0:
            for path in (self.data, *self.data.rglob("*")):
                account.own(path)
        if self.data.stat().st_mode & 0o077:
            self.data.chmod(0o700)

    def _spawn(self, account: Account, programs: Path, running: int) -> None:
        folder = self._choose_socket_folder(account)
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        with _visible(self.data, account) as (path, descriptors), self._open_log() as log:
            command = [programs / "postgres", "-D", path, "-k", folder, *settings]
            self._process = _run(command, account, log, running, *descriptors)
        # Reap the child: otherwise a dead one still looks alive to the next server's check.
        threading.Thread(target=self._process.wait, daemon=True).start()

    def _choose_socket_folder(self, account: Account) -> Path:
        # The name contains the inode, so a server whose data was deleted can't block a new one.
        place = f"{self.home.resolve()} {self.data.stat().st_ino}"
        name = f"agencyclaw-{sha256(os.fsencode(place)).hexdigest()[:16]}"
        inside = self.home / "postgres-socket"
        for folder in (inside, Path(tempfile.gettempdir(), name), Path("/tmp", name)):  # noqa: S108
            short = len(os.fsencode(folder)) <= LONGEST_SOCKET_FOLDER
            if short and PLAIN_PATH.fullmatch(str(folder)) and can_reach(account, folder.parent):
                return claim_folder(folder, account)
        raise EmbeddedPostgresError("No folder is short enough for a socket: set TMPDIR to /tmp.")

    @contextlib.contextmanager
    def _open_log(self) -> Generator[BinaryIO]:
        if self.log.exists() and self.log.stat().st_size > LOG_LIMIT:
            self.log.rename(self.log.with_suffix(".log.old"))
        with self.log.open("ab") as log:
            self._log_start = log.tell()
            yield log


@contextlib.contextmanager
def _visible(folder: Path, account: Account) -> Generator[tuple[str, tuple[int, ...]]]:
    """Yield a path of `folder` that works for the account even below folders it may not enter.

    An open descriptor leads straight to the folder; the data stays in the home the user chose.
    """
    if can_reach(account, folder.parent) or not sys.platform.startswith("linux"):
        yield str(folder), ()
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}", (descriptor,)
    finally:
        os.close(descriptor)


def _run(
    command: Sequence[str | Path], account: Account, log: BinaryIO, *descriptors: int
) -> subprocess.Popen[bytes]:
    """Run as the account, in a session of its own: Ctrl-C must not reach Postgres before us."""
    return subprocess.Popen(  # noqa: S603
        command,
        cwd="/",
        env=ENVIRONMENT,
        umask=0o077,
        user=account.uid if account.switched else None,
        group=account.gid if account.switched else None,
        extra_groups=[] if account.switched else None,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        pass_fds=descriptors,
        start_new_session=True,
    )


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
