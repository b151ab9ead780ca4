"""Words ClickUp's refusals ourselves: its own text is untrusted and never passed on."""

from __future__ import annotations

import re

from agencyclaw.clickup.calls import ApiCall
from agencyclaw.domain.errors import AgencyClawError, Misconfigured, NotFound, Refused

_CODE = re.compile(r"[A-Z]{2,20}_[0-9]{1,4}")
# "Team not authorized": what ClickUp says of a place that it does not show to this token.
_HIDDEN = {"OAUTH_023", "OAUTH_026", "OAUTH_027", *(f"OAUTH_{n:03d}" for n in range(29, 46))}
_KNOWN = {
    "ITEM_114": "That list in ClickUp has no such status.",
    "ITEM_137": "The parent task is in another ClickUp list.",
    "ITEM_246": "The list's default task type has reached the limit of the ClickUp plan.",
    "INPUT_003": "ClickUp does not take one of the values as it is.",
    "INPUT_004": "There is no task with that id in ClickUp.",
}


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
    detail = f" ({code})" if code else ""
    return NotFound(
        f"There is no such {call.noun} in ClickUp, or our account may not see it{detail}.",
        reason="clickup_not_found",
    )


def _sentence(call: ApiCall, status: int, code: str) -> str:
    if code in _KNOWN:
        return f"{_KNOWN[code]} Nothing was changed."
    if status == 403:
        return f"Our ClickUp account may not do that with this {call.noun}. Nothing was changed."
    detail = f"HTTP {status}, {code}" if code else f"HTTP {status}"
    return f"ClickUp refused the request ({detail}). Nothing was changed."
