"""The port to ClickUp."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from agencyclaw.domain.procedures import DocRead
from agencyclaw.domain.spaces import ClickUpSpace
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.task_texts import TaskText
from agencyclaw.domain.tasks import DateKind, ListRef, TaskRead, Window
from agencyclaw.domain.team import ClickUpMember


class TaskBoard(Protocol):
    """ClickUp, read only. Raises Unavailable, Throttled, Misconfigured or NotFound."""

    async def tasks(
        self, list_id: str, window: Window | None, date_kind: DateKind, *, fresh: bool
    ) -> TaskRead:
        """Return all open tasks of a list, or by "done" the finished; only those in a window.

        They may have been read some minutes ago, unless `fresh`.
        """
        ...

    async def tasks_together(
        self,
        list_ids: Sequence[str],
        window: Window | None,
        date_kind: DateKind,
        assignee_ids: Collection[int],
        *,
        fresh: bool,
    ) -> TaskRead:
        """Return the same of several lists at once; with `assignee_ids` only what they have."""
        ...

    def task_at(self, address: str) -> str | None:
        """Return the id of the task at a web address; None if it is no task of this workspace."""
        ...

    async def task_state(self, task_id: str) -> TaskState:
        """Return a task's changeable facts; raises NotFound if it was deleted."""
        ...

    async def task_text(self, task_id: str) -> TaskText:
        """Return what stands in a task, with its latest comments; raises NotFound."""
        ...

    async def procedure_docs(self) -> list[DocRead]:
        """Return the ClickUp Docs with the procedures, and their pages."""
        ...

    async def list_ref(self, list_id: str) -> ListRef:
        """Return a list with its names."""
        ...

    async def members(self) -> list[ClickUpMember]:
        """Return the people of the Workspace, guests and invited people included."""
        ...

    async def spaces(self) -> list[ClickUpSpace]:
        """Return the spaces that the account can see."""
        ...

    async def lists_of(self, space_id: str) -> list[ListRef]:
        """Return all lists of a space, inside and outside of folders."""
        ...

    async def inbox_of(self, space_id: str) -> ListRef | None:
        """Return the list of a space that takes new tasks; None if that is ambiguous."""
        ...
