"""Whether the owner of a schedule may still have it, by their rights of this moment."""

from __future__ import annotations

from agencyclaw.domain.messages import message
from agencyclaw.domain.policy import Deny, Rule, decide
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
    rule = Rule(setting.skill, changes=True, tier=setting.tier, scope=setting.scope)
    switches = await directory.switches(identity.surface.team_id)
    match decide(identity.actor, identity.surface, rule, switches):
        case Deny(message=why):
            return why
        case _:
            pass
    if watch is None or watch.client is None:
        return ""
    visible = {client.id for client in await directory.clients(identity.actor)}
    is_lost = watch.client.id not in visible
    return message("watches.lost_client", client=watch.client.name) if is_lost else ""
