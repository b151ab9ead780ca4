"""Everything that can go wrong, as one tree.

AgencyClawError
├── Refused          nothing happened; the model and the person read why
│   ├── NotAllowed       the policy says no
│   ├── NotFound         no such client, brand, person, task or key (or none this person may see)
│   ├── NotMapped        a brand or client has no ClickUp destination
│   ├── Stale            what was proposed no longer holds
│   └── TooMuch          a stated limit was passed
├── Unclear          we do not know whether it happened: look before anything else
│   └── Unreadable       it can't be read, and a retry would not help
│       └── TooLong          it is longer than what we read at once
├── Unavailable      another service is down or refuses our credentials; nothing happened
│   ├── Throttled        it said when to come back
│   ├── DatabaseUnavailable      our own database can't be reached
│   └── Misconfigured    a setting is missing or wrong; trying again does not help
│       └── NotGranted       the installed Slack app lacks a scope; installing it again helps
├── Broken           a bug: the person reads a fixed sentence and the run's id, the log has details
├── WrongPlace          what a run was about to show is not for this place: the run ends
└── Postponed        what a run was about to prepare needs a neighbour that is away: it begins again
"""

from __future__ import annotations


class AgencyClawError(Exception):
    """The root of every error this project raises on purpose."""


class Refused(AgencyClawError):
    """Nothing happened, and the message says why in words a person may read."""

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason


class NotAllowed(Refused):
    """The policy says no."""


class NotFound(Refused):
    """It does not exist, or this person may not see it."""


class NotMapped(Refused):
    """A brand or client has no ClickUp destination; `kept` shows a person what they asked for."""

    kept: str = ""
    kept_of: tuple[str, ...] = ()


class Stale(Refused):
    """What was proposed no longer holds."""


class TooMuch(Refused):
    """A stated limit was passed."""


class Unclear(AgencyClawError):
    """The request was sent, `attempts` times in all, and its outcome is not known."""

    def __init__(self, message: str = "", *, attempts: int = 1) -> None:
        super().__init__(message)
        self.attempts = attempts


class Unreadable(Unclear):
    """It can't be read, and a retry would not help."""


class TooLong(Unreadable):
    """It is longer than what we read at once."""


class Unavailable(AgencyClawError):
    """A service is down or refuses us; certainly nothing was changed."""


class Throttled(Unavailable):
    """A service asked to retry after `after` seconds."""

    def __init__(self, message: str, *, after: float) -> None:
        super().__init__(message)
        self.after = after


class DatabaseUnavailable(Unavailable):
    """Our own database can't be reached."""


class Misconfigured(Unavailable):
    """A setting is missing or wrong; the message names it and the fix."""


class NotGranted(Misconfigured):
    """The installed app lacks a scope; the message names it and the fix."""


class Broken(AgencyClawError):
    """A state that must not occur."""


class WrongPlace(AgencyClawError):
    """The result must not be shown in this place; the run ends."""


class Postponed(AgencyClawError):
    """A change can't be prepared because ClickUp is unavailable; the run ends.

    It starts again after `after` seconds. The message is for the person.
    """

    def __init__(self, message: str, *, after: float) -> None:
        super().__init__(message)
        self.after = after
