"""Says which clients a turn is about, to whoever may see them there."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.deps.ports import Directory
from agencyclaw.domain.people import Scope, Session
from agencyclaw.proposals.identities import Known
from agencyclaw.store.runs import StartedRun


async def scope_of(directory: Directory, known: Known) -> Scope:
    """Return the client that a place belongs to.

    Whoever may not see the channel's client is told nothing that is on record about it.
    """
    client_id = known.surface.client_id
    name = (await _names(directory, known, client_id)).get(client_id)
    return Scope(client_id=client_id, client_name=name) if name else Scope()


async def session_of(
    directory: Directory, known: Known, started: StartedRun, settled: UUID | None
) -> Session:
    """Return the session, with the client it is about and the one `settled` for the thread."""
    names = await _names(directory, known, started.active_client_id, settled)
    return Session(
        id=started.session_id,
        active_client_id=started.active_client_id,
        active_client=names.get(started.active_client_id),
        thread_client_id=settled,
        thread_client=names.get(settled),
    )


async def _names(
    directory: Directory, known: Known, *client_ids: UUID | None
) -> dict[UUID | None, str]:
    """Return the names of those clients that this person may see there."""
    seen = {one for one in client_ids if one and known.surface.client_id in (None, one)}
    if not seen or known.surface.is_open:
        return {}
    clients = await directory.clients(known.actor)
    return {one.id: one.name for one in clients if one.id in seen}
