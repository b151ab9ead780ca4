"""`POST /debug/chat`: the pipeline without Slack, for whoever holds the token."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agencyclaw.chat import Line
from agencyclaw.domain.errors import AgencyClawError

PATH = "/debug/chat"
_RENEWAL = "new session"


class Said(BaseModel):
    """What is said, by whom (a Slack id or an e-mail), in which conversation, afresh or not."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, strict=True)

    text: str = Field(min_length=1, max_length=2000)
    person: str = Field(default="", max_length=200)
    thread: str = Field(default="debug", min_length=1, max_length=100)
    reset: bool = False


Talk = Callable[[str, Said], Awaitable[list[Line]]]


class DebugChat:
    """Answers over HTTP what a terminal would be answered."""

    def __init__(self, token: str, talk: Talk) -> None:
        self._token = token
        self._talk = talk

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one message: 401 for a wrong token, 400 for what is no message."""
        given = request.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self._token}".encode()):
            return _refused(401, "The token is missing or wrong.")
        try:
            said = Said.model_validate_json(await request.read())
        except ValidationError as error:
            return _refused(400, _problem(error))
        try:
            if said.reset:
                await self._talk(_RENEWAL, said)
            lines = await self._talk(said.text, said)
        except AgencyClawError as error:
            return _refused(400, str(error))
        return _json({"lines": [line.as_json() for line in lines]})


def _problem(error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or "the body"
    return f"{name}: {first['msg']}."


def _refused(status: int, why: str) -> web.Response:
    return _json({"error": why}, status)


def _json(body: dict[str, object], status: int = 200) -> web.Response:
    text = json.dumps(body, ensure_ascii=False)
    return web.Response(text=text, status=status, content_type="application/json")
