"""The suggested prompts of a person who opens the assistant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agencyclaw.conversation.welcome import Welcome
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.people import Freshness, Place, Tier
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.suggested_prompts import SuggestedPrompt, prompts_for
from agencyclaw.proposals.identities import Identify, Identity
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.proposals import ProposalStore

_UNKNOWN_AT_MOST = 2


class PersonReader(Protocol):
    """Slack's information about one person."""

    async def person(self, team_id: str, slack_user_id: str) -> SlackPerson | None:
        """Return a full member with name and e-mail; None for others, raises if unknown."""
        ...


@dataclass(frozen=True)
class SuggestedPrompts:
    """Identifies a person and suggests sentences about their own work."""

    db: Database
    directory: DirectoryReader
    identify: Identify
    members: PersonReader | None
    welcome: Welcome

    async def offered(self, place: Place, slack_user_id: str) -> list[SuggestedPrompt]:
        """Return suggested prompts; none for people who would not be answered.

        Who never wrote to us is welcomed first.
        """
        identity = await self.identify(place, slack_user_id, Freshness.RECENT)
        if not isinstance(identity, Identity):
            return []
        is_admin = identity.actor.tier >= Tier.ADMIN
        waiting = await ProposalStore(self.db).waiting_for(place.team_id, slack_user_id)
        clients = await self.directory.own_clients(identity.actor.profile_id)
        is_new = await self.directory.is_new(place.team_id, slack_user_id)
        if is_new:
            prompts = prompts_for(clients, waiting=0)
            await self.welcome.post_once(place, identity.actor, clients, prompts)
        return prompts_for(
            clients,
            waiting=len(waiting),
            is_new=is_new,
            unknown=await self._unknown_writers(place.team_id) if is_admin else (),
        )

    async def _unknown_writers(self, team_id: str) -> list[SlackPerson]:
        """Return the full members who wrote to us and have no profile.

        Whom Slack does not tell us about now is left out; the other prompts need nothing of it.
        """
        if self.members is None:
            return []
        people: list[SlackPerson | None] = []
        for slack_user_id in await self.directory.unknown_writers(team_id, _UNKNOWN_AT_MOST):
            try:
                people.append(await self.members.person(team_id, slack_user_id))
            except AgencyClawError:
                continue
        return [person for person in people if person]
