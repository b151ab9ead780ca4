"""`POST /debug/chat`: one message through the whole pipeline, without Slack; needs a token."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agencyclaw.conversation.fixed_texts import NEW_SESSION
from agencyclaw.domain.errors import AgencyClawError, Misconfigured, Refused, Unclear
from agencyclaw.domain.text import CleanText
from agencyclaw.server.terminal import TerminalLine

PATH = "/debug/chat"
_dumps = partial(json.dumps, ensure_ascii=False)


class ChatRequest(BaseModel):
    """A message to the assistant.

    `person` is a Slack id or an e-mail address; empty means the first super admin. `thread` names
    the conversation; `reset` starts a new session in it first.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    text: Annotated[CleanText, Field(min_length=1, max_length=2000)]
    person: Annotated[CleanText, Field(max_length=200)] = ""
    thread: Annotated[CleanText, Field(min_length=1, max_length=100)] = "debug"
    reset: bool = False


Talk = Callable[[str, ChatRequest], Awaitable[list[TerminalLine]]]


class DebugChat:
    """Answers over HTTP as `agencyclaw chat` does in a terminal."""

    def __init__(self, token: str, talk: Talk) -> None:
        self._token = token
        self._talk = talk

    async def answer(self, request: web.Request) -> web.Response:
        """Answer one message.

        401: the token is missing or wrong. 400: the body is invalid, or the person can't be
        resolved. 503: something the assistant needs is unavailable. 504: no answer in time.
        """
        token = request.headers.get("Authorization", "")
        if not hmac.compare_digest(_bytes(token), _bytes(f"Bearer {self._token}")):
            return _refused(401, "The token is missing or wrong.", {"WWW-Authenticate": "Bearer"})
        try:
            chat_request = ChatRequest.model_validate_json(await request.read())
        except ValidationError as error:
            return _refused(400, _problem(error))
        try:
            if chat_request.reset:
                await self._talk(NEW_SESSION, chat_request)
            lines = await self._talk(chat_request.text, chat_request)
        except (Refused, Misconfigured) as error:
            return _refused(400, str(error))
        except Unclear as error:
            return _refused(504, str(error))
        except AgencyClawError as error:
            return _refused(503, str(error))
        return web.json_response({"lines": [line.as_json() for line in lines]}, dumps=_dumps)


def _bytes(header: str) -> bytes:
    # compare_digest refuses strings beyond ASCII, so bytes are compared; aiohttp decodes bytes of a
    # header that are not UTF-8 as surrogates.
    return header.encode(errors="surrogateescape")


def _problem(error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or "the body"
    return f"{name}: {first['msg']}."


def _refused(status: int, why: str, headers: dict[str, str] | None = None) -> web.Response:
    return web.json_response({"error": why}, status=status, headers=headers, dumps=_dumps)
