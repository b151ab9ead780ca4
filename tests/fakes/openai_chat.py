"""The shapes of Chat Completions."""

from __future__ import annotations

from typing import Any

from fakes.openai_shapes import CREATED, Answer, Json, event

_USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


def whole(body: Json, answer: Answer) -> Json:
    """The answer in one piece."""
    message: Json = {"role": "assistant", "content": answer.text or None}
    if answer.calls:
        message["tool_calls"] = _calls(answer)
    choice = {"index": 0, "message": message, "finish_reason": _reason(answer)}
    return _frame(body, "chat.completion", [choice], usage=_USAGE)


def events(body: Json, answer: Answer) -> list[str]:
    """The same as a stream: a text word by word, calls in one piece."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word} for word in answer.words]
    if answer.calls:
        calls = [{"index": at, **call} for at, call in enumerate(_calls(answer))]
        deltas.append({"tool_calls": calls})
    chunks = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    chunks.append([{"index": 0, "delta": {}, "finish_reason": _reason(answer)}])
    frames = [_frame(body, "chat.completion.chunk", chunk) for chunk in chunks]
    frames.append(_frame(body, "chat.completion.chunk", [], usage=_USAGE))
    return [*(event(frame) for frame in frames), "data: [DONE]\n\n"]


def _calls(answer: Answer) -> list[Json]:
    return [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for call in answer.calls
    ]


def _reason(answer: Answer) -> str:
    return "tool_calls" if answer.calls else "stop"


def _frame(body: Json, kind: str, choices: list[Any], **more: Any) -> Json:
    head = {"id": "chatcmpl-1", "object": kind, "created": CREATED, "model": body["model"]}
    return {**head, "choices": choices, **more}
