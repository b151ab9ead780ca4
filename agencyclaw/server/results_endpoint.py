"""`POST /results`: a CSV file of results from a machine, each delivery once; needs a token."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from aiohttp import web

from agencyclaw.domain.errors import AgencyClawError, Refused
from agencyclaw.domain.imports import TextFile
from agencyclaw.knowledge.csv_files import text_file
from agencyclaw.server.bearer import dumps, refused, require_token

PATH = "/results"
_KEY = re.compile(r"[!-~]{1,200}")
_CONFLICTS = ("other_delivery", "not_done")

Take = Callable[[TextFile, str], Awaitable[str]]


class ResultsEndpoint:
    """Takes deliveries of results over HTTP."""

    def __init__(self, token: str, take: Take) -> None:
        self._token = token
        self._take = take

    async def receive(self, request: web.Request) -> web.Response:
        """Answer a delivery: 200 if its results are recorded, whether just now or before.

        400: it has no key. 401: the token is missing or wrong. 409: another delivery had the key,
        or the records changed meanwhile. 422: a line is faulty, or it has no results; nothing is
        recorded. 503: something needed is unavailable; send it again.
        """
        if refusal := require_token(request, self._token):
            return refusal
        key = request.headers.get("Idempotency-Key", "")
        if not _KEY.fullmatch(key):
            return refused(400, "The header Idempotency-Key has to name this delivery.")
        try:
            text = await self._take(text_file("delivery", await request.read()), key)
        except Refused as error:
            return refused(409 if error.reason in _CONFLICTS else 422, str(error))
        except AgencyClawError as error:
            return refused(503, str(error))
        return web.json_response({"text": text}, dumps=dumps)
