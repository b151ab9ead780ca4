"""Welcomes a person who opens the conversation for the first time: what they may do here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agencyclaw.domain.clients import Client, admins_among
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place, Tier
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.domain.suggested_prompts import SuggestedPrompt
from agencyclaw.domain.text import one_line
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post

_CLIENTS_AT_MOST = 5
_PROMPTS_AT_MOST = 3
_NAME_LIMIT = 60


@dataclass(frozen=True)
class Welcome:
    """Posts the welcome once for each person of a workspace."""

    db: Database
    directory: DirectoryReader

    async def post_once(
        self,
        place: Place,
        actor: Actor,
        clients: Sequence[Client],
        prompts: Sequence[SuggestedPrompt],
    ) -> None:
        """Post it, unless it was posted before; `clients` are those the person is assigned to."""
        lines = [
            message("welcome.hello", name=one_line(actor.name, _NAME_LIMIT)),
            await self._clients(actor, clients),
            _MAY[actor.tier],
            message("welcome.no"),
            message("welcome.begin"),
            *(f"• {one.message}" for one in prompts[:_PROMPTS_AT_MOST]),
        ]
        async with self.db.transaction() as conn:
            await post(
                conn,
                key=f"welcome:{place.team_id}:{actor.slack_user_id}",
                kind=OutboxKind.NOTICE,
                place=place,
                note=Note(text="\n".join(lines)),
            )

    async def _clients(self, actor: Actor, clients: Sequence[Client]) -> str:
        """Say whose work this person is shown."""
        if actor.tier >= Tier.ADMIN:
            return message("welcome.every_client")
        if not clients:
            admins = ", ".join(admins_among(await self.directory.people()))
            return message("welcome.no_client", admins=admins or message("welcome.an_admin"))
        shown = ", ".join(one_line(one.name, _NAME_LIMIT) for one in clients[:_CLIENTS_AT_MOST])
        hidden = len(clients) - _CLIENTS_AT_MOST
        if hidden > 0:
            shown = message("built.and_more", shown=shown, hidden=hidden)
        return message("welcome.clients", names=shown)


_MAY = {
    Tier.VIEWER: message("welcome.viewer"),
    Tier.MEMBER: message("welcome.member"),
    Tier.ADMIN: message("welcome.admin"),
    Tier.SUPER_ADMIN: message("welcome.admin"),
}
