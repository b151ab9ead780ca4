"""The questions of `agencyclaw setup`, asked in the terminal as its page asks them in a browser."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
import termios
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.server.setup_page import ChosenFile, SetupPage

INPUT_ENDED = "The input ended here. What is done is kept: run `agencyclaw setup` again."


class Terminal:
    """Prints, and reads answers, one line each; raises Misconfigured when the input ends."""

    def title(self, text: str) -> None:
        """Print the name of a step."""
        self.say(f"\n{text}")

    def say(self, text: str = "") -> None:
        """Print a line."""
        print(text, flush=True)

    async def ask(self, question: str, default: str = "") -> str:
        """Return an answer without surrounding space; an empty one is the default."""
        hint = f" [{default}]" if default else ""
        return await self._read(f"{question}{hint}: ") or default

    async def ask_secret(self, question: str) -> str:
        """Return an answer that a terminal does not show."""
        with _unseen(sys.stdin.fileno()):
            answer = await self._read(f"{question}: ")
        if sys.stdin.isatty():
            self.say()
        return answer

    async def confirm(self, question: str) -> bool:
        """Return whether the answer is yes; an empty one is no answer."""
        while True:
            answer = (await self.ask(f"{question} (y/n)")).lower()
            if answer in ("y", "yes", "n", "no"):
                return answer in ("y", "yes")

    async def choose(self, question: str, options: Sequence[str]) -> list[int]:
        """List options, and return the positions of the chosen ones: "1,3-5", "all" or "none"."""
        self._list(options)
        while True:
            answer = await self.ask(f"{question} (such as 1,3-5; all; none)", "none")
            chosen = positions(answer, len(options))
            if chosen is not None:
                return chosen
            self.say(f"     “{answer}” names none of these.")

    async def choose_one(self, question: str, options: Sequence[str]) -> int:
        """List options, and return the position of the chosen one."""
        self._list(options)
        while True:
            chosen = positions(await self.ask(f"{question} (its number)"), len(options)) or []
            if len(chosen) == 1:
                return chosen[0]
            self.say("     Exactly one, please.")

    def _list(self, options: Sequence[str]) -> None:
        for number, option in enumerate(options, 1):
            self.say(f"  {number:>3}  {option}")

    async def ask_files(self, question: str) -> Sequence[ChosenFile]:
        """Ask for the paths of files until all of them can be read; an empty answer is none.

        They are written as a shell has them: with quotation marks where a name has spaces.
        """
        while True:
            answer = await self.ask(f"{question}; paths, separated by spaces (empty: none)")
            try:
                paths = shlex.split(answer)
                return [await asyncio.to_thread(_read_file, path) for path in paths]
            except (OSError, ValueError, RuntimeError) as error:
                self.say(f"BAD  {error}")

    async def _read(self, prompt: str) -> str:
        print(prompt, end="", flush=True)
        line = await _line(sys.stdin.fileno())
        if not line:
            raise Misconfigured(INPUT_ENDED)
        return line.decode(errors="replace").strip()


# Whoever asks for something of setup asks in one of the two.
Asking = Terminal | SetupPage


async def _line(descriptor: int) -> bytes:
    """Return the next line; nothing at the end of the input.

    A thread that waits for a line could not be ended by Ctrl-C, so this waits in the loop, and
    takes no byte of the next line.
    """
    line = b""
    while not line.endswith(b"\n"):
        await _readable(descriptor)
        byte = os.read(descriptor, 1)
        if not byte:
            break
        line += byte
    return line


async def _readable(descriptor: int) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(descriptor, ready.set)
    except OSError:
        # A plain file never makes anybody wait.
        return
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


@contextmanager
def _unseen(descriptor: int) -> Generator[None]:
    """Have a terminal not show what is typed; anything else shows nothing anyway."""
    if not os.isatty(descriptor):
        yield
        return
    before = termios.tcgetattr(descriptor)
    silent = [*before]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSAFLUSH, silent)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)


def _read_file(written: str) -> ChosenFile:
    path = Path(written).expanduser()
    return ChosenFile(path.name, path.read_bytes())


def positions(answer: str, count: int) -> list[int] | None:
    """Return the positions that an answer names, from 0; None if it is no such list."""
    plain = answer.strip().lower()
    if plain in ("all", "none"):
        return list(range(count)) if plain == "all" else []
    chosen: dict[int, None] = {}
    for part in plain.split(","):
        first, dash, last = (one.strip() for one in part.partition("-"))
        if not first.isdecimal() or (dash and not last.isdecimal()):
            return None
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers[0] < 1 or numbers[-1] > count:
            return None
        chosen |= dict.fromkeys(number - 1 for number in numbers)
    return list(chosen)
