"""Where admins hear of what went wrong."""

from __future__ import annotations

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.record_kinds.alert_channels import SetAlertChannel
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.records import with_stored


@proposes(SetAlertChannel, tier=Tier.ADMIN, on_demand=True)
async def set_alert_channel(ctx: RunContext[Deps], here: bool) -> SetAlertChannel:
    """Prepare that admins' alerts (notices, warnings, faults) go to this channel, or stop that.

    Args:
        here: True for the channel this is asked in; False for each admin's direct messages again.
    """
    surface = ctx.deps.surface
    if here and not surface.is_channel:
        raise Refused(message("alerts.not_here"), reason="not_a_channel")
    channel = {"channel_id": surface.channel_id if here else None}
    return await with_stored(ctx.deps, SetAlertChannel(team_id=surface.team_id), channel)
