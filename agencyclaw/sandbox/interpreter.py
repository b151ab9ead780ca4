"""Runs a short program in an isolated process, with limits.

The interpreter (pydantic's Monty, written in Rust) has no files, network or environment, and its
own limits of time, memory and depth. If a program ever broke out of it, it would be in a process
with an empty environment, under limits of the system that it can't lift, and killed on time.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from agencyclaw.domain.calculation import Calculation
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.text import clean, cut

_SCRIPTS = Path(sysconfig.get_path("scripts"))
_FAULT_LIMIT = 300
# Cores, files, handles; seconds of the processor; kilobytes of addresses, which macOS can't limit.
_SHELL = (
    "ulimit -c 0; ulimit -f 0; ulimit -n 16; ulimit -t {cpu}; ulimit -v {space} 2>/dev/null;"
    ' exec /usr/bin/env -i "$0" "$@"'
)
_SPACE_BEYOND_KB = 500_000
_DURATION = re.compile(r"^[\d.]+\S*s ❯ (?:error: ?)?")
_LINE_NUMBER = re.compile(r'File "[^"]*", line (\d+)')
_EXCEPTION = re.compile(r"^[A-Za-z]+(?:Error|Exception|Iteration)\b")


@dataclass(frozen=True)
class ProgramLimits:
    """Limits of one program: CPU seconds, total seconds, megabytes, depth, characters, bytes."""

    seconds: float = 2.0
    patience_s: float = 6.0
    memory_mb: int = 64
    depth: int = 200
    printed: int = 4_000
    program_bytes: int = 300_000


@dataclass(frozen=True)
class Interpreter:
    """Runs programs, at most `at_once` in parallel."""

    binary: Path = _SCRIPTS / "monty"
    limits: ProgramLimits = ProgramLimits()
    at_once: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    def require(self) -> None:
        """Raise Misconfigured unless the interpreter is installed."""
        if not os.access(self.binary, os.X_OK):
            raise Misconfigured(
                "AGENCYCLAW_SANDBOX is 1, but its interpreter is not installed: run `make sandbox`,"
                " or set it to 0."
            )

    async def run(self, code: str, values: Mapping[str, Any]) -> Calculation:
        """Run a program with `values`, JSON-like, as its variables."""
        program = _program(code, values)
        if len(program) > self.limits.program_bytes:
            return Calculation(fault="That is too much data for one calculation.")
        async with self.at_once:
            with _nameless_file() as file:
                file.write(program)
                file.seek(0)
                return await self._wait_for(await self._start(file.fileno()))

    async def _start(self, program: int) -> asyncio.subprocess.Process:
        limits = self.limits
        script = _SHELL.format(
            cpu=int(limits.patience_s), space=limits.memory_mb * 1024 + _SPACE_BEYOND_KB
        )
        return await asyncio.create_subprocess_exec(
            "/bin/sh",
            "-c",
            script,
            str(self.binary),
            f"--max-memory={limits.memory_mb}MB",
            f"--max-feed-duration={limits.seconds}",
            f"--max-recursion-depth={limits.depth}",
            "--max-sleep=0",
            "--max-total-sleep=0",
            "/dev/stdin",
            stdin=program,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={},
            cwd="/",
            start_new_session=True,
        )

    async def _wait_for(self, process: asyncio.subprocess.Process) -> Calculation:
        """Wait for the process to end, or kill it; nothing of it survives this."""
        assert process.stdout is not None
        assert process.stderr is not None
        # A character takes at most four bytes.
        most = self.limits.printed * 4
        try:
            async with asyncio.timeout(self.limits.patience_s):
                output, errors = await asyncio.gather(
                    _read(process, process.stdout, most), _read(process, process.stderr, most)
                )
                return self._result(await process.wait(), output, errors)
        except TimeoutError:
            return Calculation(fault="It took too long and was ended.")
        finally:
            await asyncio.shield(_end(process))

    def _result(self, status: int, output: bytes, errors: bytes) -> Calculation:
        printed = clean(output.decode("utf-8", "replace"), limit=len(output))
        if len(printed) > self.limits.printed:
            return Calculation(fault="It printed too much: print only what you need.")
        if status != 0:
            return Calculation(fault=_fault(errors.decode("utf-8", "replace"), status))
        if not printed:
            return Calculation(fault="It printed nothing: print what you want to know.")
        return Calculation(printed=printed)


def open_interpreter(is_wanted: bool) -> Interpreter | None:
    """Return the interpreter if it is wanted; raises Misconfigured if it can't run."""
    if not is_wanted:
        return None
    interpreter = Interpreter()
    interpreter.require()
    return interpreter


def _nameless_file() -> IO[bytes]:
    """Open a file without a name, in memory where possible: no data should touch a disk."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("program"), "w+b")
    return tempfile.TemporaryFile()


def _program(code: str, values: Mapping[str, Any]) -> bytes:
    """Return the program with its values before it, on one line."""
    arguments = json.dumps(dict(values))
    names = ", ".join(values)
    header = f"import json; [{names}] = json.loads({arguments!r}).values()" if values else "pass"
    return f"{header}\n{code}\n".encode("utf-8", "replace")


async def _read(
    process: asyncio.subprocess.Process, stream: asyncio.StreamReader, most: int
) -> bytes:
    """Read to the end; kill a process that writes more than `most` bytes."""
    output = bytearray()
    while piece := await stream.read(65_536):
        if len(output) <= most:
            output += piece
        else:
            _kill(process)
    return bytes(output)


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill the process and its children; its pid stays reserved while it is not reaped."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill the process, and wait for its end."""
    _kill(process)
    for stream in (process.stdout, process.stderr):
        # A pipe that nobody empties would never be seen to end.
        while stream is not None and await stream.read(65_536):
            pass
    await process.wait()


def _fault(errors: str, status: int) -> str:
    """Return the last line of a traceback, with the program's line number."""
    lines = [line for line in clean(errors, limit=len(errors)).splitlines() if line.strip()]
    last = _DURATION.sub("", lines[-1]) if lines else ""
    if not _EXCEPTION.match(last):
        return "It can't be read as a program." if status == 1 else "It was ended by its limits."
    numbers = _LINE_NUMBER.findall(errors)
    line = f" (line {int(numbers[-1]) - 1})" if numbers else ""
    return cut(f"{last}{line}", _FAULT_LIMIT)
