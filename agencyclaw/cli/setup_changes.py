"""Carries out what `agencyclaw setup` was told, as changes by the person who runs it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from agencyclaw.cli.asking import Asking
from agencyclaw.domain.effects import Effect
from agencyclaw.domain.people import Actor, Place, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.proposals.database_handlers import database_handlers
from agencyclaw.proposals.handlers import EffectHandlers
from agencyclaw.proposals.identities import Identity
from agencyclaw.proposals.immediate import ImmediateEffects
from agencyclaw.proposals.judge import Judge
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import TERMINAL

_CHANNEL = f"{TERMINAL}:setup"


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
        team = await directory.team()
        person = next(
            (
                one
                for one in team
                if one.profile_id in super_admins and one.facts.employment != "inactive"
            ),
            None,
        )
        if person is None:
            return None
        actor = Actor(
            profile_id=person.profile_id,
            name=person.name,
            tier=Tier.SUPER_ADMIN,
            slack_user_id=person.facts.slack or "",
            timezone=person.facts.timezone or "UTC",
        )
        handlers = EffectHandlers(*database_handlers())
        immediate = ImmediateEffects(db, Judge(db, directory), handlers)
        return cls(asking, directory, actor, immediate)

    async def offer(self, effect: Effect) -> None:
        """Show all of a change as its card would, and carry it out if the answer is yes."""
        preview = effect.preview()
        rows = [f"{name}: {value}" for name, value in preview.fields]
        for line in (*rows, *preview.body.splitlines(), *preview.missing, *preview.against):
            self.asking.say(f"     {line}")
        if await self.asking.confirm(preview.headline):
            await self.carry_out(effect)

    async def carry_out(self, effect: Effect) -> bool:
        """Carry out a change, and print what came of it."""
        surface = Surface(kind=SurfaceKind.TERMINAL, scope=ScopeKind.INTERNAL, team_id=TERMINAL)
        result = await self._immediate.carry_out(self._act(), Identity(self.actor, surface), effect)
        first, *more = result.text.splitlines()
        mark = "ok  " if result.is_done else "BAD "
        self.asking.say("\n".join([f"{mark} {first}", *(f"     {line}" for line in more)]))
        return result.is_done

    def _act(self) -> Incoming:
        return Incoming(
            key=f"{_CHANNEL}:{uuid4()}",
            source="terminal",
            kind=ReceiptKind.COMMAND,
            place=Place(team_id=TERMINAL, channel_id=_CHANNEL, thread_ts="setup", is_direct=True),
            slack_ts="0",
            slack_user_id=self.actor.slack_user_id,
            text="setup",
            carries=(),
        )
