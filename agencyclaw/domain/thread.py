"""Messages of a thread, with how each author is affiliated."""

from __future__ import annotations

from enum import StrEnum

from agencyclaw.domain.people import Value
from agencyclaw.domain.receipts import Carried


class Affiliation(StrEnum):
    """How an author of a thread belongs to the workspace."""

    COLLEAGUE = "colleague"
    GUEST = "guest"
    OUTSIDER = "outsider"
    GONE = "gone"
    APP = "app"
    UNKNOWN = "unknown"


class ThreadPost(Value):
    """One message of a thread; `name` is its author's name in Slack.

    `slack_user_id` is empty for an app.
    """

    ts: str
    slack_user_id: str = ""
    name: str
    affiliation: Affiliation
    text: str
    carries: tuple[Carried, ...] = ()


class Digest(Value):
    """Older messages of a thread in a few sentences, and which of them: up to the stamp `until`.

    The `fingerprint` is of these messages as they stood; once one was edited or deleted, it is of
    no use any more. The `left_out` oldest found no room even here.
    """

    text: str
    until: str
    fingerprint: str
    left_out: int = 0
