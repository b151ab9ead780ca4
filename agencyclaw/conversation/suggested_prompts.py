"""The suggested prompts of a person who opens the assistant."""

from __future__ import annotations

import asyncio
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
# About how many Slack is asked: guests write to us as well, and are not added.
_ASKED_AT_MOST = 10


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

        Somebody who never wrote to us is welcomed first.
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
        """Return the last full members who wrote to us and have no profile."""
        writers = await self.directory.unknown_writers(team_id, _ASKED_AT_MOST)
        people = await asyncio.gather(*(self._full_member(team_id, one) for one in writers))
        return [person for person in people if person][:_UNKNOWN_AT_MOST]

    async def _full_member(self, team_id: str, slack_user_id: str) -> SlackPerson | None:
        """Return a full member; None as well if Slack can't say: the other prompts go without."""
        try:
            return await self.members.person(team_id, slack_user_id) if self.members else None
        except AgencyClawError:
            return None
