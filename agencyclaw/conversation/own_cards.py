"""Which of a person's cards they may still see: their rights may be others than when they asked."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.people import Freshness, Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.proposals.identities import Identify, Unidentified, Unverified
from agencyclaw.store.directory import DirectoryReader


async def still_visible(
    directory: DirectoryReader,
    identify: Identify,
    team_id: str,
    slack_user_id: str,
    proposals: Sequence[Proposal],
) -> list[Proposal]:
    """Return those whose clients this person may see; none of somebody who may use nothing here."""
    who = await identify(Place.home_tab(team_id), slack_user_id, Freshness.RECENT)
    if isinstance(who, Unidentified):
        return []
    actor = who.presumed.actor if isinstance(who, Unverified) else who.actor
    visible = {client.id for client in await directory.clients(actor)}
    return [one for one in proposals if all(client.id in visible for client in one.effect.clients)]
