"""Whether a yes by words can count for a card as things stand; the word itself is judged anew."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.store.engine import Connection, Record

# Beside another card of this person in the conversation a yes could be meant for either.
_PRESS_ONLY = """
select p.id from proposals p where p.id = any($1) and (
  exists (
    select from proposals other where other.team_id = p.team_id
    and other.channel_id = p.channel_id and other.actor_profile_id = p.actor_profile_id
    and other.id <> p.id and other.state = 'open')
  or not p.is_direct and not exists (
    select from consent_rules where team_id = p.team_id and policy = 'words'
    and scope = 'channel' and scope_id = p.channel_id)
  or exists (
    select from consent_rules where team_id = p.team_id and policy = 'press' and (
      scope = 'workspace' or scope = 'channel' and scope_id = p.channel_id
      or scope = 'client' and scope_id = p.arguments #>> '{client,id}')))
"""


async def as_they_count(conn: Connection, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return proposals as a card may promise them: no `words_until` where a press is needed."""
    spoken = [one.id for one in proposals if one.state is ProposalState.OPEN and one.words_until]
    rows: list[Record] = await conn.fetch(_PRESS_ONLY, spoken) if spoken else []
    pressed = {row["id"] for row in rows}
    return [
        one.model_copy(update={"words_until": None}) if one.id in pressed else one
        for one in proposals
    ]
