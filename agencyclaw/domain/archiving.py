"""Archiving a task that was just created, if nobody has changed it since."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import ClientChange, ConsentPolicy, Label, Preview
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value

# ClickUp itself may touch a new task for a moment after it answered.
_SETTLING_MS = 5_000


class TaskSnapshot(Value):
    """A task's state at one moment: a digest of what people see, and its last change."""

    facts: Annotated[str, Field(max_length=64)]
    updated_ms: int

    def is_as_in(self, earlier: TaskSnapshot) -> bool:
        """Return whether certainly nobody has changed it since `earlier`."""
        settled = self.updated_ms - earlier.updated_ms <= _SETTLING_MS
        return self.facts == earlier.facts and settled


class ArchiveTask(ClientChange):
    """A task that was just created and is to be archived; it can be restored in ClickUp."""

    kind: Literal["archive_task"] = "archive_task"
    skill: ClassVar[str] = "create_task"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "archived"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    title: Label
    where: Label
    task_id: Annotated[str, Field(max_length=64)]
    url: Annotated[str, Field(max_length=300)] = ""
    look: TaskSnapshot
    created: Annotated[str, Field(max_length=200)]

    @property
    def entity(self) -> str:
        """The entity of its creation, so that no equal task is created at the same time."""
        return self.created

    @property
    def label(self) -> str:
        """The task's title."""
        return self.title

    def preview(self) -> Preview:
        """Say which task is archived."""
        return Preview(
            headline=message("archiving.archive_task", title=self.title),
            verb="Archive task",
            where=self.where,
            fields=(("Client", self.client.name),),
        )
