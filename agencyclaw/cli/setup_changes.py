"""Carries out what `agencyclaw setup` was told, as changes by the person who runs it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.cli.asking import Asking
from agencyclaw.conversation.terminal_acts import (
    at_terminal,
    first_super_admin,
    immediate_effects,
    terminal_act,
)
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.people import Actor
from agencyclaw.proposals.immediate import ImmediateEffects
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database


@dataclass(frozen=True)
class SetupChanges:
    """Changes the agency's records as a super admin whose answers are the consent.

    They pass the judge, are stored as proposals, and are audited, as a press on a card is.
    """

    asking: Asking
    directory: DirectoryReader
    actor: Actor
    _immediate: ImmediateEffects

    @classmethod
    async def by(
        cls, asking: Asking, db: Database, super_admins: frozenset[UUID]
    ) -> SetupChanges | None:
        """Return the changes by the first super admin at work; None if there is none."""
        directory = DirectoryReader(db)
        actor = await first_super_admin(directory, super_admins)
        return cls(asking, directory, actor, immediate_effects(db, directory)) if actor else None

    async def offer(self, effect: Effect) -> None:
        """Show all of a change as its card would, and carry it out if the answer is yes."""
        preview = effect.preview()
        rows = [f"{name}: {value}" for name, value in preview.fields]
        for part in (*rows, preview.body, *preview.missing, *preview.against):
            # Others wrote much of this: indented, no line of it reads as one of ours.
            for line in part.splitlines():
                self.asking.say(f"     {line}")
        if await self.asking.confirm(preview.headline):
            await self.carry_out(effect)

    async def carry_out(self, effect: Effect) -> bool:
        """Carry out a change, and print what came of it."""
        act = terminal_act("setup", "setup", self.actor)
        result = await self._immediate.carry_out(act, at_terminal(self.actor), effect)
        first, *more = result.text.splitlines()
        mark = "ok  " if result.is_done else "BAD "
        self.asking.say("\n".join([f"{mark} {first}", *(f"     {line}" for line in more)]))
        return result.is_done
