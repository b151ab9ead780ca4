"""Who holds a role: a person put into a slot, or taken off it."""

from __future__ import annotations

from typing import ClassVar, Literal

from agencyclaw.domain.changes import ConsentPolicy, OfClient, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.roles import Role


class _OfSlot(OfClient):
    """The slot: a role of a client, or of one of its brands."""

    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    brand: Named | None = None
    role: Role
    person: Named

    @property
    def entity(self) -> str:
        """The slot."""
        return f"role:{self.client.id}:{self.brand.id if self.brand else ''}:{self.role.slug}"

    @property
    def where(self) -> str:
        """The brand or client the slot belongs to."""
        return self.brand.name if self.brand else self.client.name

    @property
    def label(self) -> str:
        """Person, role and place."""
        return f"{self.person.name} as {self.role.name} of {self.where}"

    def _slot(self) -> tuple[tuple[str, str], ...]:
        return (
            ("Client", self.client.name),
            ("Brand", self.brand.name if self.brand else message("assignments.none_client_level")),
            ("Role", self.role.name),
        )


class AssignPerson(_OfSlot):
    """A person in a role; whoever holds it now is replaced, and named."""

    kind: Literal["assign_person"] = "assign_person"
    skill: ClassVar[str] = "assign_person"
    tier: ClassVar[Tier] = Tier.ADMIN
    done: ClassVar[str] = "assigned"

    previous: Named | None = None

    def preview(self) -> Preview:
        """Say who takes the role, and from whom."""
        now = self.previous.name if self.previous else message("assignments.nobody_role_open")
        return Preview(
            headline=f"Make {self.person.name} {self.role.name} of {self.where}",
            verb="Replace" if self.previous else "Assign",
            where=message("assignments.agencys_roles"),
            fields=(
                *self._slot(),
                ("Person", self.person.name),
                (message("assignments.holds_now"), now),
            ),
        )


class RemoveAssignment(_OfSlot):
    """A person taken off a role, which is open afterwards."""

    kind: Literal["remove_assignment"] = "remove_assignment"
    skill: ClassVar[str] = "remove_assignment"
    tier: ClassVar[Tier] = Tier.ADMIN
    done: ClassVar[str] = "removed"

    def preview(self) -> Preview:
        """Say whose role becomes open."""
        return Preview(
            headline=message(
                "assignments.take_off",
                person=self.person.name,
                role=self.role.name,
                where=self.where,
            ),
            verb="Take off",
            where=message("assignments.agencys_roles"),
            fields=(
                *self._slot(),
                ("Person", self.person.name),
                ("Afterwards", message("assignments.role_open")),
            ),
        )
