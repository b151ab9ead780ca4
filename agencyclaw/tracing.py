"""Where spans go: nowhere outside this machine unless a token or an endpoint says so."""

from __future__ import annotations

import logging

import logfire

from agencyclaw.domain.text import SECRET_FORMS
from agencyclaw.settings import Settings


def scrubbing() -> logfire.ScrubbingOptions:
    """Return what no span may hold: tokens and addresses with passwords, whatever named them."""
    return logfire.ScrubbingOptions(extra_patterns=list(SECRET_FORMS))


def configure_tracing(settings: Settings, *, quiet: bool = False) -> None:
    """Set up logfire once per process; telemetry is best effort and never fails an answer."""
    logfire.configure(
        send_to_logfire="if-token-present" if settings.logfire_token else False,
        token=settings.logfire_token or None,
        service_name="agencyclaw",
        console=False if quiet else logfire.ConsoleOptions(min_log_level="warn", verbose=False),
        inspect_arguments=False,
        scrubbing=scrubbing(),
    )
    logfire.instrument_pydantic_ai(include_content=settings.agencyclaw_trace_content)
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
