"""What children bring back: a finding with its sources, or why there is none."""

from __future__ import annotations

from agencyclaw.domain.people import Value


class FindingSource(Value):
    """A procedure or document a finding names, as one of its tools returned it."""

    title: str
    url: str | None = None


class Finding(Value):
    """One question that was looked up.

    `urls` are addresses in the text that tools returned, `reach` how far lists reached, where
    that is not everywhere; `key` brings the whole text back.
    """

    question: str
    text: str
    sources: tuple[FindingSource, ...] = ()
    urls: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    key: str = ""


class Unfound(Value):
    """A question that could not be looked up; `why` goes on after a colon."""

    question: str
    why: str
