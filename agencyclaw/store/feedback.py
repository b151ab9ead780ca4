"""Ratings of answers: one row per person and answer, deleted with its run."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.feedback import Complaint, RatingPress
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.store.engine import Database
from agencyclaw.store.person_names import FULL_NAME

# Only an answer that stands in this very channel can be rated there. Another thumb begins anew:
# what was wrong is no longer wrong, and nobody has looked at it yet.
_RATE = """
insert into answer_feedback as f (run_id, team_id, slack_user_id, profile_id, rating)
select r.id, $2::text, $4::text, $5, $6 from agent_runs r
where r.id = $1 and (r.output_payload ->> 'verified')::bool and exists (
  select from outbox o
  where o.run_id = r.id and o.kind = 'answer' and o.team_id = $2::text and o.channel_id = $3)
on conflict (run_id, slack_user_id) do update
set rating = excluded.rating, comment = '', rated_at = now(), handled_by = null, handled_at = null
where f.rating <> excluded.rating
"""

_COMMENT_SO_FAR = "select comment from answer_feedback where run_id = $1 and slack_user_id = $2"

_COMMENT = """
update answer_feedback
set comment = $3::text, rated_at = now(), handled_by = null, handled_at = null
where run_id = $1 and slack_user_id = $2 and rating = 'down' and comment <> $3::text
"""

# An admin sees complaints of people up to their own tier, about clients they may see. In a client's
# channel only those about that client are shown.
_SEEN_OF = """
with seen as (
  select f.*, coalesce(s.payload ->> 'text', '') as question,
    coalesce({name}, f.slack_user_id) as by, r.started_at,
    coalesce(o.body ->> 'text', '') as answer
  from answer_feedback f
  join agent_runs r on r.id = f.run_id
  join outbox o on o.run_id = r.id and o.kind = 'answer'
  left join slack_event_receipts s on s.id = r.receipt_id
  left join profiles p on p.id = f.profile_id
  left join playbook_sessions talk on talk.id = r.session_id
  where f.team_id = $1 and (r.input_payload ->> 'tier') = any($2::text[])
    and (($3::uuid is null and coalesce(r.input_payload ->> 'client', '') = any($4::text[])
          and coalesce(talk.active_client_id::text, '') = any($4::text[]))
      or r.input_payload ->> 'client' = $3::text)
)
"""
_SEEN = _SEEN_OF.format(name=FULL_NAME)
_QUEUE = """
select id, run_id, by, rated_at, question, answer, comment, count(*) over () as waiting
from seen where rating = 'down' and handled_at is null order by rated_at desc, id limit $5
"""
_HELPFUL = """
select count(*) from seen where rating = 'up' and rated_at > now() - interval '30 days'
"""
_SETTLE = """
update answer_feedback set handled_by = $5, handled_at = now()
where id = $6 and handled_at is null and id in (select id from seen)
"""


class FeedbackView(NamedTuple):
    """Which complaints a reader may see: up to which tier, and of which clients."""

    team_id: str
    tier: Tier
    client_ids: frozenset[UUID]
    only: UUID | None = None

    @property
    def arguments(self) -> tuple[str, list[str], UUID | None, list[str]]:
        """The first arguments of each statement; "" stands for “about no client”."""
        tiers = [one.label for one in Tier if one <= self.tier]
        return self.team_id, tiers, self.only, ["", *map(str, self.client_ids)]


class FeedbackStore:
    """Stores and reads ratings of answers."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def rate(self, rated: RatingPress, actor: Actor) -> str | None:
        """Store a thumb and return the comment with it; None if there is no such answer."""
        place = rated.place
        await self._db.pool.execute(
            _RATE,
            rated.run_id,
            place.team_id,
            place.channel_id,
            rated.slack_user_id,
            actor.profile_id,
            rated.rating.value,
        )
        return await self._db.pool.fetchval(_COMMENT_SO_FAR, rated.run_id, rated.slack_user_id)

    async def comment(self, run_id: UUID, slack_user_id: str, text: str) -> None:
        """Store what a person says was wrong with an answer they rated down."""
        await self._db.pool.execute(_COMMENT, run_id, slack_user_id, text)

    async def waiting(
        self, view: FeedbackView, limit: int
    ) -> tuple[tuple[Complaint, ...], int, int]:
        """Return the newest open complaints, their number, and how many answers helped."""
        rows = await self._db.pool.fetch(_SEEN + _QUEUE, *view.arguments, limit)
        helpful = await self._db.pool.fetchval(_SEEN + _HELPFUL, *view.arguments)
        complaints = tuple(
            Complaint(**{name: row[name] for name in Complaint.model_fields}) for row in rows
        )
        return complaints, rows[0]["waiting"] if rows else 0, helpful

    async def settle(self, view: FeedbackView, feedback_id: UUID, actor: Actor) -> None:
        """Mark a complaint as handled by somebody who may see it; the first one counts."""
        await self._db.pool.execute(_SEEN + _SETTLE, *view.arguments, actor.profile_id, feedback_id)
