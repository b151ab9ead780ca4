"""Spans and logs for traces; none is built where nothing receives them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import logfire
from opentelemetry.context import Context
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult
from opentelemetry.trace import INVALID_SPAN_CONTEXT, Link, NonRecordingSpan, SpanKind, TraceState
from opentelemetry.util.types import Attributes

# A span names the code that called `traced`.
logfire.add_non_user_code_prefix(__file__)


class UnreceivedSpan(NonRecordingSpan):
    """What is left of a span that nothing receives; its exceptions are logged elsewhere."""

    def __enter__(self) -> UnreceivedSpan:
        """Return itself."""
        return self

    def set_level(self, level: str) -> None:
        """Drop the level."""


Span = logfire.LogfireSpan | UnreceivedSpan
_UNRECEIVED = UnreceivedSpan(INVALID_SPAN_CONTEXT)


def traced(name: str, /, **attributes: Any) -> Span:
    """Return a span to enter; where nothing receives spans, one that does nothing."""
    return logfire.span(name, **attributes) if _are_received() else _UNRECEIVED


def logged(what: str, /, **facts: Any) -> None:
    """Log at level info; where nothing receives spans, as a line of the log alone.

    For what every turn logs: logfire builds a span for it, which costs ten times the line.
    """
    if _are_received():
        logfire.info(what, **facts)
    else:
        logging.getLogger("agencyclaw").info("%s", what, extra={"facts": facts})


def _are_received() -> bool:
    return not isinstance(logfire.DEFAULT_LOGFIRE_INSTANCE.config.sampling.head, LogsOnly)


class LogsOnly(Sampler):
    """Builds no span where nothing receives spans; logs are built, because they become lines."""

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Decide by logfire's own mark of a log."""
        del parent_context, trace_id, name, kind, links, trace_state
        is_log = bool(attributes) and attributes.get("logfire.span_type") == "log"
        return SamplingResult(Decision.RECORD_AND_SAMPLE if is_log else Decision.DROP, attributes)

    def get_description(self) -> str:
        """Name the sampler."""
        return "logs only"
