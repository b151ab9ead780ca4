"""What is not for us is passed over: acknowledged, and noted in the log by its reason alone."""

from __future__ import annotations

import logfire


def pass_over(reason: str) -> None:
    """Note why nothing is done about something that Slack told."""
    logfire.debug("slack.passed_over", reason=reason)
