"""Clients as records: created, changed, archived."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.changes import AgencyChange, Change, ClientChange, ConsentPolicy, Preview
from agencyclaw.domain.clients import Client, Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import Fields, FieldsChange, NotWritten, label_of
from agencyclaw.domain.text import folded

ClientStatus = Literal["active", "inactive", "archived"]


class ClientFacts(Fields):
    """What the agency records of a client."""

    name: Annotated[str, Field(min_length=1, max_length=120)]
    status: ClientStatus = "active"
    summary: str | None = None
    audience: Annotated[str | None, Field(title="Target audience")] = None
    positioning: str | None = None

    @classmethod
    def of(cls, client: Client) -> ClientFacts:
        """Return what is recorded of a client."""
        return cls.model_validate(client.model_dump(include=set(cls.model_fields)))


class ClientRecordChange(FieldsChange[ClientFacts]):
    """A change of what is recorded of a client; names of clients are unique."""

    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    noun: ClassVar[str] = "client"

    @property
    def client_id(self) -> UUID | None:
        """The client; None if it is a new one."""
        return None

    @property
    def keys(self) -> dict[str, Any]:
        """None besides the client."""
        return {}

    def prose(self) -> dict[str, str]:
        """Return the texts that change; a status is none."""
        fields = ClientFacts.model_fields
        texts = {name: value for name, value in self.wanted().items() if value and name != "status"}
        return {label_of(name, fields[name].title): value for name, value in texts.items()}

    def not_written(self, now: ClientFacts | None) -> NotWritten:
        """Say that another client has the name."""
        _ = now
        name = self.after.name if self.after else ""
        return NotWritten(message("clients.taken", name=name), reason="duplicate_name")


class CreateClient(ClientRecordChange, AgencyChange):
    """Creates a client."""

    kind: Literal["create_client"] = "create_client"
    skill: ClassVar[str] = "create_client"
    done: ClassVar[str] = "created"
    set_verb: ClassVar[str] = message("clients.create")

    # The id it gets; it is chosen beforehand where a brand of it is created in the same import.
    new_id: UUID | None = None

    @property
    def label(self) -> str:
        """Its name."""
        return self.after.name if self.after else ""

    @property
    def entity(self) -> str:
        """The name."""
        return f"client:{folded(self.label)}"

    def result(self, now: ClientFacts | None, row_id: str) -> dict[str, Any]:
        """Return the client's id as well."""
        return {"client_id": row_id, **super().result(now, row_id)}

    def undone(self, result: Mapping[str, Any], by: str) -> Change | None:
        """Return the change that archives it: no client is deleted."""
        _ = by
        if result.get("client_id") is None or self.after is None:
            return None
        client = Named(id=UUID(str(result["client_id"])), name=self.after.name)
        archived = self.after.model_copy(update={"status": "archived"})
        return UpdateClient(
            client=client, before=self.after, after=archived, timezone=self.timezone
        )


class ExistingClientChange(ClientRecordChange):
    """A change of a client that there is; `against` says what it brings about."""

    incidental: ClassVar[frozenset[str]] = ClientRecordChange.incidental | {"against"}
    skill: ClassVar[str] = "cc_client_update"

    client: Named
    against: Annotated[tuple[str, ...], Field(max_length=5)] = ()

    @property
    def client_id(self) -> UUID:
        """The client."""
        return self.client.id

    @property
    def label(self) -> str:
        """Its name."""
        return self.client.name

    @property
    def entity(self) -> str:
        """The client."""
        return f"client:{self.client.id}"

    @property
    def verb(self) -> str:
        """What is done, as on a button."""
        is_archived = self.wanted().get("status") == "archived"
        return message("clients.archive") if is_archived else message("clients.change")

    def onto(self, now: ClientFacts | None) -> Self | None:
        """Return the same request for the present client, under its present name."""
        renewed = super().onto(now)
        if renewed is None or now is None:
            return None
        client = Named(id=self.client.id, name=now.name)
        return renewed.model_copy(update={"client": client})

    def preview(self) -> Preview:
        """Return what changes, and what that brings about."""
        return super().preview().model_copy(update={"against": self.against})

    def reverse(self) -> UpdateClient | RestoreClient:
        """Return the change back, which for a client that is not active any more restores it."""
        is_active = self.after is not None and self.after.status == "active"
        kind = UpdateClient if is_active else RestoreClient
        return kind(
            client=self.client, before=self.after, after=self.before, timezone=self.timezone
        )


class UpdateClient(ExistingClientChange, ClientChange):
    """Changes an active client, or archives it."""

    kind: Literal["update_client"] = "update_client"


class RestoreClient(ExistingClientChange, AgencyChange):
    """Changes a client that is not active: nobody can reach it, so the agency's admins decide."""

    kind: Literal["restore_client"] = "restore_client"
