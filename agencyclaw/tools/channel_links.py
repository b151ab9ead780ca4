"""Whose a Slack channel is: a client's, or one of its brands'."""

from __future__ import annotations

from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.channel_links import ChannelOwner, LinkChannel
from agencyclaw.domain.clients import Brand, clients_named, single_brand
from agencyclaw.domain.conversations import Channel
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ChannelKind, Tier
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.assignments import find_brand
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.clients import find_client, visible_clients
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.messages import find_conversation
from agencyclaw.tools.results import Ask


@proposes(LinkChannel, tier=Tier.ADMIN, on_demand=True)
async def link_channel(
    ctx: RunContext[Deps], client: Name, brand: Name | None = None, where: Name | None = None
) -> LinkChannel | Ask:
    """Prepare linking (binding) a Slack channel to the client, or the one brand, it is for.

    Args:
        client: What the person called the client or brand.
        brand: Only if it is for one brand of the client.
        where: The channel's name; leave out for this one.
    """
    deps = ctx.deps
    lacking = Lacking()
    channel = await lacking.settle(_channel(deps, where))
    owner = await lacking.settle(_owner(deps, client, brand))
    if channel is None or owner is None:
        return lacking.as_ask()
    before = await deps.directory.channel_owner(deps.surface.team_id, channel.id)
    link = LinkChannel(
        team_id=deps.surface.team_id,
        channel_id=channel.id,
        channel=one_line(channel.name, 80),
        before=before,
        after=owner,
    )
    if before and before.scope == owner.scope:
        why = message("channels.already", channel=link.called, owner=owner.name)
        raise Refused(why, reason="no_changes")
    return link


async def _channel(deps: Deps, where: str | None) -> Channel | Ask:
    """Return the named channel, else this one; raises Refused where none can be linked."""
    surface = deps.surface
    if not (where and folded(where)):
        if not surface.is_channel:
            raise Refused(message("channels.not_here"), reason="not_a_channel")
        return Channel(id=surface.channel_id, kind=ChannelKind.PUBLIC)
    if surface.is_open:
        raise Refused(message("channels.unlistable"), reason="open_place")
    if deps.messages is None:
        raise Refused(message("channels.not_here"), reason="not_a_channel")
    clients = {client.id for client in await visible_clients(deps)}
    found = await find_conversation(deps, where, clients)
    if isinstance(found, Ask):
        return found
    if found.kind not in (ChannelKind.PUBLIC, ChannelKind.PRIVATE):
        raise NotFound(message("channels.unseen"), reason="conversation_not_found")
    if found.is_shared:
        shared = message("channels.shared", channel=one_line(found.name, 80))
        raise Refused(shared, reason="shared_channel")
    return found


async def _owner(deps: Deps, client: str, brand: str | None) -> ChannelOwner | Ask:
    """Return the client and brand that are meant, or the question which.

    Where nobody has said who reads along, only names that decide by themselves count: a client's or
    its first words, and a brand's whole one. None is offered.
    """
    if deps.surface.is_open:
        return await _by_names_alone(deps, client, brand)
    found = await find_client(deps, client)
    if isinstance(found, Ask):
        return found
    chosen = find_brand(deps, found, brand)
    if isinstance(chosen, Ask):
        return chosen
    return ChannelOwner(client=found.client.named, brand=chosen.named if chosen else None)


async def _by_names_alone(deps: Deps, client: str, brand: str | None) -> ChannelOwner:
    """Return the one owner that these names decide on; raises NotFound, and names none."""
    clients = await visible_clients(deps)
    brands = await deps.directory.brands([one.id for one in clients])
    match = clients_named(client, clients, brands)
    called = {one.id for one in match.things} if match.is_sure or match.is_begun else set[UUID]()
    chosen: Brand | None = None
    if brand and folded(brand):
        chosen = single_brand(brand, [one for one in brands if one.client_id in called])
    elif not match.is_sure:
        chosen = single_brand(client, brands)
    by_client = match.things[0].id if match.decides and not folded(brand or "") else None
    owner_id = chosen.client_id if chosen else by_client
    owner = next((one for one in clients if one.id == owner_id), None)
    if owner is None:
        raise NotFound(message("channels.unfound"), reason="client_not_found")
    return ChannelOwner(client=owner.named, brand=chosen.named if chosen else None)
