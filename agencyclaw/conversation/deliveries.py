"""Results that a machine brings, by the command line or over HTTP; no model can reach it.

Whoever set the token, or runs the command, consents to what comes through: results alone,
each delivery once, all of it or nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from agencyclaw.conversation.terminal_acts import (
    at_terminal,
    first_super_admin,
    immediate_effects,
    terminal_act,
)
from agencyclaw.domain.errors import Misconfigured, Refused
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.text import digest
from agencyclaw.proposals.immediate import ImmediateResult
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.receipts import Receipts, keep_settled
from agencyclaw.tools.imports import plan_delivery


@dataclass(frozen=True)
class Deliveries:
    """Takes deliveries of results in the name of the first super admin."""

    db: Database
    super_admins: frozenset[UUID]

    async def take(self, file: TextFile, key: str) -> str:
        """Record what a file brings, once for each key; returns what was done.

        One that came to nothing may be sent again. A key has no spaces, so the next one is free.
        Raises Refused, of which nothing was recorded.
        """
        directory = DirectoryReader(self.db)
        actor = await first_super_admin(directory, self.super_admins)
        if actor is None:
            raise Misconfigured(message("refused.deliveries.nobody"))
        act = terminal_act("results", digest([file.text]), actor, key)
        while before := await Receipts(self.db).held(act.key):
            if not await ProposalStore(self.db).came_to_nothing(act.key):
                return _repeated(before, act)
            act = act.model_copy(update={"key": f"{act.key} +"})
        result = await self._record(file, act, directory, actor)
        if not result.is_new and await Receipts(self.db).held(act.key):
            # Another delivery took the key in the same moment.
            return await self.take(file, key)
        if not result.is_done:
            raise Refused(result.text, reason="not_done")
        return result.text

    async def _record(
        self, file: TextFile, act: Incoming, directory: DirectoryReader, actor: Actor
    ) -> ImmediateResult:
        """Record what a file brings; the key is used up as well where that changes nothing."""
        try:
            plan = await plan_delivery(file, directory, actor, datetime.now(actor.zone).date())
        except Refused as refusal:
            if refusal.reason != "no_changes":
                raise
            async with self.db.transaction() as conn:
                is_new = await keep_settled(conn, act) is not None
            return ImmediateResult(message("deliveries.unchanged"), is_done=True, is_new=is_new)
        effects = immediate_effects(self.db, directory)
        return await effects.carry_out(act, at_terminal(actor), plan)


def _repeated(before: Incoming, act: Incoming) -> str:
    """Say that a delivery was taken before; raises Refused if it was another one."""
    if before.text != act.text:
        raise Refused(message("refused.deliveries.other"), reason="other_delivery")
    return message("deliveries.repeated")
