"""Access control: only this machine's own pages and tools; the control API needs a token."""

import hmac
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from workbench.page import DOCUMENTS, HEADERS

HEADER = "X-Workbench-Token"
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_ASK = "Open the address that the demo printed; `agencyclaw demo` prints it again."


def guarded_by(token: str) -> Middleware:
    """Return the middleware; without a token only Host and Origin are checked."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not _is_ours(request):
            error = "this is answered on this machine's own addresses only"
            return web.json_response({"ok": False, "error": error}, status=403)
        if not token or not _needs_token(request.path):
            return await handler(request)
        if request.path in DOCUMENTS and "token" in request.query:
            return _let_in(request, token)
        if not _is_known(request, token):
            return web.json_response({"ok": False, "error": _ASK}, status=403, headers=HEADERS)
        return await handler(request)

    return guard


def _is_ours(request: web.Request) -> bool:
    """Return whether the Host is ours: another name may be a site rebound to this machine."""
    if urlsplit(f"//{request.host}").hostname not in _LOOPBACK:
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host


def _needs_token(path: str) -> bool:
    return path in DOCUMENTS or path.startswith("/_control/")


def _let_in(request: web.Request, token: str) -> web.Response:
    """Move the token from the address, where it would be visible, into a cookie."""
    if not _is_same(request.query["token"], token):
        return web.json_response({"ok": False, "error": _ASK}, status=403, headers=HEADERS)
    response = web.Response(status=303, headers={**HEADERS, "Location": request.path})
    response.set_cookie(_cookie_of(request), token, httponly=True, samesite="Strict")
    return response


def _is_known(request: web.Request, token: str) -> bool:
    shown = request.headers.get(HEADER) or request.cookies.get(_cookie_of(request)) or ""
    return _is_same(shown, token)


def _is_same(shown: str, token: str) -> bool:
    return hmac.compare_digest(shown.encode(), token.encode())


def _cookie_of(request: web.Request) -> str:
    """Return the cookie's name: browsers share cookies between ports, so each demo has its own."""
    return f"workbench-{urlsplit(f'//{request.host}').port or 80}"
