"""Judges, right before a task is written to, whose it is and whom it is given to by now."""

from __future__ import annotations

from typing import Protocol

from agencyclaw.domain.clients import Brand
from agencyclaw.domain.messages import message
from agencyclaw.domain.task_changes import TaskState, UpdateTask
from agencyclaw.domain.task_comments import CommentOnTask
from agencyclaw.proposals.outcomes import NotDone


class DirectoryPort(Protocol):
    """Reads whose the lists are, and who is at work."""

    async def brands_in_use(self) -> list[Brand]:
        """Return the brands of all active clients."""
        ...

    async def archived_in_clickup(self, user_ids: list[str]) -> list[str]:
        """Return the names of archived people who have one of these ClickUp accounts."""
        ...


Written = UpdateTask | CommentOnTask


def moved(effect: Written, state: TaskState) -> NotDone | None:
    """Return that a task is in another list now, which may be another client's."""
    if effect.list_id in ("", state.list_id):
        return None
    return NotDone("task_moved", message("task_change.moved"), can_retry=False)


class TaskHomes:
    """Compares the list of a task with the present mapping; a card rests on an older one.

    Of another client nobody asked whether its tasks may be written to.
    """

    def __init__(self, directory: DirectoryPort) -> None:
        self._directory = directory

    async def refusal(self, effect: Written) -> NotDone | None:
        """Return that the list is not its client's alone any more, or that an assignee has left."""
        return await self._list_refusal(effect) or await self._assignee_refusal(effect)

    async def _assignee_refusal(self, effect: Written) -> NotDone | None:
        if not isinstance(effect, UpdateTask):
            return None
        before = {one.id for one in effect.before.assignees}
        added = [str(one.id) for one in effect.after.assignees if one.id not in before]
        archived = await self._directory.archived_in_clickup(added) if added else []
        if not archived:
            return None
        why = message("task_change.assignee_left", name=archived[0])
        return NotDone("assignee_left", why, can_retry=False)

    async def _list_refusal(self, effect: Written) -> NotDone | None:
        if not effect.list_id:
            return None
        brands = [one for one in await self._directory.brands_in_use() if one.is_mapped]
        # Of a brand with a space alone, only ClickUp knows the list.
        own = (one for one in brands if one.client_id == effect.client.id)
        is_theirs = any(one.list_id in (effect.list_id, None) for one in own)
        others = (one for one in brands if one.client_id != effect.client.id)
        if is_theirs and all(one.list_id != effect.list_id for one in others):
            return None
        why = message("task_change.not_theirs", client=effect.client.name)
        return NotDone("list_of_others", why, can_retry=False)
