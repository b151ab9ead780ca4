"""The browser's front end of `agencyclaw setup`: one page on this machine, for one person.

It asks what the terminal would ask, and is gone when setup ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from aiohttp import web

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.server.http import HttpLimits
from agencyclaw.server.local_page import HEADERS, LocalPage
from agencyclaw.server.setup_html import Question, page

_FORM_BYTES = 5_000_000
_WAIT_S = 20.0
_LAST_LOOK_S = 30.0


@dataclass(frozen=True)
class ChosenFile:
    """A file that a person chose."""

    name: str
    content: bytes


@dataclass(frozen=True)
class _Sent:
    """What a form held: its texts, or its files."""

    texts: tuple[str, ...] = ()
    files: tuple[ChosenFile, ...] = ()


class SetupPage:
    """Asks one question after the other, each in a form; several tabs show the same question."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._number = 0
        self._question: Question | None = None
        self._sent: asyncio.Future[_Sent] | None = None
        self._changed = asyncio.Event()
        self._is_over = False
        self.was_seen_to_the_end = asyncio.Event()

    def title(self, text: str) -> None:
        """Begin a step."""
        self._lines = [f"## {text}"]

    def say(self, text: str = "") -> None:
        """Show lines above the next question."""
        self._lines += text.splitlines()

    async def ask(self, question: str, default: str = "") -> str:
        """Return an answer without surrounding space; an empty one is the default."""
        return (await self._answer(question, "text", default=default)).strip() or default

    async def ask_secret(self, question: str) -> str:
        """Return an answer that the page does not show."""
        return (await self._answer(question, "secret")).strip()

    async def confirm(self, question: str) -> bool:
        """Return whether the answer is yes."""
        return await self._answer(question, "yes_or_no") == "yes"

    async def choose(self, question: str, options: Sequence[str]) -> list[int]:
        """Return the positions of the ticked options."""
        return await self._ticked(question, "several", options)

    async def choose_one(self, question: str, options: Sequence[str]) -> int:
        """Return the position of the chosen option."""
        while True:
            chosen = await self._ticked(question, "one", options)
            if len(chosen) == 1:
                return chosen[0]

    async def ask_files(self, question: str) -> Sequence[ChosenFile]:
        """Return the chosen files; none if the person has no more."""
        return (await self._asked(question, "files")).files

    def end(self) -> None:
        """Say that nothing is asked any more."""
        self._is_over = True
        self._changed.set()

    async def show(self, request: web.Request) -> web.StreamResponse:
        """Return the page as soon as there is something to ask."""
        _ = request
        try:
            async with asyncio.timeout(_WAIT_S):
                await self._changed.wait()
        except TimeoutError:
            pass
        if self._is_over:
            self.was_seen_to_the_end.set()
        html = page(self._lines, self._question, is_over=self._is_over)
        return web.Response(text=html, content_type="text/html")

    async def take(self, request: web.Request) -> web.StreamResponse:
        """Take an answer; one to an earlier question changes nothing."""
        fields = await request.post()
        is_current = self._question and fields.get("number") == str(self._question.number)
        if is_current and self._sent and not self._sent.done():
            options = self._question.options if self._question else ()
            self._changed.clear()
            self._question = None
            values = list(map(str, range(len(options))))
            values = values if "all" in fields else fields.getall("answer", [])
            texts = tuple(value for value in values if isinstance(value, str))
            uploads = (value for value in values if isinstance(value, web.FileField))
            chosen = (one for one in uploads if one.filename)
            files = tuple(ChosenFile(one.filename, one.file.read()) for one in chosen)
            self._sent.set_result(_Sent(texts, files))
        raise web.HTTPSeeOther(request.path, headers=HEADERS)

    async def _ticked(
        self, question: str, kind: Literal["several", "one"], options: Sequence[str]
    ) -> list[int]:
        sent = await self._asked(question, kind, options)
        numbers = {int(text) for text in sent.texts if text.isascii() and text.isdecimal()}
        return sorted(number for number in numbers if number < len(options))

    async def _answer(
        self, question: str, kind: Literal["text", "secret", "yes_or_no"], *, default: str = ""
    ) -> str:
        texts = (await self._asked(question, kind, default=default)).texts
        return texts[0] if texts else ""

    async def _asked(
        self,
        question: str,
        kind: Literal["text", "secret", "yes_or_no", "several", "one", "files"],
        options: Sequence[str] = (),
        default: str = "",
    ) -> _Sent:
        self._number += 1
        self._sent = asyncio.get_running_loop().create_future()
        self._question = Question(self._number, question, kind, options, default)
        self._changed.set()
        return await self._sent


@asynccontextmanager
async def setup_page(port: int = 0) -> AsyncGenerator[tuple[SetupPage, str]]:
    """Serve the page while setup runs, and yield it with its address.

    What stops setup is shown on it, too. It closes once its end was seen.
    """
    front, local = SetupPage(), LocalPage()
    bounds = HttpLimits(body_bytes=_FORM_BYTES, takes_forms=True)
    async with local.serving(port, {"GET": front.show, "POST": front.take}, bounds) as address:
        try:
            yield front, address
        except AgencyClawError as error:
            front.say(f"BAD  {error}")
            raise
        finally:
            front.end()
            if local.token:
                try:
                    async with asyncio.timeout(_LAST_LOOK_S):
                        await front.was_seen_to_the_end.wait()
                except TimeoutError:
                    pass
