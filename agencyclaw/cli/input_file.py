"""Reads the CSV file that a command names."""

from __future__ import annotations

from pathlib import Path

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.imports import TextFile
from agencyclaw.knowledge.csv_files import text_file


def read_text_file(name: str) -> TextFile:
    """Return a file; raises Misconfigured if it can't be read, Refused if it is not in UTF-8."""
    path = Path(name)
    try:
        return text_file(path.name, path.read_bytes())
    except OSError as error:
        raise Misconfigured(f"{path} can't be read: {error.strerror}.") from None
