"""Acts of who runs us, outside Slack: by the first super admin, and their own consent."""

from __future__ import annotations

from uuid import UUID, uuid4

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


async def first_super_admin(
    directory: DirectoryReader, super_admins: frozenset[UUID]
) -> Actor | None:
    """Return the first super admin at work; None if there is none."""
    return next(iter(await super_admins_at_work(directory, super_admins)), None)


async def super_admins_at_work(
    directory: DirectoryReader, super_admins: frozenset[UUID]
) -> list[Actor]:
    """Return the super admins who have not left, sorted by name."""
    return [
        Actor(
            profile_id=person.profile_id,
            name=person.name,
            tier=Tier.SUPER_ADMIN,
            slack_user_id=person.facts.slack or "",
            timezone=person.facts.timezone or "UTC",
        )
        for person in await directory.team()
        if person.profile_id in super_admins and person.facts.employment != "inactive"
    ]


def immediate_effects(db: Database, directory: DirectoryReader) -> ImmediateEffects:
    """Return what carries out changes of our own records."""
    return ImmediateEffects(db, Judge(db, directory), EffectHandlers(*database_handlers()))


def at_terminal(actor: Actor) -> Identity:
    """Return who acts there."""
    surface = Surface(kind=SurfaceKind.TERMINAL, scope=ScopeKind.INTERNAL, team_id=TERMINAL)
    return Identity(actor, surface)


def terminal_act(place: str, words: str, actor: Actor, key: str = "") -> Incoming:
    """Return an act in a place of its own; the same `key` there is the same act."""
    channel_id = f"{TERMINAL}:{place}"
    return Incoming(
        key=f"{channel_id}:{key or uuid4()}",
        source="terminal",
        kind=ReceiptKind.COMMAND,
        place=Place(team_id=TERMINAL, channel_id=channel_id, thread_ts=place, is_direct=True),
        slack_ts="0",
        slack_user_id=actor.slack_user_id,
        text=words,
        carries=(),
    )
