"""Channel bindings: shown to anybody who asks, changed by an admin's command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from agencyclaw.conversation.gathering import Sources
from agencyclaw.domain.channel_links import ChannelOwner, audited
from agencyclaw.domain.clients import Brand, Client, clients_named, single_brand
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.commands import SlashCommand
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place, ScopeKind, SurfaceKind, Tier
from agencyclaw.domain.policy import Allow, Deny, Rule
from agencyclaw.domain.text import first_few, folded, one_line
from agencyclaw.proposals.identities import Identity
from agencyclaw.proposals.judge import Judge
from agencyclaw.store.bindings import Binding, bind, hold_binding, read_binding, unbind
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.receipts import keep_settled
from agencyclaw.tools.permissions import Permission, permissions

INTERNAL = "internal"
_LINKING = Rule("link_channel", changes=True, tier=Tier.ADMIN, title=message("surfaces.linking"))
_NOT_HERE = message("surfaces.not_here")
_SHARED = message("surfaces.shared")
_LOOKS_UP = message("surfaces.looks_up")
_NAMED_AT_MOST = 10


@dataclass(frozen=True)
class Surfaces:
    """Describes, binds and unbinds channels."""

    db: Database
    directory: DirectoryReader
    judge: Judge
    sources: Sources

    async def describe(self, typed: SlashCommand, identity: Identity) -> str:
        """Say whom a channel belongs to, who the person is, and what they may do here and why."""
        place = typed.place
        binding = await read_binding(self.db, place.team_id, place.channel_id)
        switches = await self.directory.switches(place.team_id)
        lines = [_owner_line(place, binding, identity.actor)]
        if identity.surface.is_shared:
            lines.append(_SHARED)
        lines += await self._visible_clients(identity, binding)
        who, where = identity.actor, identity.surface
        lines += _permission_lines(permissions(self.sources, who, where, switches))
        return "\n\n".join(lines)

    async def link(self, typed: SlashCommand, identity: Identity) -> str:
        """Bind the channel to the named client, or to the agency itself."""
        if refused := await self._refused(typed, identity):
            return refused
        name = folded(typed.rest)
        if not name:
            return message("surfaces.client_missing")
        if name == INTERNAL:
            return await self._bind(typed, identity, ChannelOwner())
        clients = await self.directory.clients(identity.actor)
        brands = await self.directory.brands([client.id for client in clients])
        match = clients_named(typed.rest, clients, brands)
        if match.is_sure and len(match.things) == 1:
            return await self._bind(typed, identity, ChannelOwner(client=match.things[0].named))
        if not match.is_sure and (brand := single_brand(typed.rest, brands)):
            return await self._bind(typed, identity, _owner_of(brand, clients))
        return _not_found(typed.rest, match.things)

    async def unlink(self, typed: SlashCommand, identity: Identity) -> str:
        """Remove the channel's binding."""
        if refused := await self._refused(typed, identity):
            return refused
        place = typed.place
        async with self.db.transaction() as conn:
            before = await hold_binding(conn, place.team_id, place.channel_id)
            if before is None:
                return message("surfaces.unlinked_already")
            if await keep_settled(conn, typed.act) is not None:
                await unbind(conn, place.team_id, place.channel_id)
                await self._audit(conn, "surface_unlinked", typed, identity, before, None)
        return message("surfaces.unlinked", owner=before.owner.name)

    async def _bind(self, typed: SlashCommand, identity: Identity, owner: ChannelOwner) -> str:
        place = typed.place
        async with self.db.transaction() as conn:
            before = await hold_binding(conn, place.team_id, place.channel_id)
            if before and before.owner.scope == owner.scope:
                this = message("channels.this")
                return message("channels.already", channel=this, owner=owner.name)
            if await keep_settled(conn, typed.act) is not None:
                await bind(
                    conn,
                    place.team_id,
                    place.channel_id,
                    owner=owner.scope,
                    by=identity.actor.profile_id,
                )
                await self._audit(conn, "surface_linked", typed, identity, before, owner)
        lines = (
            message("surfaces.linked", owner=owner.name),
            message("channels.was", owner=before.owner.name) if before else "",
            message("surfaces.no_other_clients") if owner.client else "",
            message("surfaces.undo"),
        )
        return " ".join(filter(None, lines))

    async def _refused(self, typed: SlashCommand, identity: Identity) -> str | None:
        """Return why this person may not bind here, with an audit row; None if they may."""
        if identity.surface.kind in (SurfaceKind.DM, SurfaceKind.GROUP_DM):
            return _NOT_HERE
        # The channel itself need not be vouched for: that is what the command is for.
        surface = identity.surface.model_copy(
            update={"scope": ScopeKind.INTERNAL, "client_id": None}
        )
        decision = await self.judge.judge_rule(Identity(identity.actor, surface), _LINKING)
        match decision:
            case Deny(reason=reason, message=why):
                await record_event(
                    self.db.pool,
                    "command_refused",
                    reason=reason,
                    actor=identity.actor.profile_id,
                    slack_user_id=typed.slack_user_id,
                    payload={"command": typed.name, "channel": typed.place.channel_id},
                )
                return message("built.unchanged", why=why)
            case Allow():
                return None
            case _:
                assert_never(decision)

    async def _visible_clients(self, identity: Identity, binding: Binding | None) -> list[str]:
        """Say whose data this person is shown here."""
        actor = identity.actor
        clients = await self.directory.clients(actor)
        who = message("built.you_are", name=actor.name, tier=_tier_words(actor.tier))
        owner = binding.owner.client if binding else None
        if identity.surface.is_open and owner is None:
            return [message("surfaces.sees_no_client", who=who)]
        if owner:
            # The brand is what is meant by default; all of the client's data may be shown.
            if owner.id in {client.id for client in clients}:
                return [message("surfaces.sees_this_client", who=who, client=owner.name)]
            if actor.tier >= Tier.ADMIN:
                return [message("surfaces.not_active", who=who, client=owner.name)]
            return [message("surfaces.not_assigned", who=who, client=owner.name)]
        if actor.tier >= Tier.ADMIN:
            return [message("surfaces.sees_every_client", who=who)]
        names = first_few([client.name for client in clients], _NAMED_AT_MOST)
        names = names or message("built.none_yet")
        return [message("surfaces.sees_own_clients", who=who, names=names)]

    async def _audit(
        self,
        conn: Connection,
        event: str,
        typed: SlashCommand,
        identity: Identity,
        before: Binding | None,
        after: ChannelOwner | None,
    ) -> None:
        channel_id = typed.place.channel_id
        await record_event(
            conn,
            event,
            actor=identity.actor.profile_id,
            slack_user_id=typed.slack_user_id,
            payload={
                "before": audited(channel_id, before and before.owner),
                "after": audited(channel_id, after),
            },
        )


async def asked_where(db: Database, place: Place) -> str:
    """Return where a question was asked, if that says what it is about."""
    if place.is_direct:
        return ""
    binding = await read_binding(db, place.team_id, place.channel_id)
    if binding and binding.owner.client:
        return message("surfaces.asked_channel", owner=one_line(binding.owner.name, 120))
    return message("talk.asked_where")


def _owner_line(place: Place, binding: Binding | None, actor: Actor) -> str:
    if place.is_direct:
        return message("surfaces.direct_message")
    if binding is None:
        return message("surfaces.nobodys")
    by = message("built.as_said", name=binding.by) if binding.by else ""
    owner = binding.owner
    since = day_of(binding.since, actor.zone)
    owned = message("surfaces.linked_since", owner=owner.name, text=by, since=since)
    meant = message("surfaces.brand_meant", brand=owner.brand.name) if owner.brand else ""
    lost = message("surfaces.brand_lost", client=owner.name) if binding.has_lost_brand else ""
    return " ".join(filter(None, (owned, meant, lost)))


def _owner_of(brand: Brand, clients: Sequence[Client]) -> ChannelOwner:
    client = next(one for one in clients if one.id == brand.client_id)
    return ChannelOwner(client=client.named, brand=brand.named)


def _not_found(hint: str, clients: Sequence[Client]) -> str:
    name = one_line(hint, 60)
    if not clients:
        return message("surfaces.no_such_client", name=name)
    if len(clients) == 1:
        whole = clients[0].name
        return message("surfaces.similar_client", whole=whole)
    names = first_few([client.name for client in clients], _NAMED_AT_MOST)
    return message("surfaces.several_clients", name=name, names=names)


def _permission_lines(all_permissions: Sequence[Permission]) -> list[str]:
    """Say what may be prepared, and what may not be used and why; equal reasons share a line.

    Look-ups are too many to be named where they are allowed. Some tools are called alike.
    """
    allowed = [permission for permission in all_permissions if permission.is_allowed]
    prepared = dict.fromkeys(_prepared(one) for one in allowed if one.rule.changes)
    lines = [_LOOKS_UP] if any(not one.rule.changes for one in allowed) else []
    lines += [message("surfaces.can_prepare", prepared=", ".join(prepared))] if prepared else []
    refused: dict[str, dict[str, None]] = {}
    for permission in all_permissions:
        if isinstance(permission.decision, Deny):
            reason = f"{permission.decision.message} {permission.decision.remedy}".strip()
            refused.setdefault(reason, {})[_prepared(permission)] = None
    return [
        *lines,
        *(
            message("built.not_for", what=", ".join(what), reason=reason)
            for reason, what in refused.items()
        ),
    ]


def _prepared(permission: Permission) -> str:
    """Return what a tool prepares, or what it does where it prepares nothing."""
    return permission.what.removeprefix("preparing ")


def _tier_words(tier: Tier) -> str:
    return {
        Tier.VIEWER: message("surfaces.viewer"),
        Tier.MEMBER: message("surfaces.member"),
        Tier.ADMIN: "an admin",
        Tier.SUPER_ADMIN: message("surfaces.super_admin"),
    }[tier]
