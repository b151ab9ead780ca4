"""Converts OTLP spans to plain values."""

import json
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

Span = dict[str, Any]
_FAULT = "STATUS_CODE_ERROR"


def read_spans(body: bytes) -> list[Span]:
    """Return the spans of an export, times in milliseconds since 1970; raises DecodeError."""
    request = ExportTraceServiceRequest()
    request.ParseFromString(body)
    return [
        _plain(span)
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def _plain(span: Any) -> Span:
    fields = MessageToDict(span)
    attributes = _values(fields.get("attributes", []))
    status = fields.get("status", {})
    return {
        "trace": span.trace_id.hex(),
        "id": span.span_id.hex(),
        "parent": span.parent_span_id.hex() or None,
        "name": span.name,
        "start": span.start_time_unix_nano / 1e6,
        "end": span.end_time_unix_nano / 1e6,
        "is_pending": attributes.get("logfire.span_type") == "pending_span",
        "fault": status.get("message", "failed") if status.get("code") == _FAULT else None,
        "attributes": {k: v for k, v in attributes.items() if not _is_plumbing(k)},
        "events": [
            {"name": event.get("name", ""), **_values(event.get("attributes", []))}
            for event in fields.get("events", [])
        ],
    }


def _is_plumbing(name: str) -> bool:
    return name.startswith(("logfire.", "code.", "thread."))


def _values(pairs: list[dict[str, Any]]) -> dict[str, Any]:
    return {pair["key"]: _value(pair.get("value", {})) for pair in pairs}


def _value(tagged: dict[str, Any]) -> Any:
    """Return an attribute's value; text that is JSON is decoded."""
    if "arrayValue" in tagged:
        return [_value(item) for item in tagged["arrayValue"].get("values", [])]
    if "intValue" in tagged:
        return int(tagged["intValue"])
    value = next(iter(tagged.values()), None)
    return _unpacked(value) if isinstance(value, str) else value


def _unpacked(text: str) -> Any:
    if not text.startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
