"""Whether a yes in words can count for a card now; the word itself is judged again."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.consent.reply import words_count
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.store.consent_rules import read_rules
from agencyclaw.store.engine import Database

# Beside another card of this person in the conversation a yes could be meant for either.
_IS_BESIDE = """
select exists (
  select from proposals other, proposals p where p.id = $1 and other.team_id = p.team_id
  and other.channel_id = p.channel_id and other.actor_profile_id = p.actor_profile_id
  and other.id <> p.id and other.state = 'open')
"""


async def apply_word_rules(db: Database, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return proposals for a card: without `words_until` if a press is needed."""
    return [
        one if await _keeps_words(db, one) else one.model_copy(update={"words_until": None})
        for one in proposals
    ]


async def _keeps_words(db: Database, proposal: Proposal) -> bool:
    if proposal.state is not ProposalState.OPEN or proposal.words_until is None:
        return True
    if await db.pool.fetchval(_IS_BESIDE, proposal.id):
        return False
    clients = proposal.effect.clients
    rules = await read_rules(db, proposal.place, clients[0].id if clients else None)
    # Whether a channel is internal still is asked when the word is judged.
    return words_count(
        is_own=proposal.place.is_direct,
        is_internal=True,
        takes_press=rules.takes_press,
        allows_words=rules.allows_words,
    )
