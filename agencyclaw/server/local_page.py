"""A page on this machine for one person: on 127.0.0.1 alone, opened once by the key in its address.

It answers only to that browser and that host.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from agencyclaw.server.http import BOUNDS, Handler, HttpLimits, serving

HOST = "127.0.0.1"
_COOKIE = "page"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    # With "no-referrer" a browser hides the Origin of a form, too.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


@dataclass
class LocalPage:
    """Lets only the browser in that opened the printed address, and only at this host.

    Browsers send a cookie to every port of a host, so it is bound to a path that nobody guesses.
    """

    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    path: str = field(default_factory=lambda: f"/{secrets.token_urlsafe(12)}")
    token: str = ""

    @asynccontextmanager
    async def serving(
        self, port: int, handlers: Mapping[str, Handler], bounds: HttpLimits = BOUNDS
    ) -> AsyncGenerator[str]:
        """Serve the page, with a handler for each method, and yield its address."""
        routes = {(method, self.path): self._guarded(one) for method, one in handlers.items()}
        async with serving(HOST, port, routes, drain_s=1.0, bounds=bounds) as listening:
            yield f"http://{HOST}:{listening}{self.path}?key={self.key}"

    def _guarded(self, handler: Handler) -> Handler:
        """Return the handler behind the checks of host, origin and cookie."""

        async def handle(request: web.Request) -> web.StreamResponse:
            _require_here(request)
            cookie = request.cookies.get(_COOKIE, "")
            is_known = secrets.compare_digest(cookie.encode(), self.token.encode())
            if request.method == "GET" and "key" in request.query:
                if self.token and is_known:
                    raise web.HTTPSeeOther(self.path, headers=HEADERS)
                self._open(request)
            if not self.token or not is_known:
                raise web.HTTPForbidden(text="Open the address that was printed.")
            answer = await handler(request)
            answer.headers.update(HEADERS)
            return answer

        return handle

    def _open(self, request: web.Request) -> None:
        """Exchange the key for a cookie, once."""
        key = request.query.get("key", "")
        if self.token or not secrets.compare_digest(key.encode(), self.key.encode()):
            raise web.HTTPForbidden(text="This address was used already, or is not the right one.")
        self.token = secrets.token_urlsafe(32)
        answer = web.HTTPSeeOther(self.path, headers=HEADERS)
        answer.set_cookie(_COOKIE, self.token, httponly=True, samesite="Strict", path=self.path)
        raise answer


def _require_here(request: web.Request) -> None:
    """Refuse other names of this machine, and forms of other sites."""
    sockets = request.transport.get_extra_info("sockname") if request.transport else None
    here = f"{HOST}:{sockets[1]}" if sockets else ""
    if request.host != here:
        raise web.HTTPForbidden(text="This page has another address.")
    if request.method == "POST" and request.headers.get("Origin") != f"http://{here}":
        raise web.HTTPForbidden(text="This form was sent by another page.")
