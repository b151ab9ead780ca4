"""Taking a created task back: what is to be archived, and what it looked like when it was new."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from agencyclaw.domain.changes import ConsentPolicy, Label, OfClient, Preview
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value

# ClickUp itself may touch a new task for a moment after it answered.
_SETTLING_MS = 5_000


class TaskLook(Value):
    """What a task looked like at one moment: a digest of what people see, and its last change."""

    facts: Annotated[str, Field(max_length=64)]
    updated_ms: int

    def is_as_in(self, earlier: TaskLook) -> bool:
        """Return whether nobody can have changed it since `earlier`."""
        settled = self.updated_ms - earlier.updated_ms <= _SETTLING_MS
        return self.facts == earlier.facts and settled


class ArchiveTask(OfClient):
    """A task that was just created, to be archived: out of sight, and to be brought back."""

    kind: Literal["archive_task"] = "archive_task"
    skill: ClassVar[str] = "create_task"
    tier: ClassVar[Tier] = Tier.MEMBER
    done: ClassVar[str] = "archived"
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    title: Label
    where: Label
    task_id: Annotated[str, Field(max_length=64)]
    url: Annotated[str, Field(max_length=300)] = ""
    look: TaskLook
    created: Annotated[str, Field(max_length=200)]

    @property
    def entity(self) -> str:
        """What creating it changed: while it goes, no other of its kind is made."""
        return self.created

    @property
    def label(self) -> str:
        """Its title."""
        return self.title

    def preview(self) -> Preview:
        """Say which task goes out of sight."""
        return Preview(
            headline=message("archiving.archive_task", title=self.title),
            verb="Archive task",
            where=self.where,
            fields=(("Client", self.client.name),),
        )
