"""`POST /debug/chat`: one message through the whole pipeline, without Slack; needs a token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agencyclaw.conversation.fixed_texts import NEW_SESSION
from agencyclaw.domain.errors import AgencyClawError, Misconfigured, Refused, Unclear
from agencyclaw.domain.text import CleanText
from agencyclaw.server.bearer import dumps, refused, require_token
from agencyclaw.server.terminal import TerminalLine

PATH = "/debug/chat"


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

        401: the token is missing or wrong. 400: the body is invalid, the person can't be resolved,
        or too many messages wait. 503: something the assistant needs is unavailable. 504: no answer
        in time.
        """
        if refusal := require_token(request, self._token):
            return refusal
        try:
            chat_request = ChatRequest.model_validate_json(await request.read())
        except ValidationError as error:
            return refused(400, _problem(error))
        try:
            if chat_request.reset:
                await self._talk(NEW_SESSION, chat_request)
            lines = await self._talk(chat_request.text, chat_request)
        except (Refused, Misconfigured) as error:
            return refused(400, str(error))
        except Unclear as error:
            return refused(504, str(error))
        except AgencyClawError as error:
            return refused(503, str(error))
        return web.json_response({"lines": [line.as_json() for line in lines]}, dumps=dumps)


def _problem(error: ValidationError) -> str:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or "the body"
    return f"{name}: {first['msg']}."
