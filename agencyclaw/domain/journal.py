"""The journal of a run: messages, tool events, and the cost of each request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

# Stands in a key for what the person wrote, in place of the beginning of a result's id.
WORDS = "00000000"


@dataclass(frozen=True)
class JournalEvent:
    """A complete tool call or result; `payload` is JSON."""

    id: UUID
    event_type: str
    skill_id: str
    call_id: str
    payload: str


@dataclass(frozen=True)
class RefusedCall:
    """A refused tool call, with the rule and what it was judged by."""

    skill: str
    reason: str
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class ModelCost:
    """The usage of one model request; prices are in US dollars, None if unknown."""

    stage: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class JournalPage:
    """What is written in one statement; messages are pairs of role and JSON."""

    messages: tuple[tuple[str, str], ...] = ()
    events: tuple[JournalEvent, ...] = ()
    costs: tuple[ModelCost, ...] = ()
