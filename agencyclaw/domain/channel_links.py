"""Whose a Slack channel is: an admin links it to a client, or to one of the client's brands."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from agencyclaw.domain.changes import Change, ConsentPolicy, EffectScope, Preview
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ChannelScope, ScopeKind, Tier, Value

_LABEL_HERE = message("channels.label_here")


class ChannelOwner(Value):
    """Whose a channel is: a client's, perhaps for one brand; without a client the agency's own."""

    client: Named | None = None
    brand: Named | None = None

    @model_validator(mode="after")
    def _has_client_of_brand(self) -> Self:
        if self.brand and self.client is None:
            raise ValueError("clientless brand")
        return self

    @property
    def scope(self) -> ChannelScope:
        """The same by ids."""
        if self.client is None:
            return ChannelScope(ScopeKind.INTERNAL)
        brand_id = self.brand.id if self.brand else None
        return ChannelScope(ScopeKind.CLIENT_SCOPED, self.client.id, brand_id)

    @property
    def name(self) -> str:
        """The owner as people read it."""
        if self.client is None:
            return message("surfaces.agency_itself")
        if self.brand is None:
            return self.client.name
        return message("surfaces.brand_of", brand=self.brand.name, client=self.client.name)


def audited(channel_id: str, owner: ChannelOwner | None) -> dict[str, Any]:
    """Return what the audit stores of whose a channel is, however that was changed."""
    return {"channel": channel_id, "owner": owner.model_dump(mode="json") if owner else None}


class LinkChannel(Change):
    """Links a channel; without `before` nobody had said whose it is, without `after` nobody does.

    If the brand is no longer one of the client's when it is confirmed, the client alone remains.
    `channel` is the channel's name, "" for the one in which it was asked.
    """

    kind: Literal["link_channel"] = "link_channel"
    skill: ClassVar[str] = "link_channel"
    tier: ClassVar[Tier] = Tier.ADMIN
    consent: ClassVar[ConsentPolicy] = ConsentPolicy.PRESS
    scope: ClassVar[EffectScope] = EffectScope.PLACE
    done: ClassVar[str] = "linked"

    team_id: Annotated[str, Field(max_length=32)]
    channel_id: Annotated[str, Field(max_length=32, pattern="^[A-Z0-9]+$")]
    channel: Annotated[str, Field(max_length=80)] = ""
    before: ChannelOwner | None = None
    after: ChannelOwner | None = None

    @property
    def label(self) -> str:
        """The channel."""
        return message("channels.label", channel=self.channel) if self.channel else _LABEL_HERE

    @property
    def called(self) -> str:
        """The channel as people read it."""
        return f"#{self.channel}" if self.channel else message("channels.this")

    @property
    def entity(self) -> str:
        """The channel."""
        return f"channel:{self.team_id}:{self.channel_id}"

    @property
    def clients(self) -> tuple[Named, ...]:
        """The client it is for; where it is taken back, the client it was for."""
        owners = (self.after, self.before)
        return tuple(one.client for one in owners if one and one.client)[:1]

    def preview(self) -> Preview:
        """Return the channel, whose it becomes, whose it was, and what that means there."""
        after = self.after
        rows = (
            ("Client", after.client.name if after and after.client else ""),
            ("Brand", after.brand.name if after and after.brand else ""),
            (message("channels.before"), self.before.name if self.before else ""),
            (message("channels.means"), message("channels.of_brand") if self._brand else ""),
        )
        return Preview(
            headline=self._headline(),
            verb=message("channels.link") if after else message("records.remove"),
            where=message("records.where"),
            fields=rows,
        )

    def receipt(self, written: ChannelOwner | None) -> str:
        """Say whose it is now, whose it was, and whether its brand was lost on the way."""
        was = message("channels.was", owner=self.before.name) if self.before else ""
        lost = self._brand if self._brand and not (written and written.brand) else None
        note = message("channels.lost", brand=lost.name) if lost else ""
        return " ".join(filter(None, (f"{self._sentence(written)}.", was, note)))

    @property
    def _brand(self) -> Named | None:
        return self.after.brand if self.after else None

    def _headline(self) -> str:
        owner = self.after.name if self.after else ""
        if owner and self.channel:
            return message("channels.link_named", channel=self.channel, owner=owner)
        if owner:
            return message("channels.link_here", owner=owner)
        if self.channel:
            return message("channels.unlink_named", channel=self.channel)
        return message("channels.unlink_here")

    def _sentence(self, owner: ChannelOwner | None) -> str:
        if owner is None:
            return message("channels.nobodys", channel=self.called)
        return message("channels.belongs", channel=self.called, owner=owner.name)
