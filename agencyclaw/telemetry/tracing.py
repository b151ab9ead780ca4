"""Sets up logfire and OpenTelemetry. Nothing leaves this machine without a token or an endpoint."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import httpx
import logfire
from logfire.types import ExceptionCallbackHelper
from opentelemetry.metrics import Histogram
from opentelemetry.sdk.metrics.export import MetricReader
from opentelemetry.sdk.metrics.view import (
    DropAggregation,
    ExplicitBucketHistogramAggregation,
    View,
)
from opentelemetry.sdk.trace import SpanProcessor
from opentelemetry.trace import Status, StatusCode

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.knowledge.secrets import REMOVED, redacted, secret_forms
from agencyclaw.settings import VARIABLES, Settings
from agencyclaw.spans import LogsOnly
from agencyclaw.telemetry.logs import ToTheLog, configure_logs

_PATIENCE_S = 3.0
# Histogram buckets in seconds. Slack answers within a tenth of a second, a model within a minute.
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160)
# Explicit buckets, because Prometheus' text format can't show logfire's default ones.
_VIEWS = (
    View(instrument_name="otel.sdk.*", aggregation=DropAggregation()),
    View(
        instrument_name="agencyclaw.*",
        instrument_type=Histogram,
        aggregation=ExplicitBucketHistogramAggregation(_BUCKETS),
    ),
)
# What logfire takes for secrets by its words: Slack's and ClickUp's names of methods and refusals,
# the names of settings, unless a value is assigned to them, and our own mark.
_HARMLESS = re.compile(
    r"\b(?:auth\.test|invalid_auth|not_authed|agents\.sessions\.setStatus|OAUTH_\d{1,4})\b"
    rf"|\b(?:{'|'.join(VARIABLES)})\b(?!\s*=)|{re.escape(REMOVED)}"
)


def configure_tracing(
    settings: Settings,
    *,
    quiet: bool = False,
    processors: Sequence[SpanProcessor] = (),
    readers: Sequence[MetricReader] = (),
) -> None:
    """Configure logfire for this process; telemetry is best effort and never fails an answer."""
    has_content = settings.agencyclaw_trace_content
    is_metered = bool(readers) or bool(
        settings.logfire_token or settings.otel_exporter_otlp_endpoint
    )
    is_traced = settings.exports_spans or bool(processors)
    if not quiet:
        configure_logs(settings.agencyclaw_log_format, settings.agencyclaw_log_level)
        processors = [*processors, ToTheLog()]
    logfire.configure(
        send_to_logfire="if-token-present" if settings.logfire_token else False,
        token=settings.logfire_token or None,
        service_name="agencyclaw",
        console=False,
        inspect_arguments=False,
        scrubbing=logfire.ScrubbingOptions(_keep_harmless, extra_patterns=list(secret_forms())),
        advanced=logfire.AdvancedOptions(
            exception_callback=None if has_content else _without_words
        ),
        additional_span_processors=processors,
        sampling=logfire.SamplingOptions() if is_traced else logfire.SamplingOptions(LogsOnly()),
        add_baggage_to_attributes=False,
        metrics=is_metered and logfire.MetricsOptions(additional_readers=readers, views=_VIEWS),
    )
    if has_content:
        logfire.instrument_pydantic_ai(include_content=True)
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


async def trace_link(settings: Settings, *, run: str, trace: str) -> str:
    """Return the address of a trace; "" if it is not known where traces are shown."""
    if address := settings.agencyclaw_trace_url:
        return address.replace("{trace}", trace).replace("{run}", run)
    if settings.logfire_token and (project := await _logfire_project(settings.logfire_token)):
        wanted = quote(f"trace_id='{trace}'")
        return f"{project.rstrip('/')}?q={wanted}"
    return ""


async def _logfire_project(token: str) -> str:
    """Return the URL of the token's Logfire project; "" if Logfire can't be reached."""
    advanced = logfire.DEFAULT_LOGFIRE_INSTANCE.config.advanced
    base = advanced.generate_base_url(token, warn_unknown_region=False).rstrip("/")
    try:
        async with httpx.AsyncClient(timeout=_PATIENCE_S) as client:
            response = await client.get(f"{base}/v1/info", headers={"Authorization": token})
            return str(response.raise_for_status().json()["project_url"])
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        return ""


def _keep_harmless(match: logfire.ScrubMatch) -> Any:
    """Keep a value that matches only by services' codes, names of settings or our own mark.

    A value under a name such as "password" is a secret whatever it says.
    """
    is_by_name = match.pattern_match.string != match.value
    if is_by_name or not isinstance(match.value, str):
        return None
    rest = _HARMLESS.sub("", match.value)
    return None if match.pattern_match.re.search(rest) else match.value


def _without_words(helper: ExceptionCallbackHelper) -> None:
    """Record an exception by type and stack: its message may quote a person or hold a secret.

    So are its causes and, of a group, the parts. Messages of our own errors are kept, redacted.
    """
    fault = helper.exception
    words = redacted(str(fault)) if isinstance(fault, AgencyClawError) else ""
    helper.no_record_exception()
    helper.span.add_event(
        "exception",
        {
            "exception.type": type(fault).__qualname__,
            "exception.message": words,
            "exception.stacktrace": _stack_of(traceback.TracebackException.from_exception(fault)),
        },
    )
    if helper.span.status.status_code is StatusCode.ERROR:
        kind = type(fault).__qualname__
        helper.span.set_status(Status(StatusCode.ERROR, f"{kind}: {words}" if words else kind))


def _stack_of(fault: traceback.TracebackException) -> str:
    """Return where a fault was raised, after what it came of, each with its type."""
    cause = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    parts = [one for one in (cause, *(fault.exceptions or ())) if one]
    earlier = [f"{_stack_of(one)}{one.exc_type.__qualname__}\n\n" for one in parts]
    return "".join([*earlier, *fault.stack.format()])
