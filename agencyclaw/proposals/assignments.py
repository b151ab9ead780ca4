"""Carrying out `assign_person` and `remove_assignment`: one slot, one transaction."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.assignments import AssignPerson, RemoveAssignment
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.store.assignments import SlotRecord
from agencyclaw.store.engine import Connection


class Assigning(DatabaseHandler[AssignPerson]):
    """Fills a role, or hands it over; the former holder stays if anything fails."""

    kind = AssignPerson

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write if the role is still held by whom the card named."""
        effect = self.effect_of(proposal)
        slot = _slot(conn, effect)
        holder = await slot.holder()
        if _id(holder) != _id(effect.previous):
            return _changed(effect, holder)
        filled = await slot.fill(
            effect.person.id, by=proposal.confirmed_by, instead_of=_id(effect.previous)
        )
        if not filled:
            return NotDone(
                "person_not_active",
                message("assignments.not_active_team_any", person=effect.person.name),
                can_retry=False,
            )
        return Done({"before": _facts(effect, holder), "after": _facts(effect, effect.person)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say who holds the role now, and who held it."""
        effect = self.effect_of(proposal)
        held = done.result["before"]["person"]
        before = f" Before: {held}." if held else message("assignments.role_open_assignments")
        return Note(
            text=message(
                "assignments.now",
                person=effect.person.name,
                role=effect.role.name,
                where=effect.where,
                before=before,
            )
        )

    def undo(self, proposal: Proposal) -> AssignPerson | RemoveAssignment:
        """Give the role back to who held it, or leave it open as it was."""
        effect = self.effect_of(proposal)
        slot = effect.model_dump(include={"client", "brand", "role", "timezone"})
        if effect.previous:
            return AssignPerson(**slot, person=effect.previous, previous=effect.person)
        return RemoveAssignment(**slot, person=effect.person)


class Unassigning(DatabaseHandler[RemoveAssignment]):
    """Takes a person off a role."""

    kind = RemoveAssignment

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write if that person still holds the role."""
        effect = self.effect_of(proposal)
        slot = _slot(conn, effect)
        holder = await slot.holder()
        if _id(holder) != effect.person.id or not await slot.free(effect.person.id):
            return _changed(effect, holder)
        return Done({"before": _facts(effect, holder), "after": _facts(effect, None)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say that the role is open."""
        effect, held = self.effect_of(proposal), done.result["before"]["person"]
        return Note(
            text=message(
                "assignments.no_longer_role_open",
                held=held,
                role=effect.role.name,
                where=effect.where,
            )
        )

    def undo(self, proposal: Proposal) -> AssignPerson:
        """Put the person back."""
        effect = self.effect_of(proposal)
        slot = effect.model_dump(include={"client", "brand", "role", "timezone"})
        return AssignPerson(**slot, person=effect.person)


def _slot(conn: Connection, effect: AssignPerson | RemoveAssignment) -> SlotRecord:
    brand_id = effect.brand.id if effect.brand else None
    return SlotRecord(conn, effect.client.id, brand_id, effect.role.slug)


def _id(person: Named | None) -> UUID | None:
    return person.id if person else None


def _changed(effect: AssignPerson | RemoveAssignment, holder: Named | None) -> NotDone:
    now = f"{holder.name} holds it" if holder else message("assignments.nobody_holds")
    return NotDone(
        "changed_since",
        message(
            "assignments.role_changed_since_now", role=effect.role.name, where=effect.where, now=now
        ),
        can_retry=False,
        renewed=_renewed(effect, holder),
    )


def _renewed(effect: AssignPerson | RemoveAssignment, holder: Named | None) -> AssignPerson | None:
    """The same hand-over from who holds the role now; nothing where it came to pass by itself."""
    if not isinstance(effect, AssignPerson) or _id(holder) == effect.person.id:
        return None
    return effect.model_copy(update={"previous": holder})


def _facts(effect: AssignPerson | RemoveAssignment, holder: Named | None) -> dict[str, str | None]:
    return {
        "client": effect.client.name,
        "brand": effect.brand.name if effect.brand else None,
        "role": effect.role.slug,
        "person": holder.name if holder else None,
        "profile_id": str(holder.id) if holder else None,
    }
