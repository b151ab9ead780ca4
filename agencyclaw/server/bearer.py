"""Requires a bearer token, and answers refusals as JSON."""

from __future__ import annotations

import hmac
import json
from functools import partial

from aiohttp import web

dumps = partial(json.dumps, ensure_ascii=False)


def require_token(request: web.Request, token: str) -> web.Response | None:
    """Return the answer to who does not have the token; None for who has it."""
    header = request.headers.get("Authorization", "")
    if hmac.compare_digest(_bytes(header), _bytes(f"Bearer {token}")):
        return None
    return refused(401, "The token is missing or wrong.", {"WWW-Authenticate": "Bearer"})


def refused(status: int, why: str, headers: dict[str, str] | None = None) -> web.Response:
    """Return why a request was refused."""
    return web.json_response({"error": why}, status=status, headers=headers, dumps=dumps)


def _bytes(header: str) -> bytes:
    # compare_digest refuses strings beyond ASCII, so bytes are compared; aiohttp decodes bytes of a
    # header that are not UTF-8 as surrogates.
    return header.encode(errors="surrogateescape")
