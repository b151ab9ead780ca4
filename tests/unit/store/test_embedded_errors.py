"""What Postgres prints is explained by its cause; only damage leads to advice that costs data."""

import errno
from pathlib import Path

import pytest

from agencyclaw.store.embedded_errors import START_AFRESH, explain, explain_os_error

HOME = Path("/srv/claw")
MEMORY, SPACE, FILES = "shared) memory", "is full", "as many files"
CAUSES = [
    ("could not create shared memory segment: No space left on device", MEMORY),
    ('could not resize shared memory segment "/x" to 8 bytes: No space left on device', MEMORY),
    ("could not map anonymous shared memory: Cannot allocate memory", MEMORY),
    ("pre-existing shared memory block (key 1, ID 2) is still in use", "earlier Postgres"),
    ('could not write to file "pg_wal/xlogtemp.1": No space left on device', SPACE),
    ('could not open file "base/5/1259": Too many open files', FILES),
    ('PANIC:  could not open file "global/pg_control": Too many open files in system', FILES),
    ("insufficient file descriptors available to start server process", FILES),
    ('could not read file "base/5/1259": Input/output error', "cannot be read or written"),
    ('PANIC:  could not fsync file "pg_wal/1": Input/output error', "cannot be read or written"),
    ('could not open file "postmaster.pid": Read-only file system', "read-only"),
    ('configuration file "/srv/claw/postgresql.conf" contains errors', "configuration"),
    ("could not load /srv/claw/pg_hba.conf", "configuration"),
    ("database files are incompatible with server", "another build"),
    ("Data page checksums are enabled.\nchild process exited with exit code 1", "did not start"),
]
DAMAGE = [
    'could not open file "global/pg_filenode.map": No such file or directory',
    'could not read file "global/pg_filenode.map": read 0 of 524',
    "PANIC:  could not locate a valid checkpoint record at 0/1548FA8",
    'calculated CRC checksum does not match value stored in file "global/pg_control"',
    "page verification failed, calculated checksum 1 but expected 2",
    "incorrect checksum in control file",
    "PANIC:  invalid max offset number\nCONTEXT:  WAL redo at 0/1548FA8 for Heap/INSERT",
]


@pytest.mark.parametrize(("output", "problem"), CAUSES)
def test_a_failure_that_left_the_data_whole_never_suggests_to_start_afresh(
    output: str, problem: str
) -> None:
    explained = explain(f"FATAL:  {output}", HOME, HOME / "log")

    assert problem in explained
    assert START_AFRESH not in explained


@pytest.mark.parametrize("output", DAMAGE)
def test_damage_is_named_with_the_ways_out(output: str) -> None:
    explained = explain(f"FATAL:  {output}", HOME, HOME / "log")

    assert "is damaged" in explained
    assert START_AFRESH in explained


def test_an_error_of_the_system_that_we_do_not_know_is_shown_with_a_way_out() -> None:
    explained = explain_os_error(OSError(errno.ELOOP, "Too many levels"), HOME)

    assert "Too many levels. Fix that, or set DATABASE_URL" in explained
