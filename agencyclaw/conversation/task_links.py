"""Links to tasks in messages: what of a task everybody who reads there may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import logfire

from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.people import Freshness, Place, ScopeKind, SurfaceKind
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.proposals.identities import Identify, Identity
from agencyclaw.store.directory import DirectoryReader

_LINKS_AT_MOST = 5


class LinkedTasks(Protocol):
    """The tasks of ClickUp by their addresses."""

    def task_at(self, address: str) -> str | None:
        """Return the id of the task that a web address opens; None where it is no task of ours."""
        ...

    async def task_state(self, task_id: str) -> TaskState:
        """Return a task; raises when it can't be read."""
        ...


@dataclass(frozen=True)
class TaskLinks:
    """Reads linked tasks, where the conversation is their client's or the person's own."""

    directory: DirectoryReader
    board: LinkedTasks
    identify: Identify

    async def shown(
        self, place: Place, slack_user_id: str, addresses: Sequence[str]
    ) -> dict[str, TaskState]:
        """Return by address the tasks to show there; whatever can't be read is left out."""
        ids: dict[str, str] = {}
        for address in addresses:
            task_id = self.board.task_at(address)
            if task_id:
                ids[address] = task_id
        if not ids:
            return {}
        allowed = await self._clients_of(place, slack_user_id)
        if not allowed:
            return {}
        brands = await self.directory.all_brands()
        states: dict[str, TaskState] = {}
        for address, task_id in list(ids.items())[:_LINKS_AT_MOST]:
            state = await self._read(task_id)
            if state is None:
                continue
            owners = owners_of(state, brands)
            if len(owners) == 1 and owners <= allowed:
                states[address] = state
        return states

    async def _clients_of(self, place: Place, slack_user_id: str) -> frozenset[UUID]:
        """Return the clients whose tasks everybody who reads there may see.

        In direct messages these are the person's own. In a channel it is the one it belongs to, if
        nobody of another company reads along.
        """
        identity = await self.identify(place, slack_user_id, Freshness.RECENT)
        if not isinstance(identity, Identity):
            return frozenset()
        surface = identity.surface
        own = frozenset(client.id for client in await self.directory.clients(identity.actor))
        if surface.kind is SurfaceKind.DM:
            return own
        is_clients = surface.scope is ScopeKind.CLIENT_SCOPED and not surface.is_open
        return own & {surface.client_id} if is_clients and surface.client_id else frozenset()

    async def _read(self, task_id: str) -> TaskState | None:
        try:
            return await self.board.task_state(task_id)
        except AgencyClawError as error:
            logfire.debug("linked task not read", error=type(error).__name__)
            return None


def owners_of(state: TaskState, brands: Sequence[Brand]) -> frozenset[UUID]:
    """Return the clients whose brands have their tasks in the list, or the space, of a task."""
    return frozenset(
        brand.client_id
        for brand in brands
        if (brand.list_id == state.list_id if brand.list_id else _is_in_space(brand, state))
    )


def _is_in_space(brand: Brand, state: TaskState) -> bool:
    return brand.space_id is not None and brand.space_id == state.space_id
