"""The one judge of every way in: a card, a word, a form, a command, the Home tab, an execution."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from agencyclaw.domain.changes import Change
from agencyclaw.domain.clients import Client
from agencyclaw.domain.clock import clock_time
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.policy import Allow, Decision, Deny, Switches, decide_effect
from agencyclaw.proposals.identities import Present
from agencyclaw.store.engine import Database
from agencyclaw.store.pauses import pause_at

PAUSED = "paused"


class PolicyRecords(Protocol):
    """The agency's records as they are now."""

    async def switches(self, team_id: str) -> Switches:
        """Return which tools are on, and what admins decided about them in this workspace."""
        ...

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see."""
        ...


class Judge:
    """Says whether a person may bring about an effect in a place, by the facts of this moment."""

    def __init__(self, db: Database, records: PolicyRecords) -> None:
        self._db = db
        self._records = records

    async def judge(
        self, who: Present, effect: Change, *, acted_at: datetime | None = None
    ) -> Decision:
        """Return whether pause, tier, place, switches and clients allow it; refusals have words.

        What was done while a pause was on does not count once it is over.
        """
        if pause := await pause_at(self._db, who.surface.team_id, acted_at):
            at = clock_time(pause.paused_at, who.actor.timezone)
            text = message("judge.paused_at_nothing_carried", by=pause.by, at=at)
            return Deny(PAUSED, text)
        switches = await self._records.switches(who.surface.team_id)
        decision = decide_effect(who.actor, who.surface, effect, switches)
        return decision if isinstance(decision, Deny) else await self._reached(who, effect)

    async def _reached(self, who: Present, effect: Change) -> Decision:
        reach = {client.id for client in await self._records.clients(who.actor)}
        lost = [client.name for client in effect.clients if client.id not in reach]
        if not lost:
            return Allow()
        return Deny("client_out_of_reach", message("judge.not_among_your_active", lost=lost[0]))
