"""People of the agency as records: added, changed, linked to accounts, archived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, ConsentPolicy, Preview
from agencyclaw.domain.clients import Named, Person
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.records import Fields, FieldsChange, NotWritten, changed_since
from agencyclaw.domain.roles import Role
from agencyclaw.domain.text import counted

Access = Literal["admin", "member", "viewer"]
Employment = Literal["active", "contractor", "inactive"]
Email = Annotated[str, Field(min_length=3, max_length=254)]
SLOTS_AT_MOST = 200
_NOT_IN_ADDRESSES = frozenset('<>()[],;:"\\')


def email_address(text: str) -> str | None:
    """Return an e-mail address in lower case; None if the text is none."""
    address = text.strip().lower()
    name, _, domain = address.partition("@")
    is_whole = name and "." in domain.strip(".") and "@" not in domain
    is_one = not any(char.isspace() or char in _NOT_IN_ADDRESSES for char in address)
    return address if is_whole and is_one else None


class ClickUpMember(Value):
    """A member of the ClickUp Workspace; an invited person has no name yet."""

    id: int
    name: str | None = None
    email: str | None = None
    timezone: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for them."""
        return tuple(name for name in (self.name, self.email, str(self.id)) if name)

    @property
    def full_name(self) -> str:
        """The name with the e-mail, which no two people share."""
        return f"{self.name or self.id} ({self.email or self.id})"


class PersonFacts(Fields):
    """What the agency records of a person; `called` is the name they want to be called by."""

    name: Annotated[str, Field(max_length=120, title="Name")]
    called: Annotated[str | None, Field(max_length=120, title="Called")] = None
    access: Annotated[Access, Field(title="Rights")] = "member"
    employment: Annotated[Employment, Field(title="At work")] = "active"
    slack: Annotated[str | None, Field(max_length=40, title="Slack account")] = None
    clickup: Annotated[str | None, Field(max_length=40, title="ClickUp account")] = None
    timezone: Annotated[str | None, Field(max_length=60, title="Time zone")] = None

    @property
    def is_admin_at_work(self) -> bool:
        """Whether they can act as an admin."""
        return self.access == "admin" and self.employment != "inactive"


def concerns_admins(before: PersonFacts, after: PersonFacts, *, is_super: bool) -> bool:
    """Return whether a change takes a super admin: an admin's rights or accounts.

    Whoever has a super admin's account is one, so those of one who `is_super` count whatever the
    record says of their rights.
    """
    if not is_super and "admin" not in (before.access, after.access):
        return False
    accounts = (before.slack, before.clickup) != (after.slack, after.clickup)
    return before.access != after.access or accounts


class TeamMember(Person):
    """A person of the agency with what is recorded of them, archived ones included.

    One who `is_super` is a super admin by the settings.
    """

    facts: PersonFacts
    is_super: bool = False

    @property
    def is_of_admins(self) -> bool:
        """Whether only a super admin takes their rights or accounts away."""
        return self.is_super or self.facts.access == "admin"

    @property
    def named(self) -> Named:
        """Their id and name alone."""
        return Named(id=self.profile_id, name=self.name)


class HeldSlot(Value):
    """A role that somebody holds for a client, or for one of its brands."""

    client: Named
    brand: Named | None = None
    role: Role

    @property
    def spoken(self) -> str:
        """The role with whom it is for."""
        owner = self.brand or self.client
        return message("built.of", what=self.role.name, whose=owner.name)


def _access_and_work(facts: PersonFacts | None) -> tuple[Access, bool] | None:
    return (facts.access, facts.employment == "inactive") if facts else None


class PersonChange(FieldsChange[PersonFacts], AgencyChange):
    """A change of what is recorded of one person, who is identified by their e-mail."""

    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    noun: ClassVar[str] = "person"

    email: Email
    remarks: Annotated[tuple[str, ...], Field(max_length=10)] = ()

    @property
    def keys(self) -> dict[str, Any]:
        """The e-mail."""
        return {"email": self.email}

    @property
    def label(self) -> str:
        """Their name."""
        facts = self.after or self.before
        return facts.name if facts else self.email

    @property
    def entity(self) -> str:
        """The person."""
        return f"person:{self.email.lower()}"

    def onto(self, now: PersonFacts | None) -> Self | None:
        """Return the same request for the present record; None if that would take other rights.

        Rights, and whether they are at work, decide who may change a person: perhaps a super admin.
        """
        has_changed = _access_and_work(now) != _access_and_work(self.before)
        return None if has_changed else super().onto(now)

    def prose(self) -> dict[str, str]:
        """Return a name that is new."""
        return {"Name": name} if (name := self.wanted().get("name")) else {}

    def preview(self) -> Preview:
        """Return the person and what changes, with whose account that is."""
        return super().preview().model_copy(update={"against": self.remarks})


class AddPerson(PersonChange):
    """Adds a person to the team, or brings an archived one back."""

    kind: Literal["add_person"] = "add_person"
    skill: ClassVar[str] = "cc_team_member_create"
    done: ClassVar[str] = "added"
    set_verb: ClassVar[str] = message("team.add")

    def result(self, now: PersonFacts | None, row_id: str) -> dict[str, Any]:
        """Return the person's id as well."""
        return {"profile_id": row_id, **super().result(now, row_id)}

    def undone(self, result: Mapping[str, Any], by: str) -> ArchivePerson | None:
        """Return the change that archives them again: nobody is deleted."""
        _ = by
        if result.get("profile_id") is None:
            return None
        person = Named(id=UUID(str(result["profile_id"])), name=self.label)
        return ArchivePerson(person=person, timezone=self.timezone)


class PersonUpdate(PersonChange):
    """A change of somebody who is in the team."""

    skill: ClassVar[str] = "cc_team_member_update"


class ChangePerson(PersonUpdate):
    """Changes what is recorded of a person."""

    kind: Literal["change_person"] = "change_person"
    set_verb: ClassVar[str] = message("team.change")


class ChangeAdmin(PersonUpdate):
    """Gives somebody an admin's rights, or takes them away; only super admins may."""

    kind: Literal["change_admin"] = "change_admin"
    tier: ClassVar[Tier] = Tier.SUPER_ADMIN
    set_verb: ClassVar[str] = message("team.change_rights")


class StayChange(AgencyChange):
    """Whether a person is with the agency, with what becomes of their roles."""

    skill: ClassVar[str] = "cc_team_member_archive"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS

    person: Named
    slots: Annotated[tuple[HeldSlot, ...], Field(max_length=SLOTS_AT_MOST)] = ()
    successor: Named | None = None
    employment: Employment = "active"

    @property
    def label(self) -> str:
        """Their name."""
        return self.person.name

    @property
    def entity(self) -> str:
        """The person."""
        return f"archiving:{self.person.id}"

    def changed_since(self) -> NotWritten:
        """Return that the person or their roles are no longer as the card showed."""
        return changed_since(message("team.changed_since", name=self.person.name), None)

    def audited(self, *, are_roles_held: bool = True) -> dict[str, Any]:
        """Return what the audit stores of a person at work, or of one who holds no roles."""
        slots = self.slots if are_roles_held else ()
        return {
            "profile_id": str(self.person.id),
            "person": self.person.name,
            "roles": [slot.model_dump(mode="json") for slot in slots],
            "successor": self.successor.name if self.successor else None,
        }

    @property
    def stay(self) -> dict[str, Any]:
        """Return what the change and its reverse have in common."""
        return self.model_dump(exclude={"kind"}, exclude_unset=True)

    @property
    def _heir(self) -> str:
        return self.successor.name if self.successor else message("team.left_open")

    def _shown(self, headline: str, verb: str, *more: tuple[str, str]) -> Preview:
        roles = counted(len(self.slots), "role")
        return Preview(
            headline=headline,
            verb=verb,
            where=message("records.where"),
            fields=(("Person", self.person.name), ("Roles", roles), *more),
            body="\n".join(f"- {slot.spoken}" for slot in self.slots),
            is_always_shown=True,
        )


class Archiving(StayChange):
    """Archives somebody, whose roles go to a successor or are left open."""

    done: ClassVar[str] = "archived"

    def reverse(self) -> BringBackPerson | BringBackAdmin:
        """Return the change back, which takes the same rights."""
        back = BringBackAdmin if isinstance(self, ArchiveAdmin) else BringBackPerson
        return back.model_validate(self.stay)

    def preview(self) -> Preview:
        """Say who is archived, and what becomes of their roles."""
        to = (("Go to", self._heir),) if self.slots else ()
        headline = message("team.archive_person", name=self.person.name)
        return self._shown(headline, message("team.archive"), *to)

    def receipt(self) -> str:
        """Say what became of the person and their roles."""
        text = message("team.archived", name=self.person.name)
        if not self.slots:
            return text
        roles = ", ".join(slot.spoken for slot in self.slots)
        return f"{text} {message('team.roles_went', roles=roles, to=self._heir)}"


class ArchivePerson(Archiving):
    """Archives somebody who is no admin."""

    kind: Literal["archive_person"] = "archive_person"


class ArchiveAdmin(Archiving):
    """Archives an admin, who has no rights any more then; only super admins may."""

    kind: Literal["archive_admin"] = "archive_admin"
    tier: ClassVar[Tier] = Tier.SUPER_ADMIN


class BringBack(StayChange):
    """Takes an archiving back: the person is at work again, and holds the roles they held."""

    done: ClassVar[str] = "brought back"

    def reverse(self) -> ArchivePerson | ArchiveAdmin:
        """Return the change back, which takes the same rights."""
        back = ArchiveAdmin if isinstance(self, BringBackAdmin) else ArchivePerson
        return back.model_validate(self.stay)

    def preview(self) -> Preview:
        """Say who is brought back, with which roles."""
        headline = message("team.return_person", name=self.person.name)
        return self._shown(headline, "Bring back")

    def receipt(self) -> str:
        """Say what became of the person."""
        return message("team.returned", name=self.person.name)


class BringBackPerson(BringBack):
    """Brings somebody back who is no admin."""

    kind: Literal["bring_back_person"] = "bring_back_person"


class BringBackAdmin(BringBack):
    """Brings an admin back, who has their rights again then; only super admins may."""

    kind: Literal["bring_back_admin"] = "bring_back_admin"
    tier: ClassVar[Tier] = Tier.SUPER_ADMIN


def yourself(name: str) -> NotWritten:
    """Return that nobody takes their own rights away."""
    return NotWritten(message("team.yourself", name=name), reason="yourself")


def last_admin(name: str) -> NotWritten:
    """Return that the agency would be without an admin."""
    return NotWritten(message("team.last_admin", name=name), reason="last_admin")


def account_taken(account: str, name: str) -> NotWritten:
    """Return that an account is somebody else's."""
    text = message("team.account_taken", account=account, name=name)
    return NotWritten(text, reason="account_taken")
