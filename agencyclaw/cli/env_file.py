"""Keeps settings in `.env`, which nobody but its owner and group may read."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from agencyclaw.domain.errors import Misconfigured

_OWNER_ONLY = 0o600


def keep_settings(path: Path, values: Mapping[str, str]) -> None:
    """Write these settings into the file, and leave its other lines as they are.

    The file is replaced as a whole, so that it is never seen half written. It stays its owner's,
    also where root writes it. Its group may go on reading it if nobody else could and the
    new file is that group's too.
    """
    for name, value in values.items():
        if any(mark in value for mark in "\r\n'\""):
            raise Misconfigured(f"{name} has a line break or a quotation mark, which no key has.")
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        kept = [line for line in lines if _name_in(line) not in values]
        _replace(path, [*kept, *(f"{name}={value}" for name, value in values.items())])
    except OSError as error:
        raise Misconfigured(f"{path.absolute()} can't be written: {error.strerror}.") from None


def _replace(path: Path, lines: list[str]) -> None:
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
        if path.exists():
            _hand_over(descriptor, path.stat())
    draft.replace(path)


def _hand_over(descriptor: int, before: os.stat_result) -> None:
    # Only root gives a file away, and its owner may give it to their own groups alone.
    if os.geteuid() == 0:
        os.fchown(descriptor, before.st_uid, before.st_gid)
    else:
        with suppress(OSError):
            os.fchown(descriptor, -1, before.st_gid)
    is_same_group = os.fstat(descriptor).st_gid == before.st_gid
    if is_same_group and not before.st_mode & stat.S_IRWXO:
        os.fchmod(descriptor, _OWNER_ONLY | before.st_mode & stat.S_IRGRP)


def _name_in(line: str) -> str:
    return line.partition("=")[0].strip().removeprefix("export ").strip()
