"""Which clients a turn is about, as far as its person may see them there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from agencyclaw.deps.directory import Directory
from agencyclaw.domain.memory import Preferences
from agencyclaw.domain.people import Scope, Session
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.runs import StartedRun


@dataclass(frozen=True)
class TurnTopic:
    """The clients that a conversation may be about, with names."""

    scope: Scope
    session: Session
    preferences: Preferences


async def topic_of(
    directory: Directory,
    identity: Identity,
    started: StartedRun,
    settled: UUID | None,
    preferences: Preferences,
) -> TurnTopic:
    """Return the client of the place, of the session, `settled` for the thread, and the default.

    One that this person may not see there is none of them, whoever said so before. In a client's
    channel what a person wants besides is left out, too: their words may name another client.
    """
    place, active = identity.surface.client_id, started.active_client_id
    default_id = preferences.default_client.id if preferences.default_client else None
    names = await _names(directory, identity, place, active, settled, default_id)
    session = Session(
        id=started.session_id,
        active_client_id=active,
        active_client=names.get(active),
        thread_client_id=settled,
        thread_client=names.get(settled),
    )
    if default_id not in names:
        preferences = preferences.model_copy(update={"default_client": None})
    if place is not None:
        preferences = preferences.beside_a_client
    return TurnTopic(await _scope_of(directory, identity, names), session, preferences)


async def _scope_of(
    directory: Directory, identity: Identity, names: Mapping[UUID | None, str]
) -> Scope:
    client_id, brand_id = identity.surface.client_id, identity.surface.brand_id
    name = names.get(client_id)
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
