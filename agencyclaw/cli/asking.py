"""Asks questions in the terminal, one line each; works over a pipe as well."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from getpass import getpass

from agencyclaw.domain.errors import Misconfigured


class Terminal:
    """Prints, and reads answers; raises Misconfigured when the input ends."""

    def say(self, text: str = "") -> None:
        """Print a line."""
        print(text, flush=True)

    async def ask(self, question: str, default: str = "") -> str:
        """Return an answer without surrounding space; an empty one is the default."""
        hint = f" [{default}]" if default else ""
        return await self._read(input, f"{question}{hint}: ") or default

    async def ask_secret(self, question: str) -> str:
        """Return an answer that a terminal does not show."""
        return await self._read(getpass if sys.stdin.isatty() else input, f"{question}: ")

    async def confirm(self, question: str) -> bool:
        """Return whether the answer is yes; an empty one is."""
        while True:
            answer = (await self.ask(f"{question} (y/n)", "y")).lower()
            if answer in ("y", "yes", "n", "no"):
                return answer in ("y", "yes")

    async def choose(self, question: str, options: Sequence[str], default: str = "") -> list[int]:
        """List options, and return the positions of the chosen ones: "1,3-5", "all" or "none"."""
        for number, option in enumerate(options, 1):
            self.say(f"  {number:>3}  {option}")
        while True:
            answer = await self.ask(f"{question} (such as 1,3-5; all; none)", default)
            chosen = positions(answer, len(options))
            if chosen is not None:
                return chosen
            self.say(f"     “{answer}” names none of these.")

    async def choose_one(self, question: str, options: Sequence[str]) -> int:
        """List options, and return the position of the chosen one."""
        while True:
            chosen = await self.choose(question, options)
            if len(chosen) == 1:
                return chosen[0]
            self.say("     Exactly one, please.")

    async def _read(self, read: object, prompt: str) -> str:
        assert callable(read)
        try:
            return str(await asyncio.to_thread(read, prompt)).strip()
        except EOFError:
            raise Misconfigured(
                "The input ended here. What is done is kept: run `agencyclaw setup` again."
            ) from None


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
