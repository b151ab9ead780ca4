"""What admins decided about consent: where words count, where a press is needed, and pauses.

Hot path: every card and every consent read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple
from uuid import UUID

from agencyclaw.domain.consent.reply import words_count
from agencyclaw.domain.people import Place
from agencyclaw.domain.press import PressReason
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.store.engine import Connection, Database, fetch_one
from agencyclaw.store.person_names import FULL_NAME

RuleScope = Literal["workspace", "client", "channel"]
Policy = Literal["words", "press"]

_RULES = """
select coalesce(bool_or(policy = 'press'), false) as takes_press,
  coalesce(bool_or(policy = 'words' and scope = 'channel'), false) as allows_words
from consent_rules
where team_id = $1 and (scope = 'workspace' or scope = 'channel' and scope_id = $2
  or scope = 'client' and scope_id = $3)
"""

_SET_RULE = """
insert into consent_rules (team_id, scope, scope_id, policy, set_by) values ($1, $2, $3, $4, $5)
on conflict (team_id, scope, scope_id) do update set policy = $4, set_by = $5, set_at = now()
"""
_DROP_RULE = "delete from consent_rules where team_id = $1 and scope = $2 and scope_id = $3"
# Beside another card of this person in the conversation a yes could be meant for either.
_IS_BESIDE = """
select exists (
  select from proposals other, proposals p where p.id = $1 and other.team_id = p.team_id
  and other.channel_id = p.channel_id and other.actor_profile_id = p.actor_profile_id
  and other.id <> p.id and other.state = 'open')
"""
# An act stored during a pause does not count after it either.
_PAUSE_AT = f"""
select {FULL_NAME} as by, pause.paused_at from execution_pauses pause
join profiles p on p.id = pause.paused_by
where pause.team_id = $1 and (pause.resumed_at is null
  or $2::timestamptz between pause.paused_at and pause.resumed_at)
order by pause.paused_at desc limit 1
"""  # noqa: S608
_BEGIN_PAUSE = """
insert into execution_pauses (team_id, paused_by) values ($1, $2)
on conflict (team_id) where resumed_at is null do nothing returning id
"""
_END_PAUSE = """
update execution_pauses set resumed_by = $2, resumed_at = now()
where team_id = $1 and resumed_at is null returning id
"""


class Rules(NamedTuple):
    """The rules of a place: the strictest of workspace, client and channel."""

    takes_press: bool
    allows_words: bool


async def read_rules(db: Database, place: Place, client_id: UUID | None) -> Rules:
    """Return the rules for a place and a client."""
    client = str(client_id) if client_id else None
    row = await fetch_one(db.pool, _RULES, place.team_id, place.channel_id, client)
    return Rules(**row)


async def set_rule(
    conn: Connection, team_id: str, scope: RuleScope, scope_id: str, policy: Policy, by: UUID
) -> None:
    """Store an admin's rule."""
    await conn.execute(_SET_RULE, team_id, scope, scope_id, policy, by)


async def drop_rule(conn: Connection, team_id: str, scope: RuleScope, scope_id: str) -> None:
    """Delete a rule, so that the default applies again."""
    await conn.execute(_DROP_RULE, team_id, scope, scope_id)


async def apply_word_rules(db: Database, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return proposals for a card: without `words_until`, and with why, if a press is needed."""
    return [await _ruled(db, one) for one in proposals]


async def _ruled(db: Database, proposal: Proposal) -> Proposal:
    why = await _why_press(db, proposal) if proposal.state is ProposalState.OPEN else None
    if why is None:
        return proposal
    return proposal.model_copy(update={"words_until": None, "press_reason": why})


async def _why_press(db: Database, proposal: Proposal) -> PressReason | None:
    if why := proposal.effect.press_reason:
        return why
    if await db.pool.fetchval(_IS_BESIDE, proposal.id):
        return PressReason.BESIDE
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
        return PressReason.ADMIN if rules.takes_press else PressReason.CHANNEL
    if proposal.words_until is None:
        return PressReason.TALK if proposal.press_only else PressReason.KEPT
    return None


class Pause(NamedTuple):
    """Who paused the workspace, and since when."""

    by: str
    paused_at: datetime


async def pause_at(db: Database, team_id: str, moment: datetime | None = None) -> Pause | None:
    """Return the pause that is on now, or was at that moment; None if there is none."""
    row = await db.pool.fetchrow(_PAUSE_AT, team_id, moment)
    return Pause(**row) if row else None


async def begin_pause(conn: Connection, team_id: str, by: UUID) -> bool:
    """Pause a workspace; False if it is paused already."""
    return await conn.fetchval(_BEGIN_PAUSE, team_id, by) is not None


async def end_pause(conn: Connection, team_id: str, by: UUID) -> bool:
    """End a workspace's pause; False if there is none."""
    return await conn.fetchval(_END_PAUSE, team_id, by) is not None
