"""Servers of killed runs are erased, so that they take no memory until a reboot."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

import evals.databases
from evals.databases import fast_folder, running_server

# Above what Linux gives to any process.
KILLED, OURS = f"agencyclaw-tests-{2**22 + 1}-1", f"agencyclaw-tests-{os.getpid()}-0"


async def test_what_killed_runs_left_is_erased_also_where_it_has_filled_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, disk = tmp_path / "memory", tmp_path / "disk"
    for folder in (memory, disk):
        for name in (KILLED, OURS):
            (folder / name / "data").mkdir(parents=True)
    monkeypatch.setattr(evals.databases, "MEMORY", memory)
    monkeypatch.setattr(evals.databases, "ENOUGH_MEMORY", 2**62)
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    assert fast_folder() == disk

    async with running_server():
        left = {one.name for folder in (memory, disk) for one in folder.iterdir()}
        assert KILLED not in left
        assert OURS in left
