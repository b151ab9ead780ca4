"""A language model's service on the wire: OpenAI's two protocols, streaming or not, and no model.

Chat Completions stands under `/chat/completions`, Responses under `/responses`; both give the same
replies. A reply may also be a fault: an error with its headers, a stall, or JSON that breaks off.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from fakes import openai_chat, openai_responses
from fakes.openai_shapes import Answer, Json

Calls = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Fault:
    """An error of the service: its status, what it says, and its headers."""

    status: int = 500
    says: str = "The server had an error while processing your request."
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stall:
    """Nothing comes for so long; in a stream, nothing after the first event."""

    seconds: float


@dataclass(frozen=True)
class BrokenOff:
    """An answer that ends in the middle of its JSON, the connection with it."""

    text: str = "The point first, and then"


Reply = str | Calls | Sequence[tuple[str, dict[str, Any]]] | Fault | Stall | BrokenOff
Mind = Callable[[Json], Reply]


@dataclass
class OpenAIServer:
    """Gives its replies in turn, or what a mind makes of each request; keeps every request.

    A reply is a text, calls as `{tool: arguments}` or as pairs, or a fault. A request to judge an
    answer is kept apart and takes no reply: the judge never believes that something was done.
    """

    replies: Sequence[Reply] | Mind
    requests: list[Json] = field(default_factory=list)
    judged: list[Json] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[str]:
        """Serve on a free port; gives what belongs into OPENAI_BASE_URL."""
        app = web.Application(client_max_size=16 * 2**20)
        app.router.add_post("/v1/chat/completions", self._serve)
        app.router.add_post("/v1/responses", self._serve)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        finally:
            self._ended.set()
            await runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        body: Json = await request.json()
        protocol = openai_responses if request.path.endswith("/responses") else openai_chat
        if judges := _tool_of_a_judge(body):
            self.judged.append(body)
            answer = Answer.of({judges: {"believes_done": False}}, 1)
            return await _whole(request, body, protocol, answer)
        self.paths.append(request.path)
        self.keys.append(request.headers.get("Authorization", ""))
        self.requests.append(body)
        match self._reply(body):
            case Fault() as fault:
                return _error(fault)
            case Stall(seconds=seconds):
                return await self._stall(request, body, protocol, seconds)
            case BrokenOff(text=text):
                return await _broken(request, body, protocol, text)
            case reply:
                answer = Answer.of(reply, len(self.requests))
                return await _whole(request, body, protocol, answer)

    def _reply(self, body: Json) -> Reply:
        if callable(self.replies):
            return self.replies(body)
        return self.replies[len(self.requests) - 1]

    async def _stall(
        self, request: web.Request, body: Json, protocol: Any, seconds: float
    ) -> web.StreamResponse:
        events = protocol.events(body, Answer.of("too late", 1))
        stream = await _open_stream(request) if body.get("stream") else None
        if stream:
            await stream.write(events[0].encode())
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        if stream:
            return stream
        return _plain(protocol.whole(body, Answer.of("too late", 1)))


def _tool_of_a_judge(body: Json) -> str:
    """Return the tool that a judge has to answer with; empty for every other request."""
    tools = [one.get("function", one) for one in body.get("tools", ())]
    return next((one["name"] for one in tools if "believes_done" in json.dumps(one)), "")


async def _whole(
    request: web.Request, body: Json, protocol: Any, answer: Answer
) -> web.StreamResponse:
    if not body.get("stream"):
        return _plain(protocol.whole(body, answer))
    stream = await _open_stream(request)
    for event in protocol.events(body, answer):
        await stream.write(event.encode())
    return stream


async def _broken(request: web.Request, body: Json, protocol: Any, text: str) -> web.StreamResponse:
    """Half of what would have come, and the end of the connection."""
    answer = Answer.of(text, 1)
    if not body.get("stream"):
        half = json.dumps(protocol.whole(body, answer))
        reply = web.Response(text=half[: len(half) // 2], content_type="application/json")
        reply.force_close()
        return reply
    stream = await _open_stream(request)
    events = protocol.events(body, answer)
    for event in events[: len(events) // 2]:
        await stream.write(event.encode())
    await stream.write(events[len(events) // 2].encode()[:25])
    if request.transport:
        request.transport.close()
    return stream


def _error(fault: Fault) -> web.Response:
    kind = "rate_limit_exceeded" if fault.status == 429 else "server_error"
    body = {"error": {"message": fault.says, "type": kind, "code": kind, "param": None}}
    reply = web.json_response(body, status=fault.status, headers=fault.headers)
    reply.force_close()
    return reply


def _plain(body: Json) -> web.Response:
    reply = web.json_response(body)
    reply.force_close()  # the client's pool lives as long as the process
    return reply


async def _open_stream(request: web.Request) -> web.StreamResponse:
    stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    stream.force_close()
    await stream.prepare(request)
    return stream
