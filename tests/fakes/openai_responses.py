"""The shapes of Responses."""

from __future__ import annotations

from typing import Any

from fakes.openai_shapes import CREATED, Answer, Call, Json, event

_USAGE = {
    "input_tokens": 120,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 30,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 150,
}


def whole(body: Json, answer: Answer) -> Json:
    """The answer in one piece."""
    return _response(body, _items(answer), "completed")


def events(body: Json, answer: Answer) -> list[str]:
    """The same as a stream: a text word by word, calls in one piece."""
    items = _items(answer)
    told = [_told("response.created", response=_response(body, [], "in_progress"))]
    for at, item in enumerate(items):
        told.append(_told("response.output_item.added", output_index=at, item=_begun(item)))
        told += _of_text(at, item, answer) if item["type"] == "message" else _of_call(at, item)
        told.append(_told("response.output_item.done", output_index=at, item=item))
    told.append(_told("response.completed", response=_response(body, items, "completed")))
    return [
        event({**one, "sequence_number": number}, one["type"]) for number, one in enumerate(told)
    ]


def _of_text(at: int, item: Json, answer: Answer) -> list[Json]:
    where = {"output_index": at, "item_id": item["id"], "content_index": 0}
    empty = {"type": "output_text", "text": "", "annotations": []}
    return [
        _told("response.content_part.added", **where, part=empty),
        *(
            _told("response.output_text.delta", **where, delta=word, logprobs=[])
            for word in answer.words
        ),
        _told("response.output_text.done", **where, text=answer.text, logprobs=[]),
        _told("response.content_part.done", **where, part=item["content"][0]),
    ]


def _of_call(at: int, item: Json) -> list[Json]:
    where = {"output_index": at, "item_id": item["id"]}
    return [
        _told("response.function_call_arguments.delta", **where, delta=item["arguments"]),
        _told(
            "response.function_call_arguments.done",
            **where,
            arguments=item["arguments"],
            name=item["name"],
        ),
    ]


def _told(kind: str, **what: Any) -> Json:
    return {"type": kind, **what}


def _begun(item: Json) -> Json:
    empty = {"content": []} if item["type"] == "message" else {"arguments": ""}
    return {**item, **empty, "status": "in_progress"}


def _items(answer: Answer) -> list[Json]:
    calls = [_call_item(call) for call in answer.calls]
    return calls or [_message_item(answer.text)]


def _message_item(text: str) -> Json:
    content = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]
    head = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
    return {**head, "content": content}


def _call_item(call: Call) -> Json:
    head = {"id": f"fc_{call.id}", "type": "function_call", "status": "completed"}
    return {**head, "call_id": call.id, "name": call.name, "arguments": call.arguments}


def _response(body: Json, items: list[Json], status: str) -> Json:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": CREATED,
        "model": body["model"],
        "status": status,
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "usage": _USAGE if status == "completed" else None,
    }
