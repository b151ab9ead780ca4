"""What a run writes down: messages, tool events, what each request cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


@dataclass(frozen=True)
class JournalEvent:
    """A tool call or result, whole; `payload` is JSON."""

    id: UUID
    event_type: str
    skill_id: str
    call_id: str
    payload: str


@dataclass(frozen=True)
class RefusedCall:
    """A tool call that was turned away, by which rule, and what it was judged by."""

    skill: str
    reason: str
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class ModelCost:
    """What one model request used; money in US dollars where the price is known."""

    stage: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class JournalPage:
    """What is written in one go: messages are (role, JSON)."""

    messages: tuple[tuple[str, str], ...] = ()
    events: tuple[JournalEvent, ...] = ()
    costs: tuple[ModelCost, ...] = ()
