"""Whether the owner of a schedule may still have it, by their rights of this moment."""

from __future__ import annotations

from typing import assert_never
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.policy import Allow, Deny, decide, rule_of
from agencyclaw.domain.schedule_changes import SetSchedule
from agencyclaw.domain.watches import Watch
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.directory import DirectoryReader


async def why_not(
    directory: DirectoryReader,
    identity: Identity,
    setting: type[SetSchedule],
    watch: Watch | None,
) -> str:
    """Return why its owner may not have what `setting` sets any more, or ""."""
    client = watch.client if watch else None
    rule = rule_of(setting, client.id if client else None)
    switches = await directory.switches(identity.surface.team_id)
    decision = decide(identity.actor, identity.surface, rule, switches)
    match decision:
        case Deny(message=why):
            return why
        case Allow():
            if client is None or await _sees(directory, identity, client.id):
                return ""
            return message("watches.lost_client", client=client.name)
        case _:
            assert_never(decision)


async def _sees(directory: DirectoryReader, identity: Identity, client_id: UUID) -> bool:
    return any(client.id == client_id for client in await directory.clients(identity.actor))
