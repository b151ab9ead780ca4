"""What ends with a person's membership or with a channel: proposals that nobody could press."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.proposals import words
from agencyclaw.proposals.cards import redraw
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.outbox import post
from agencyclaw.store.proposal_states import end_of_channel, end_of_person

ARCHIVED, LEFT = "channel_archived", "person_left"


@dataclass(frozen=True)
class Departures:
    """Ends what waits as soon as Slack tells that nobody can release it any more."""

    db: Database

    async def archived(self, team_id: str, channel_id: str) -> None:
        """End what waits in a channel that was archived, and tell each who asked for it."""
        async with self.db.transaction() as conn:
            ended = await end_of_channel(conn, team_id, channel_id, ARCHIVED)
            for proposal in ended:
                await self._end(conn, proposal, ARCHIVED)
            for user in sorted({one.actor_slack_user_id for one in ended}):
                theirs = [one for one in ended if one.actor_slack_user_id == user]
                await _tell(conn, Place.home_tab(team_id), theirs, words.archived(theirs))

    async def left(self, team_id: str, slack_user_id: str, *, is_gone: bool) -> None:
        """End what waits for somebody who is no full member any more; a guest is told so."""
        async with self.db.transaction() as conn:
            ended = await end_of_person(conn, team_id, slack_user_id, LEFT)
            for proposal in ended:
                await self._end(conn, proposal, LEFT)
            if ended and not is_gone:
                await _tell(conn, Place.home_tab(team_id), ended, words.left(ended))

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
