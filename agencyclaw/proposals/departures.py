"""Ends proposals that nobody can press any more: a person left, or a channel was archived."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.proposals import notices
from agencyclaw.proposals.cards import redraw
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.homes import wake_homes
from agencyclaw.store.outbox import post
from agencyclaw.store.proposal_states import end_waiting

ARCHIVED = "channel_archived"
LEFT = "person_left"


@dataclass(frozen=True)
class Departures:
    """Ends open proposals as soon as Slack reports that nobody can confirm them."""

    db: Database

    async def archived(self, team_id: str, channel_id: str) -> None:
        """End the open proposals of an archived channel, and notify those who asked for them."""
        async with self.db.transaction() as conn:
            ended = await end_waiting(conn, team_id, ARCHIVED, channel_id=channel_id)
            # Those of all people at once, because each redraw would take its own in another order.
            await wake_homes(conn, team_id, tuple(proposal.id for proposal in ended))
            for proposal in ended:
                await self._end(conn, proposal, ARCHIVED)
            for user in sorted({proposal.actor_slack_user_id for proposal in ended}):
                theirs = [proposal for proposal in ended if proposal.actor_slack_user_id == user]
                await _tell(conn, Place.home_tab(team_id), theirs, notices.channel_archived(theirs))

    async def left(self, team_id: str, slack_user_id: str, *, is_gone: bool) -> None:
        """End the open proposals of a former full member; one who became a guest is notified."""
        async with self.db.transaction() as conn:
            ended = await end_waiting(conn, team_id, LEFT, slack_user_id=slack_user_id)
            for proposal in ended:
                await self._end(conn, proposal, LEFT)
            if ended and not is_gone:
                await _tell(conn, Place.home_tab(team_id), ended, notices.person_left(ended))

    async def _end(self, conn: Connection, proposal: Proposal, reason: str) -> None:
        await redraw(conn, proposal)
        await record_event(
            conn,
            "proposal_ended",
            reason=reason,
            actor=proposal.actor_profile_id,
            slack_user_id=proposal.actor_slack_user_id,
            proposal_id=proposal.id,
        )


async def _tell(conn: Connection, place: Place, ended: list[Proposal], text: str) -> None:
    await post(
        conn,
        key=f"departed:{ended[0].id}",
        kind=OutboxKind.EPHEMERAL,
        place=place,
        note=Note(text=text),
        slack_user_id=ended[0].actor_slack_user_id,
    )
