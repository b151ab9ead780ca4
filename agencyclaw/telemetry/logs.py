"""Formats every log line the same way: time, level, logger, message, fields.

Our own logs are logfire's, so that traces include them; others come from Python's logging.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

from agencyclaw.knowledge.secrets import redacted

Format = Literal["text", "json"]
OURS = "agencyclaw"
# Attributes about the place in the code, besides those of OpenTelemetry and logfire.
_NO_FACTS = ("logfire.", "code.", "telemetry.", "thread.")
# OpenTelemetry counts 13 a warning and 17 an error, Python 30 and 40.
_LEVELS = ((17, logging.ERROR), (13, logging.WARNING), (9, logging.INFO))


def configure_logs(form: Format, level: str) -> None:
    """Send every log line of this process to standard error, in one format."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines(form))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level.upper())
    logging.captureWarnings(True)


class ToTheLog(SpanProcessor):
    """Writes logfire's logs as lines; its spans go to traces only."""

    def on_end(self, span: ReadableSpan) -> None:
        """Write a log as one line."""
        about = span.attributes or {}
        if about.get("logfire.span_type") != "log":
            return
        severity = about.get("logfire.level_num")
        number = severity if isinstance(severity, int) else 0
        level = next((ours for least, ours in _LEVELS if number >= least), logging.DEBUG)
        facts = {k: v for k, v in about.items() if not k.startswith(_NO_FACTS)}
        facts |= _fault(span)
        logging.getLogger(OURS).log(
            level, "%s", about.get("logfire.msg", span.name), extra={"facts": facts}
        )


def _fault(span: ReadableSpan) -> dict[str, Any]:
    """Return an exception's type; where it was raised is in the trace."""
    for event in span.events:
        if event.name == "exception" and event.attributes:
            return {"exception": event.attributes.get("exception.type")}
    return {}


class _Lines(logging.Formatter):
    """Formats a record as text or JSON, with secrets removed."""

    def __init__(self, form: Format) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        facts: Mapping[str, Any] = getattr(record, "facts", {})
        if record.exc_info and record.exc_info[0]:
            facts = {**facts, "exception": record.exc_info[0].__name__}
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": redacted(record.getMessage()),
            **{name: redacted(v) if isinstance(v, str) else v for name, v in facts.items()},
        }
        if self._form == "json":
            return json.dumps(line, ensure_ascii=False, default=str)
        head = " ".join(str(line.pop(name)) for name in ("time", "level", "from", "message"))
        text = " ".join([head, *(f"{k}={_plain(v)}" for k, v in line.items())])
        # Whatever a terminal takes for a line break, so that nobody forges a line.
        return " ⏎ ".join(text.splitlines())


def _plain(value: Any) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if " " in text or not text else text
