"""Runs of an agent, and what they leave behind."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from agencyclaw.domain.people import Value


class RunType(StrEnum):
    """Why an agent ran."""

    MAIN = "main"
    PLANNER = "planner"
    CHILD = "child"
    HEARTBEAT = "heartbeat"
    INGESTION = "ingestion"


class RunStatus(StrEnum):
    """How far a run got."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    BLOCKED = "blocked"


class Evidence(Value):
    """A complete stored tool result."""

    key: str
    skill: str
    payload: dict[str, Any]
    created_at: datetime


class PriorTask(Value):
    """A task this assistant created earlier."""

    id: UUID
    title: str
    url: str | None
    created_at: datetime
    brand: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.title,)
