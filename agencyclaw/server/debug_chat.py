"""`POST /debug/chat`: the pipeline without Slack, for whoever holds the token."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.text import clean
from agencyclaw.server.terminal import TerminalLine

PATH = "/debug/chat"
_RENEWAL = "new session"


def _cleaned(value: object) -> object:
    return clean(value, limit=len(value)) if isinstance(value, str) else value


Cleaned = Annotated[str, BeforeValidator(_cleaned)]


class ChatRequest(BaseModel):
    """What is said, by whom (a Slack id or an e-mail), in which conversation, afresh or not."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, strict=True)

    text: Annotated[Cleaned, Field(min_length=1, max_length=2000)]
    person: Annotated[Cleaned, Field(max_length=200)] = ""
    thread: Annotated[Cleaned, Field(min_length=1, max_length=100)] = "debug"
    reset: bool = False


Talk = Callable[[str, ChatRequest], Awaitable[list[TerminalLine]]]


class DebugChat:
    """Answers over HTTP what a terminal would be answered."""

    def __init__(self, token: str, talk: Talk) -> None:
        self._token = token
        self._talk = talk

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one message: 401 for a wrong token, 400 for what is no message."""
        token = request.headers.get("Authorization", "")
        if not hmac.compare_digest(_bytes(token), _bytes(f"Bearer {self._token}")):
            return _refused(401, "The token is missing or wrong.")
        try:
            asked = ChatRequest.model_validate_json(await request.read())
        except ValidationError as error:
            return _refused(400, _problem(error))
        try:
            if asked.reset:
                await self._talk(_RENEWAL, asked)
            lines = await self._talk(asked.text, asked)
        except AgencyClawError as error:
            return _refused(400, str(error))
        return _json({"lines": [line.as_json() for line in lines]})


def _bytes(header: str) -> bytes:
    # A header's bytes beyond UTF-8 come as surrogates.
    return header.encode(errors="surrogateescape")


def _problem(error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or "the body"
    return f"{name}: {first['msg']}."


def _refused(status: int, why: str) -> web.Response:
    return _json({"error": why}, status)


def _json(body: dict[str, object], status: int = 200) -> web.Response:
    text = json.dumps(body, ensure_ascii=False)
    return web.Response(text=text, status=status, content_type="application/json")
