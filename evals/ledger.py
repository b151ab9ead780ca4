"""What a play left behind, as plain values: the only input of scorers."""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import Field

from evals.scene import Part


class MadeCall(Part):
    """A tool call and the kind of its result."""

    tool: str
    args: dict[str, Any]
    result: dict[str, Any] = Field(default_factory=dict)

    @property
    def kind(self) -> str:
        """How it ended: ask, refusal, proposed, error, or plain data."""
        return str(self.result.get("kind", "data" if self.result else "error"))


class PlayedTurn(Part):
    """A turn as it went; its first request had `sent` tokens, of which `cached` were known.

    `answer` is the last of its `answers`, of which there must not be more than one.
    """

    said: str
    was_possible: bool = True
    status: str | None = None
    calls: tuple[MadeCall, ...] = ()
    answer: str | None = None
    answers: int = 0
    choices: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    whispers: tuple[str, ...] = ()
    cards: int = 0
    condensed: str = ""
    about: str = ""
    events: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    requests: int = 0
    tokens: int = 0
    sent: int = 0
    cached: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0

    @property
    def heard(self) -> str:
        """Everything a person could read after this turn."""
        return "\n".join([self.answer or "", *self.notices, *self.whispers])


class KeptProposal(Part):
    """A proposal at the end; fields its kind does not have are empty.

    `changes` is how many requests carry it out.
    """

    kind: str
    changes: int = 1
    undo: bool
    client: str
    brand: str | None
    list: str = ""
    title: str
    details: str = ""
    body: str = ""
    state: str
    reason: str | None
    actor: str
    confirmed_by_actor: bool
    assignee: str | None = None
    start: date | None = None
    due: date | None = None
    starts: date | None = None
    ends: date | None = None
    identifiers: tuple[str, ...] = ()
    pending: bool = False
    sources: tuple[str, ...]
    missing: tuple[str, ...]
    anyway: bool = False


class NewTask(Part):
    """A ClickUp task that is new, or was different before."""

    list: str
    title: str
    assignees: tuple[str, ...]
    body: str
    archived: bool = False


class Ledger(Part):
    """Everything a play left; `is_cut` if a wrong variant was stopped at its first mistake."""

    today: date
    is_cut: bool = False
    turns: tuple[PlayedTurn, ...]
    proposals: tuple[KeptProposal, ...]
    tasks: tuple[NewTask, ...]
    changed: tuple[NewTask, ...] = ()
    writes: tuple[str, ...]
    gaps: tuple[str, ...] = ()
    unsettled: tuple[str, ...]
