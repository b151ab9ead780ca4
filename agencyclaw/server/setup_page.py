"""The browser's front end of `agencyclaw setup`: one page on this machine, for one person.

It listens on 127.0.0.1 alone, is opened once by the key in its address, answers only to that
browser and that host, and is gone when setup ends. It asks what the terminal would ask.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from aiohttp import web

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.server.http import Handler, HttpLimits, serving
from agencyclaw.server.setup_html import Question, page

HOST = "127.0.0.1"
_COOKIE = "setup"
_FORM_BYTES = 5_000_000
_WAIT_S = 20.0
_LAST_LOOK_S = 30.0
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    # With "no-referrer" a browser hides the Origin of a form, too.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Upload:
    """A file that was chosen in the browser."""

    name: str
    content: bytes


@dataclass(frozen=True)
class _Sent:
    """What a form held: its texts, or its files."""

    texts: tuple[str, ...] = ()
    files: tuple[Upload, ...] = ()


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

    async def choose(self, question: str, options: Sequence[str], default: str = "") -> list[int]:
        """Return the positions of the ticked options; a number as default ticks that one."""
        return await self._ticked(question, "several", options, default)

    async def choose_one(self, question: str, options: Sequence[str]) -> int:
        """Return the position of the chosen option."""
        while True:
            chosen = await self._ticked(question, "one", options)
            if len(chosen) == 1:
                return chosen[0]

    async def ask_files(self, question: str) -> Sequence[Upload]:
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
            files = tuple(Upload(one.filename, one.file.read()) for one in uploads if one.filename)
            self._sent.set_result(_Sent(texts, files))
        raise web.HTTPSeeOther(request.path, headers=_HEADERS)

    async def _ticked(
        self,
        question: str,
        kind: Literal["several", "one"],
        options: Sequence[str],
        default: str = "",
    ) -> list[int]:
        sent = await self._asked(question, kind, options, default)
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


@dataclass
class _Guard:
    """Lets only the browser in that opened the printed address, and only at this host.

    Browsers send a cookie to every port of a host, so it is bound to a path that nobody guesses.
    """

    key: str
    path: str
    token: str = ""

    def open(self, request: web.Request) -> None:
        """Exchange the key for a cookie, once."""
        key = request.query.get("key", "")
        if self.token or not secrets.compare_digest(key.encode(), self.key.encode()):
            raise web.HTTPForbidden(text="This address was used already, or is not the right one.")
        self.token = secrets.token_urlsafe(32)
        answer = web.HTTPSeeOther(self.path, headers=_HEADERS)
        answer.set_cookie(_COOKIE, self.token, httponly=True, samesite="Strict", path=self.path)
        raise answer

    def guarded(self, handler: Handler) -> Handler:
        """Return the handler behind the checks of host, origin and cookie."""

        async def handle(request: web.Request) -> web.StreamResponse:
            self._require_here(request)
            cookie = request.cookies.get(_COOKIE, "")
            is_known = secrets.compare_digest(cookie.encode(), self.token.encode())
            if request.method == "GET" and "key" in request.query:
                if self.token and is_known:
                    raise web.HTTPSeeOther(self.path, headers=_HEADERS)
                self.open(request)
            if not self.token or not is_known:
                raise web.HTTPForbidden(text="Open the address that setup printed.")
            answer = await handler(request)
            answer.headers.update(_HEADERS)
            return answer

        return handle

    @staticmethod
    def _require_here(request: web.Request) -> None:
        """Refuse other names of this machine, and forms of other sites."""
        sockets = request.transport.get_extra_info("sockname") if request.transport else None
        here = f"{HOST}:{sockets[1]}" if sockets else ""
        if request.host != here:
            raise web.HTTPForbidden(text="This page has another address.")
        if request.method == "POST" and request.headers.get("Origin") != f"http://{here}":
            raise web.HTTPForbidden(text="This form was sent by another page.")


@asynccontextmanager
async def setup_page(port: int = 0) -> AsyncGenerator[tuple[SetupPage, str]]:
    """Serve the page while setup runs, and yield it with its address.

    What stops setup is shown on it, too. It closes once its end was seen.
    """
    path = f"/{secrets.token_urlsafe(12)}"
    front, guard = SetupPage(), _Guard(secrets.token_urlsafe(24), path)
    routes = {("GET", path): guard.guarded(front.show), ("POST", path): guard.guarded(front.take)}
    bounds = HttpLimits(body_bytes=_FORM_BYTES, takes_forms=True)
    async with serving(HOST, port, routes, drain_s=1.0, bounds=bounds) as listening:
        try:
            yield front, f"http://{HOST}:{listening}{path}?key={guard.key}"
        except AgencyClawError as error:
            front.say(f"BAD  {error}")
            raise
        finally:
            front.end()
            if guard.token:
                try:
                    async with asyncio.timeout(_LAST_LOOK_S):
                        await front.was_seen_to_the_end.wait()
                except TimeoutError:
                    pass
