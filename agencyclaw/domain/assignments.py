"""Changes of who holds a role: a person is assigned, or removed."""

from __future__ import annotations

from typing import ClassVar, Literal

from agencyclaw.domain.changes import ClientChange, ConsentPolicy, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import NotWritten, RecordChange
from agencyclaw.domain.roles import Role


class SlotChange(RecordChange[Named], ClientChange):
    """A change of a role slot of a client, or of one of its brands."""

    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    brand: Named | None = None
    role: Role
    person: Named

    @property
    def of_brand(self) -> Named | None:
        """The brand whose slot it is, unless it is the client's."""
        return self.brand

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
        return message(
            "built.assignment", person=self.person.name, role=self.role.name, where=self.where
        )

    def conflict(self, now: Named | None) -> NotWritten | None:
        """Return a refusal if the slot is not held by whom the card showed."""
        is_same = (now and now.id) == (self.was and self.was.id)
        return None if is_same else self.changed(now)

    def changed(self, now: Named | None) -> NotWritten:
        """Say who holds it now."""
        held = message("built.holds", name=now.name) if now else message("assignments.nobody_holds")
        why = message(
            "assignments.role_changed_since_now", role=self.role.name, where=self.where, now=held
        )
        return NotWritten(why, renewed=self.onto(now))

    def onto(self, now: Named | None) -> SlotChange | None:
        """Return the same request for the present holder; None if nothing remains of it."""
        _ = now
        return None

    def audited(self, held: Named | None) -> dict[str, str | None]:
        """Return the slot and its holder."""
        return {
            "client": self.client.name,
            "brand": self.brand.name if self.brand else None,
            "role": self.role.slug,
            "person": held.name if held else None,
            "profile_id": str(held.id) if held else None,
        }

    def reverse(self) -> SlotChange:
        """Return the role to its previous holder, or leave it open as it was."""
        slot = self.model_dump(include={"client", "brand", "role", "timezone"})
        if self.was:
            return AssignPerson(**slot, person=self.was, previous=self.becomes)
        return RemoveAssignment(**slot, person=self.person)

    def _slot(self) -> tuple[tuple[str, str], ...]:
        return (
            ("Client", self.client.name),
            ("Brand", self.brand.name if self.brand else message("assignments.none_client_level")),
            ("Role", self.role.name),
        )


class AssignPerson(SlotChange):
    """Assigns a person to a role; the present holder is replaced, and named."""

    kind: Literal["assign_person"] = "assign_person"
    skill: ClassVar[str] = "assign_person"
    tier: ClassVar[Tier] = Tier.ADMIN
    done: ClassVar[str] = "assigned"
    sides: ClassVar[tuple[str, str]] = ("previous", "person")

    previous: Named | None = None

    def onto(self, now: Named | None) -> AssignPerson | None:
        """Return the same assignment from the present holder, unless they are that person."""
        is_held = now is not None and now.id == self.person.id
        return None if is_held else self.model_copy(update={"previous": now})

    def not_written(self, now: Named | None) -> NotWritten:
        """Say that the person is no longer active."""
        _ = now
        why = message("assignments.not_active_team_any", person=self.person.name)
        return NotWritten(why, reason="person_not_active")

    def receipt(self) -> str:
        """Say who holds the role now, and who held it."""
        held = self.was.name if self.was else ""
        before = (
            message("built.held_before", name=held)
            if held
            else message("assignments.role_open_assignments")
        )
        return message(
            "assignments.now",
            person=self.person.name,
            role=self.role.name,
            where=self.where,
            before=before,
        )

    def preview(self) -> Preview:
        """Say who takes the role, and from whom."""
        now = self.previous.name if self.previous else message("assignments.nobody_role_open")
        return Preview(
            headline=message(
                "built.make", person=self.person.name, role=self.role.name, where=self.where
            ),
            verb="Replace" if self.previous else "Assign",
            where=message("assignments.agencys_roles"),
            fields=(
                *self._slot(),
                ("Person", self.person.name),
                (message("assignments.holds_now"), now),
            ),
        )


class RemoveAssignment(SlotChange):
    """Removes a person from a role, which is open afterwards."""

    kind: Literal["remove_assignment"] = "remove_assignment"
    skill: ClassVar[str] = "remove_assignment"
    tier: ClassVar[Tier] = Tier.ADMIN
    done: ClassVar[str] = "removed"
    sides: ClassVar[tuple[str, str]] = ("person", "")

    def receipt(self) -> str:
        """Say that the role is open."""
        held = self.was.name if self.was else ""
        return message(
            "assignments.no_longer_role_open", held=held, role=self.role.name, where=self.where
        )

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
