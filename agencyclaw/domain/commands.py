"""A command that a person typed: what was typed, and what comes of it."""

from __future__ import annotations

from agencyclaw.domain.people import Place, Value
from agencyclaw.domain.text import folded


class Typed(Value):
    """A slash command: its own consent, for it is a person's own act and no model's.

    `name` is the first word, folded; `rest` is what follows, as it was typed.
    """

    key: str
    place: Place
    slack_ts: str
    slack_user_id: str
    name: str
    rest: str = ""


class Told(Value):
    """The answer, for the person alone."""

    text: str


class Forwarded(Value):
    """A question that is answered in the person's direct messages, as any message is.

    `asked_where` says where it was asked, so that person and model know what it is about.
    """

    question: str
    asked_where: str = ""


def is_stop(text: str) -> bool:
    """Return whether a whole message is the command to stop."""
    return folded(text) == "stop"
