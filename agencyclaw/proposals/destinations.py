"""Checks where a task may go and who may get it now, and rebuilds it for its brand's list."""

from __future__ import annotations

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.task_creation import Assignee, CreateTask, Destination
from agencyclaw.domain.tasks import ListRef
from agencyclaw.store.directory import DirectoryReader


class Destinations:
    """Compares a task's destination with the present mapping."""

    def __init__(self, directory: DirectoryReader, lists: ClickUpReader) -> None:
        self._directory = directory
        self._lists = lists

    async def is_changed(self, effect: CreateTask) -> bool:
        """Return whether the brand's tasks no longer go to this list."""
        target = effect.destination
        if not await self._takes_work(target.space_id):
            return True
        for brand in await self._brands(effect):
            same_space = brand.list_id is None and brand.space_id == target.space_id
            if brand.list_id == target.list_id or same_space:
                return False
        return True

    async def is_archived(self, assignee: Assignee) -> bool:
        """Return whether somebody can get no task any more."""
        person = await self._directory.profile_by_id(assignee.profile_id)
        return person is None or person.employment_status == "inactive"

    async def renewed(self, effect: CreateTask) -> CreateTask | None:
        """Return the same task for the present list; None if that is ambiguous.

        Raises Unavailable or Unclear while ClickUp does not say what the list is.
        """
        try:
            lists = [await self._list(brand) for brand in await self._brands(effect)]
        except (Refused, LookupError):
            return None
        if len({target.id for target in lists}) != 1:
            return None
        target = lists[-1]
        if not await self._takes_work(target.space_id):
            return None
        return effect.model_copy(update={"destination": Destination.of(target, target.space_id)})

    async def _brands(self, effect: CreateTask) -> list[Brand]:
        """Return the task's mapped brand, or all mapped brands if it has none."""
        brands = await self._directory.brands([effect.client.id])
        brand_id = effect.brand.id if effect.brand else None
        return [brand for brand in brands if brand.is_mapped and brand_id in (None, brand.id)]

    async def _list(self, brand: Brand) -> ListRef:
        if brand.list_id:
            return await self._lists.list_ref(brand.list_id)
        inbox = await self._lists.inbox_of(brand.space_id) if brand.space_id else None
        if inbox is None:
            raise LookupError("no clear list")
        return inbox

    async def _takes_work(self, space_id: str | None) -> bool:
        if not space_id:
            return False
        classification = await self._directory.space_classification(space_id)
        return classification is not None and classification.takes_brand_work
