"""Explains failures of the embedded Postgres: what is wrong and how to fix it."""

import errno
import re
from dataclasses import dataclass
from pathlib import Path

LAST_LINES = 8
START_AFRESH = "Restore a backup, or start afresh with `make demo RESET=1`."


@dataclass(frozen=True)
class Failure:
    """A known failure: expressions that find it in Postgres's output, and our explanation."""

    signs: tuple[str, ...]
    problem: str
    fix: str


# The first match wins. Postgres also reports missing shared memory as a lack of space, and after a
# full disk or too many open files it writes lines that look like damage. Damage comes last: its
# fix costs data, so only lines that nothing but the data can cause may lead there.
KNOWN = (
    Failure(
        ("shared memory segment", "anonymous shared memory", "Cannot allocate memory"),
        "There is not enough (shared) memory for Postgres, which needs about 200 MB.",
        "Stop other programs or raise the limit (in a container: --shm-size=256m).",
    ),
    Failure(
        ("No space left on device", "Disk quota exceeded", "Check free disk space"),
        "The disk that holds {home} is full.",
        "Free some space on it and start again.",
    ),
    Failure(
        ("Too many open files", "insufficient file descriptors"),
        "Postgres may not open as many files as it needs.",
        "Stop other programs or raise the limit (ulimit -n), then start again.",
    ),
    Failure(
        ("Input/output error",),
        "The disk that holds {home} cannot be read or written.",
        "Check the disk, and restore a backup to another one if it is broken.",
    ),
    Failure(
        ("Read-only file system",),
        "The disk that holds {home} is read-only.",
        "Make it writable and start again.",
    ),
    Failure(
        ("could not look up effective user ID",),
        "The account that runs AgencyClaw has no name on this machine, and Postgres needs one.",
        "Add it to /etc/passwd, or set DATABASE_URL to a Postgres server.",
    ),
    Failure(
        ("shared memory block",),
        "Processes of an earlier Postgres still use the data in {home}.",
        "Stop them (ps shows them as 'postgres'), then start again.",
    ),
    Failure(
        ("Permission denied", "wrong ownership", "invalid permissions", "Operation not permitted"),
        "Postgres may not use its files in {home}.",
        "Start as the user who owns that folder, or give it back to its owner with chown.",
    ),
    Failure(
        ('configuration file ".*" contains errors', "could not load .*pg_(hba|ident).conf"),
        "Postgres does not accept its configuration in {home}.",
        "Correct the file and line that the log names, then start again.",
    ),
    Failure(
        ("files are incompatible with server",),
        "The data in {home} was written by another build of Postgres.",
        "Start it with the installation that wrote it.",
    ),
    Failure(
        (
            "checkpoint record",
            "calculated (CRC )?checksum",
            "incorrect checksum",
            "control file",
            "is not a database cluster directory",
            "is not a valid data directory",
            "WAL redo at",
            "references to invalid pages",
            'could not open file ".*": No such file or directory',
            'could not read file ".*": read',
            "could not access the server configuration file .*: No such file or directory",
        ),
        "The data in {home} is damaged.",
        START_AFRESH,
    ),
)
UNKNOWN = Failure((), "Postgres did not start.", "Read the log, or set DATABASE_URL to a server.")


def explain(output: str, home: Path, log: Path) -> str:
    """Return the problem, the fix and the last lines that Postgres printed."""
    failure = next((one for one in KNOWN if any(re.search(s, output) for s in one.signs)), UNKNOWN)
    lines = "\n".join(f"  {line}" for line in output.strip().splitlines()[-LAST_LINES:])
    return f"{failure.problem.format(home=home)} {failure.fix}\nThe last lines of {log}:\n{lines}"


def explain_os_error(error: OSError, home: Path) -> str:
    """Return problem and fix for an error of the operating system."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            fix = "Free some space on that disk and start again."
        case errno.EROFS:
            fix = "The disk is read-only: set AGENCYCLAW_HOME to a folder that can be written."
        case errno.EACCES | errno.EPERM:
            fix = "Start as the user who owns that folder, or set AGENCYCLAW_HOME to your own."
        case errno.EINVAL:
            fix = "This root may not become another account: run as a user, or set DATABASE_URL."
        case _:
            fix = "Fix that, or set DATABASE_URL to a Postgres server."
    return f"The embedded Postgres cannot use {home}: {error}. {fix}"


def explain_version(found: str, shipped: str, data: Path) -> str:
    """Return the message for data of another major version."""
    return (
        f"The data in {data} was written by PostgreSQL {found}, and this installation ships "
        f"PostgreSQL {shipped}. Dump it with the installation that wrote it and load the dump "
        "here, or move the folder away to start afresh."
    )


def explain_silence(home: Path, pid: str) -> str:
    """Return the message for a server that runs but does not answer."""
    return (
        f"A Postgres server (process {pid}) holds the data in {home}, but it does not answer. "
        f"End it (kill -INT {pid}), then start again."
    )


def explain_shutdown(home: Path, pid: str) -> str:
    """Return the message for a server that does not come to an end."""
    return (
        f"The Postgres server (process {pid}) that used the data in {home} before is shutting "
        f"down and does not come to an end. End it (kill -KILL {pid}), then start again; what "
        "was written is recovered."
    )


def explain_foreign_folder(data: Path) -> str:
    """Return the message for a folder that is not empty and holds no database."""
    return f"{data} is not empty but holds no whole database. {START_AFRESH}"
