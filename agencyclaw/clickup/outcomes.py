"""The outcome of one attempt: an answer, a pause, a refusal, or unknown; and the errors' texts.

ClickUp's own text is untrusted and never passed on.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import httpx
from pydantic import BaseModel, ValidationError

from agencyclaw.clickup.calls import ApiCall
from agencyclaw.clickup.limiter import throttled
from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    NotFound,
    Refused,
    Unavailable,
    Unclear,
)
from agencyclaw.domain.messages import message

Shape = TypeVar("Shape", bound=BaseModel)

_NOTHING_WRITTEN = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,9})?")
_EARLIEST_MS = 10**11
_NO_CONTENT = 204
_LATEST_STALE_S = 60.0
_CODE = re.compile(r"[A-Z]{2,20}_[0-9]{1,4}")
# "Team not authorized": what ClickUp says of a place that it does not show to this token.
_HIDDEN = {"OAUTH_023", "OAUTH_026", "OAUTH_027", *(f"OAUTH_{n:03d}" for n in range(29, 46))}
_KNOWN = {
    "ITEM_114": message("refused.clickup.no_such_status"),
    "ITEM_137": message("refused.clickup.other_parent"),
    "ITEM_246": message("refused.clickup.plan_limit"),
    "INPUT_003": message("refused.clickup.bad_value"),
    "INPUT_004": message("refused.clickup.no_task"),
}


@dataclass(frozen=True)
class Success(Generic[Shape]):
    """A valid answer."""

    value: Shape


@dataclass(frozen=True)
class Throttle:
    """A 429: certainly not applied; `after` is ClickUp's Retry-After, if any."""

    after: float | None


@dataclass(frozen=True)
class NotSent:
    """No connection: certainly not applied."""

    why: str


@dataclass(frozen=True)
class OutcomeUnknown:
    """No usable answer: it may have been applied."""

    why: str


@dataclass(frozen=True)
class Rejected:
    """Certainly not applied, and a retry would not help."""

    error: AgencyClawError


Outcome = Success[Shape] | Throttle | NotSent | OutcomeUnknown | Rejected


def read_failure(error: httpx.HTTPError | OSError) -> NotSent | OutcomeUnknown:
    """Classify a failed exchange: only without a connection was certainly nothing written."""
    why = type(error).__name__
    return NotSent(why) if isinstance(error, _NOTHING_WRITTEN) else OutcomeUnknown(why)


def read_answer(
    call: ApiCall, response: httpx.Response, shape: type[Shape], *, now: float
) -> Outcome[Shape]:
    """Classify an answer; `now` is seconds since the epoch."""
    status = response.status_code
    if response.is_success:
        return _read_content(response, shape)
    if status == 429:
        return Throttle(_pause_of(response.headers, now))
    is_certain = response.is_client_error and status != 408
    if is_certain or (response.is_redirect and not call.is_write):
        return Rejected(refusal(call, status, error_code(response)))
    return OutcomeUnknown(f"HTTP {status}")


def final_error(call: ApiCall, history: list[Outcome[Any]]) -> AgencyClawError:
    """Return the error for a series of attempts without a usable answer."""
    lost = [one for one in history if isinstance(one, OutcomeUnknown)]
    if call.is_write and lost:
        return Unclear(
            f"ClickUp did not say whether it did what we asked ({lost[-1].why}).",
            attempts=len(history),
        )
    match history[-1]:
        case Rejected(error):
            return error
        case Throttle(after):
            return throttled(after or 0)
        case NotSent(why) | OutcomeUnknown(why):
            return Unavailable(f"ClickUp is not answering right now ({why}); try again later.")
        case Success():
            raise AssertionError("a usable answer is no error")


def error_code(response: httpx.Response) -> str | None:
    """Return ClickUp's ECODE; "" if its error has none, None if it is not ClickUp's error."""
    body = _json_of(response)
    if not isinstance(body, dict):
        return None
    return str(cast("dict[str, object]", body).get("ECODE") or "")


def _read_content(response: httpx.Response, shape: type[Shape]) -> Success[Shape] | OutcomeUnknown:
    try:
        return Success(shape.model_validate(_json_of(response)))
    except ValidationError:
        return OutcomeUnknown(f"HTTP {response.status_code} with an unusable answer")


def _json_of(response: httpx.Response) -> object:
    if response.status_code == _NO_CONTENT:
        return {}
    # Not pydantic's own parser: it refuses the half emoji that some clients leave in a title.
    try:
        return json.loads(response.content)
    except (ValueError, RecursionError):
        return None


def _pause_of(headers: httpx.Headers, now: float) -> float | None:
    """Read X-RateLimit-Reset (a Unix time, seconds or ms), else Retry-After (seconds)."""
    reset = _number(headers.get("X-RateLimit-Reset"))
    if reset is not None:
        ahead = (reset / 1000 if reset >= _EARLIEST_MS else reset) - now
        if ahead > -_LATEST_STALE_S:
            return max(ahead, 0.0)
    return _number(headers.get("Retry-After"))


def _number(text: str | None) -> float | None:
    return float(text) if text and _NUMBER.fullmatch(text) else None


def refusal(call: ApiCall, status: int, ecode: str | None) -> AgencyClawError:
    """Return the error for a 3xx or 4xx; `ecode` is None if the answer was not ClickUp's."""
    code = ecode if ecode and _CODE.fullmatch(ecode) else ""
    if status == 401 and code in _HIDDEN:
        return _not_found(call, code)
    if status == 401:
        return invalid_token(code or "HTTP 401")
    if status < 400 or (status == 404 and ecode is None):
        return wrong_address(f"HTTP {status}")
    if status == 404:
        return _not_found(call, code)
    return Refused(_sentence(call, status, code), reason=f"clickup_{status}")


def invalid_token(why: str) -> Misconfigured:
    """Return the error for a token that is rejected or malformed."""
    return Misconfigured(
        f"ClickUp does not accept our token ({why}). Set CLICKUP_API_TOKEN to a valid one."
    )


def wrong_address(why: str) -> Misconfigured:
    """Return the error for a base address that is not ClickUp's API."""
    return Misconfigured(
        f"There is no ClickUp API at the configured address ({why}). Set CLICKUP_API_URL,"
        " usually to https://api.clickup.com/api/v2."
    )


def _not_found(call: ApiCall, code: str) -> NotFound:
    shown = f" ({code})" if code else ""
    why = message("refused.clickup.not_found", noun=call.noun, code=shown)
    return NotFound(why, reason="clickup_not_found")


def _sentence(call: ApiCall, status: int, code: str) -> str:
    if code in _KNOWN:
        return message("built.unchanged", why=_KNOWN[code])
    if status == 403:
        return message("refused.clickup.not_allowed", noun=call.noun)
    detail = f"HTTP {status}, {code}" if code else f"HTTP {status}"
    return message("refused.clickup.refused", detail=detail)
