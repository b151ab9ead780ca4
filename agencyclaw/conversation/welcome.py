"""Welcomes a newcomer once: on opening the conversation, or after their first answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from agencyclaw.domain.clients import Client, admins_among
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place, Tier
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.domain.suggested_prompts import SuggestedPrompt
from agencyclaw.domain.text import first_few, one_line
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.jobs import is_local
from agencyclaw.store.outbox import post

_CLIENTS_AT_MOST = 5
_PROMPTS_AT_MOST = 3
_NAME_LIMIT = 60


@dataclass(frozen=True)
class Welcome:
    """Posts the welcome once for each person of a workspace, whichever they do first."""

    db: Database
    directory: DirectoryReader
    _met: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    async def post_once(
        self,
        place: Place,
        actor: Actor,
        clients: Sequence[Client],
        prompts: Sequence[SuggestedPrompt],
    ) -> None:
        """Post it, unless it was posted before; `clients` are those the person is assigned to."""
        lines = [
            *await self._lines(actor, clients),
            message("welcome.begin"),
            *(f"• {one.message}" for one in prompts[:_PROMPTS_AT_MOST]),
        ]
        async with self.db.transaction() as conn:
            await post_welcome(conn, place, actor.slack_user_id, Note(text="\n".join(lines)))

    async def after_first_answer(self, place: Place, actor: Actor, run_id: UUID) -> Note | None:
        """Return the welcome for below this run's answer; None for who was answered before.

        Who was welcomed already gets none either: that is found when it is posted.
        """
        person = (place.team_id, actor.slack_user_id)
        if is_local(place.team_id) or person in self._met:
            return None
        if await self.directory.was_answered(actor.profile_id, apart_from=run_id):
            self._met.add(person)
            return None
        clients = await self.directory.own_clients(actor.profile_id)
        return Note(text="\n".join(await self._lines(actor, clients)))

    async def _lines(self, actor: Actor, clients: Sequence[Client]) -> list[str]:
        """Say what it may do for this person, and how they say no."""
        return [
            message("welcome.hello", name=one_line(actor.name, _NAME_LIMIT)),
            await self._clients(actor, clients),
            _MAY[actor.tier],
            message("welcome.no"),
        ]

    async def _clients(self, actor: Actor, clients: Sequence[Client]) -> str:
        """Say whose work this person is shown."""
        if actor.tier >= Tier.ADMIN:
            return message("welcome.every_client")
        if not clients:
            admins = ", ".join(admins_among(await self.directory.people()))
            return message("welcome.no_client", admins=admins or message("welcome.an_admin"))
        names = [one_line(one.name, _NAME_LIMIT) for one in clients]
        return message("welcome.clients", names=first_few(names, _CLIENTS_AT_MOST))


async def post_welcome(conn: Connection, place: Place, slack_user_id: str, note: Note) -> None:
    """Post a welcome that only this person sees, unless they have had one."""
    await post(
        conn,
        key=f"welcome:{place.team_id}:{slack_user_id}",
        kind=OutboxKind.NOTICE if place.is_direct else OutboxKind.EPHEMERAL,
        place=place,
        note=note,
        slack_user_id=slack_user_id,
    )


_MAY = {
    Tier.VIEWER: message("welcome.viewer"),
    Tier.MEMBER: message("welcome.member"),
    Tier.ADMIN: message("welcome.admin"),
    Tier.SUPER_ADMIN: message("welcome.admin"),
}
