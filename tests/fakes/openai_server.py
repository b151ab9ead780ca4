"""A language model's service on the wire: the shape of OpenAI's chat completions, and no model."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Reply = str | dict[str, dict[str, Any]]


@dataclass
class OpenAIServer:
    """Gives its replies in turn: a text, or calls as `{tool: arguments}`; keeps every request."""

    replies: Sequence[Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[str]:
        """Serve on a free port; gives what belongs into OPENAI_BASE_URL."""
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        finally:
            await runner.cleanup()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.keys.append(request.headers.get("Authorization", ""))
        self.requests.append(body)
        message = _message(self.replies[len(self.requests) - 1], len(self.requests))
        if body.get("stream"):
            return await _stream(request, body, message)
        choice = {"index": 0, "message": message, "finish_reason": _reason(message)}
        answer = web.json_response(_frame(body, "chat.completion", [choice], usage=_USAGE))
        answer.force_close()  # the client's pool lives as long as the process
        return answer


_USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


def _message(reply: Reply, number: int) -> dict[str, Any]:
    if isinstance(reply, str):
        return {"role": "assistant", "content": reply}
    calls = [
        {
            "id": f"call_{number}_{at}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for at, (name, arguments) in enumerate(reply.items())
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _reason(message: dict[str, Any]) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def _frame(
    body: dict[str, Any], kind: str, choices: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    head = {"id": "chatcmpl-1", "object": kind, "created": 1_790_000_000, "model": body["model"]}
    return {**head, "choices": choices, **more}


async def _stream(
    request: web.Request, body: dict[str, Any], message: dict[str, Any]
) -> web.StreamResponse:
    """The same as events: the words of a text one by one, calls in one piece."""
    answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    answer.force_close()
    await answer.prepare(request)
    deltas = [{"role": "assistant", "content": word + " "} for word in _words(message)]
    if calls := message.get("tool_calls"):
        deltas.append({"tool_calls": [{"index": at, **call} for at, call in enumerate(calls)]})
    choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    choices.append([{"index": 0, "delta": {}, "finish_reason": _reason(message)}])
    frames = [_frame(body, "chat.completion.chunk", each) for each in choices]
    frames.append(_frame(body, "chat.completion.chunk", [], usage=_USAGE))
    for frame in frames:
        await answer.write(f"data: {json.dumps(frame)}\n\n".encode())
    await answer.write(b"data: [DONE]\n\n")
    return answer


def _words(message: dict[str, Any]) -> list[str]:
    return (message["content"] or "").split()
