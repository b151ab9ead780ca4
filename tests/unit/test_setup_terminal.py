"""What setup asks in a terminal, where an answer is one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from agencyclaw.cli.asking import Terminal


class Typed(Terminal):
    """A terminal in which these lines are typed; keeps what is shown."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = iter(lines)
        self.shown: list[str] = []

    def say(self, text: str = "") -> None:
        self.shown.append(text)

    async def ask(self, question: str, default: str = "") -> str:
        return next(self._lines, default)


async def test_paths_of_files_are_written_as_in_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "our clients.csv").write_bytes(b"Name")
    (tmp_path / "brands.csv").write_bytes(b"Client,Name")
    quoted = f"'{tmp_path / 'our clients.csv'}'"
    terminal = Typed([quoted.removesuffix("'"), "nowhere.csv", f"{quoted} ~/brands.csv"])

    files = await terminal.ask_files("CSV files")

    assert [(file.name, file.content) for file in files] == [
        ("our clients.csv", b"Name"),
        ("brands.csv", b"Client,Name"),
    ]
    assert [line.partition(":")[0] for line in terminal.shown] == [
        "BAD  No closing quotation",
        "BAD  [Errno 2] No such file or directory",
    ]
