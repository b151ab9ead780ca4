"""What we leave alone: acknowledged to Slack, and logged by its reason alone."""

from __future__ import annotations

from dataclasses import dataclass

import logfire


@dataclass(frozen=True)
class Ignored:
    """Nothing for us, with the reason."""

    reason: str


def log_ignored(reason: str) -> None:
    """Log why nothing is done about a payload."""
    logfire.debug("slack.passed_over", reason=reason)
