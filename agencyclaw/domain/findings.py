"""What sub-agents return: a finding with its sources, or why there is none."""

from __future__ import annotations

from agencyclaw.domain.people import Value


class FindingSource(Value):
    """A procedure, document or Slack message that a finding or an answer names as its source."""

    title: str
    url: str | None = None


class Finding(Value):
    """The answer to one question.

    `urls` are the addresses in its text that tools returned, `reach` says which lists were not read
    to their end, and `key` loads the whole text again.
    """

    question: str
    text: str
    sources: tuple[FindingSource, ...] = ()
    urls: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    key: str = ""


class NoFinding(Value):
    """A question without an answer; `why` follows a colon."""

    question: str
    why: str
