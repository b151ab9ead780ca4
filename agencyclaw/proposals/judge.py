"""Judges every way to bring about an effect: card, word, form, command, Home tab, execution."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from agencyclaw.domain.changes import Change
from agencyclaw.domain.clients import admins_among
from agencyclaw.domain.clock import clock_time
from agencyclaw.domain.messages import message
from agencyclaw.domain.policy import Allow, Decision, Deny, decide_effect, help_with
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.consent_rules import pause_at
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database

PAUSED = "paused"


class Judge:
    """Judges by the present facts whether a person may bring about an effect in a place."""

    def __init__(self, db: Database, directory: DirectoryReader) -> None:
        self._db = db
        self._directory = directory

    async def judge(
        self, who: Identity, effect: Change, *, acted_at: datetime | None = None
    ) -> Decision:
        """Judge by pause, tier, place, switches and clients; refusals carry words for the person.

        An act made during a pause does not count after it either.
        """
        if paused := await paused_for(self._db, who, acted_at):
            return paused
        switches = await self._directory.switches(who.surface.team_id)
        decision = decide_effect(who.actor, who.surface, effect, switches)
        decision = decision if isinstance(decision, Deny) else await self._reached(who, effect)
        return await self.with_help(who, decision) if isinstance(decision, Deny) else decision

    async def with_help(self, who: Identity, denied: Deny) -> Deny:
        """Return a refusal that says also what an admin can change, and which, where one can."""
        admins = admins_among(await self._directory.people())
        helped = help_with(denied.reason, who.actor, who.surface, admins)
        return replace(denied, message=f"{denied.message} {helped}".rstrip())

    async def _reached(self, who: Identity, effect: Change) -> Decision:
        reach = {client.id for client in await self._directory.clients(who.actor)}
        lost = [client.name for client in effect.clients if client.id not in reach]
        if not lost:
            return Allow()
        return Deny("client_out_of_reach", message("judge.not_among_your_active", lost=lost[0]))


async def paused_for(db: Database, who: Identity, acted_at: datetime | None = None) -> Deny | None:
    """Return why nothing is carried out in a workspace during a pause; None without one."""
    pause = await pause_at(db, who.surface.team_id, acted_at)
    if pause is None:
        return None
    at = clock_time(pause.paused_at, who.actor.timezone)
    return Deny(PAUSED, message("judge.paused_at_nothing_carried", by=pause.by, at=at))
