"""Explains why a run ended without an answer: to the person, the log and the operator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import logfire
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    FallbackExceptionGroup,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
    UsageLimitExceeded,
)
from pydantic_ai.models import Model

from agencyclaw.agents.model_call import fault_of, refused_words
from agencyclaw.agents.policies.trail import Trail
from agencyclaw.agents.verification import AnswerCheck
from agencyclaw.domain.errors import Misconfigured, Postponed
from agencyclaw.domain.messages import message

# The errors a run raises if it has no answer.
RUN_ERRORS = (AgentRunError, FallbackExceptionGroup, TimeoutError)
THE_MODEL = message("waiting.model")
CLICKUP = message("waiting.clickup")
_AWAY = message("failure.away")
_REFUSED = message("failure.refused")
_BAD_REQUEST_ADVICE = message("failure.bad_request_advice")
_STEPS = message("failure.steps")
_ASK_LESS = message("failure.ask_less")
_TEMPORARY = (
    ModelConnectionError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelUnavailableError,
)
_TEMPORARY_STATUS = frozenset({408, 425, 429})


@dataclass(frozen=True)
class Failed:
    """A run without an answer: `reason` for the log, `message` and `advice` for the person.

    `cause` is for operators. `waits_s`: the error is temporary, so the run is retried after this
    many seconds; `waits_for` names the service, and `is_costly` says that each try calls the model
    again. `advice` says what to do instead of retrying, `trail` what was done so far.
    `is_out_of_time`: it could go on, had it more time or steps. `is_unusable`: no model answers
    before somebody changes its key, name or credit.
    """

    reason: str
    message: str
    waits_s: float | None = None
    waits_for: str = THE_MODEL
    is_costly: bool = False
    cause: str = ""
    advice: str = ""
    trail: Trail | None = None
    is_out_of_time: bool = False
    is_unusable: bool = False


def failure_of(
    error: Exception,
    check: AnswerCheck,
    ladder: Sequence[Model | str],
    trail: Trail,
    *,
    run: str,
    level: int = 0,
    is_out_of_calls: bool = False,
) -> Failed:
    """Return what a run's error means, to the person and to the operator.

    `level` is the index in the ladder of the model that was asked last, or first of several.
    """
    errors = list(error.exceptions) if isinstance(error, FallbackExceptionGroup) else [error]
    # If several models refused, the last one is the strongest that was asked.
    last = errors[-1]
    model = ladder[-1] if len(errors) > 1 else ladder[level]
    variable = "AGENCYCLAW_MODEL" if model == ladder[0] else "AGENCYCLAW_MODEL_FRONTIER"
    fault = fault_of(last, model, variable=variable) if isinstance(last, ModelAPIError) else None
    reason, cause = type(last).__name__, str(fault or "")
    logfire.warn("model failed", run=run, error=reason, why=cause or reason)
    if check.issues and isinstance(last, UnexpectedModelBehavior):
        return Failed(
            f"checks:{','.join(check.issues)}",
            _failed_checks(check),
            advice=_ASK_LESS,
            trail=trail,
        )
    if not isinstance(last, ModelAPIError):
        text, advice = _run_message(last, trail, is_out_of_calls=is_out_of_calls)
        is_late = isinstance(last, TimeoutError | UsageLimitExceeded) and not trail.clickup_is_away
        return Failed(reason, text, advice=advice, trail=trail, is_out_of_time=is_late)
    text, advice = _provider_message(last, fault)
    waits_s = _soonest([_retry_after(error) for error in errors])
    is_unusable = isinstance(fault, Misconfigured) and not refused_words(last)
    return Failed(
        reason, text, waits_s, cause=cause, advice=advice, trail=trail, is_unusable=is_unusable
    )


def postponed(away: Postponed, trail: Trail, *, run: str) -> Failed:
    """Return the failure for a change that can't be prepared while ClickUp is unavailable."""
    logfire.warn("clickup away", run=run, why=str(away))
    return Failed(
        type(away).__name__,
        message("failure.clickup"),
        away.after,
        CLICKUP,
        is_costly=True,
        cause=str(away),
        trail=trail,
    )


def _provider_message(error: ModelAPIError, fault: object) -> tuple[str, str]:
    """Return what the model's provider reported, and what to do if a retry does not help."""
    if refused_words(error):
        return message("failure.bad_request"), _BAD_REQUEST_ADVICE
    if isinstance(fault, Misconfigured):
        return _REFUSED, message("failure.refused_advice")
    return _AWAY, ""


def _run_message(error: Exception, trail: Trail, *, is_out_of_calls: bool) -> tuple[str, str]:
    if trail.clickup_is_away and not isinstance(error, ContentFilterError):
        return message("failure.clickup"), ""
    match error:
        case UsageLimitExceeded():
            return _STEPS, _ASK_LESS
        case ContentFilterError():
            return message("failure.content_filter"), message("failure.other_words")
        case UnexpectedModelBehavior() if is_out_of_calls:
            return _STEPS, _ASK_LESS
        case UnexpectedModelBehavior() if trail.errors_in_a_row:
            return message("failure.stuck"), ""
        case UnexpectedModelBehavior():
            return message("failure.checks"), ""
        case _:
            return message("failure.time_out"), ""


def _soonest(waits: Sequence[float | None]) -> float | None:
    return min((wait for wait in waits if wait is not None), default=None)


def _retry_after(error: Exception) -> float | None:
    """Return the seconds until a retry; None if that would not help."""
    if not isinstance(error, ModelAPIError):
        return None
    status = error.status_code if isinstance(error, ModelHTTPError) else 0
    is_temporary = isinstance(error, _TEMPORARY) or status in _TEMPORARY_STATUS or status >= 500
    if not is_temporary or isinstance(error, ModelQuotaExceededError):
        return None
    return error.retry_after or 0.0


def _failed_checks(check: AnswerCheck) -> str:
    """Say how often an answer was tried, and what was wrong with the last one."""
    why = f": {check.in_words}" if check.in_words else ""
    return message("failure.unverified", attempts=check.attempts, why=why)
