"""Which clients a turn is about, as far as its person may see them there."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.deps.ports import Directory
from agencyclaw.domain.people import Scope, Session
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.runs import StartedRun


async def scope_of(directory: Directory, identity: Identity) -> Scope:
    """Return the client and brand of a place; none for a person who may not see that client."""
    client_id, brand_id = identity.surface.client_id, identity.surface.brand_id
    name = (await _names(directory, identity, client_id)).get(client_id)
    if client_id is None or name is None:
        return Scope()
    brands = await directory.brands([client_id]) if brand_id else []
    brand = next((one for one in brands if one.id == brand_id), None)
    return Scope(
        client_id=client_id,
        client_name=name,
        brand_id=brand.id if brand else None,
        brand_name=brand.name if brand else None,
    )


async def session_of(
    directory: Directory, identity: Identity, started: StartedRun, settled: UUID | None
) -> Session:
    """Return the session, with its client and the client `settled` for the thread."""
    names = await _names(directory, identity, started.active_client_id, settled)
    return Session(
        id=started.session_id,
        active_client_id=started.active_client_id,
        active_client=names.get(started.active_client_id),
        thread_client_id=settled,
        thread_client=names.get(settled),
    )


async def _names(
    directory: Directory, identity: Identity, *client_ids: UUID | None
) -> dict[UUID | None, str]:
    """Return the names of those clients that this person may see there."""
    visible = {
        client_id
        for client_id in client_ids
        if client_id and identity.surface.client_id in (None, client_id)
    }
    if not visible or identity.surface.is_open:
        return {}
    clients = await directory.clients(identity.actor)
    return {client.id: client.name for client in clients if client.id in visible}
