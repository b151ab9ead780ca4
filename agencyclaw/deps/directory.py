"""The port to clients, brands, people and records."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from agencyclaw.domain.channel_links import ChannelOwner
from agencyclaw.domain.clients import (
    Assignment,
    Brand,
    Client,
    Person,
    SpaceClassification,
    SpaceRecord,
)
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.kpi_results import StoredResult
from agencyclaw.domain.people import Actor
from agencyclaw.domain.records import HeldFields, RecordT, SetRecord, StoredRecord
from agencyclaw.domain.roles import Role
from agencyclaw.domain.team import HeldSlot, TeamMember


class Directory(Protocol):
    """Clients, brands and people. Only `clients` knows who may see what: pass the ids it gave."""

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see, by name; admins see all."""
        ...

    async def former_clients(self) -> list[Client]:
        """Return the clients that are not active, by name; for admins only."""
        ...

    async def brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the brands of the given clients that are not archived, by name."""
        ...

    async def former_brands(self, client_ids: list[UUID]) -> list[Brand]:
        """Return the archived brands of the given clients, by name; for admins only."""
        ...

    async def assignments(self, client_ids: list[UUID]) -> list[Assignment]:
        """Return who holds which role for these clients or their brands; raises Unavailable."""
        ...

    async def brands_in_use(self) -> list[Brand]:
        """Return those of all active clients: to tell whose a list is, never to be shown."""
        ...

    async def channel_owner(self, team_id: str, channel_id: str) -> ChannelOwner | None:
        """Return whose a Slack channel is; None if nobody said so."""
        ...

    async def spaces(self) -> list[SpaceRecord]:
        """Return the ClickUp spaces the agency knows, by name."""
        ...

    async def targets(self, brand_ids: list[UUID]) -> list[StoredTarget]:
        """Return the active targets of brands, whatever their period; raises Unavailable."""
        ...

    async def results(self, brand_ids: list[UUID]) -> list[StoredResult]:
        """Return what sources say that brands reached, in any period; raises Unavailable."""
        ...

    async def roles(self) -> list[Role]:
        """Return the role slots the agency has, by name."""
        ...

    async def space_classification(self, space_id: str) -> SpaceClassification | None:
        """Return what a ClickUp space is for; None if it is not registered."""
        ...

    async def people(self) -> list[Person]:
        """Return the active team members, by name."""
        ...

    async def team(self) -> list[TeamMember]:
        """Return everybody with a profile, archived people included, by name."""
        ...

    async def slots_of(self, profile_id: UUID) -> tuple[HeldSlot, ...]:
        """Return the roles that a person holds."""
        ...

    async def record(self, change: SetRecord[HeldFields]) -> HeldFields | None:
        """Return the present contents of a change's record; None if there is none."""
        ...

    async def records(
        self, kind: type[RecordT], client_ids: list[UUID]
    ) -> list[StoredRecord[RecordT]]:
        """Return the records of a kind by their key: of these clients, where they are of clients.

        Those of archived clients, brands and people are left out.
        """
        ...
