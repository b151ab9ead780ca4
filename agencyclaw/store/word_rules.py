"""Whether a yes in words can count for a card now; the word itself is judged again."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.consent.reply import words_count
from agencyclaw.domain.press import WhyPress
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
    """Return proposals for a card: without `words_until`, and with why, if a press is needed."""
    return [await _ruled(db, one) for one in proposals]


async def _ruled(db: Database, proposal: Proposal) -> Proposal:
    why = await _why_press(db, proposal) if proposal.state is ProposalState.OPEN else None
    if why is None:
        return proposal
    return proposal.model_copy(update={"words_until": None, "why_press": why})


async def _why_press(db: Database, proposal: Proposal) -> WhyPress | None:
    if why := proposal.effect.why_press:
        return why
    if await db.pool.fetchval(_IS_BESIDE, proposal.id):
        return WhyPress.BESIDE
    clients = proposal.effect.clients
    rules = await read_rules(db, proposal.place, clients[0].id if clients else None)
    # Whether a channel is internal still is asked when the word is judged.
    may_count = words_count(
        is_own=proposal.place.is_direct,
        is_internal=True,
        takes_press=rules.takes_press,
        allows_words=rules.allows_words,
    )
    if not may_count:
        return WhyPress.ADMIN if rules.takes_press else WhyPress.CHANNEL
    if proposal.words_until is None:
        return WhyPress.TALK if proposal.press_only else WhyPress.KEPT
    return None
