"""Rules set by admins: where a yes in words is allowed, and where every effect needs a press."""

from __future__ import annotations

from typing import Literal, NamedTuple
from uuid import UUID

from agencyclaw.domain.people import Place
from agencyclaw.store.engine import Connection, Database

RuleScope = Literal["workspace", "client", "channel"]
Policy = Literal["words", "press"]

_RULES = """
select coalesce(bool_or(policy = 'press'), false) as takes_press,
  coalesce(bool_or(policy = 'words' and scope = 'channel'), false) as allows_words
from consent_rules
where team_id = $1 and (scope = 'workspace' or scope = 'channel' and scope_id = $2
  or scope = 'client' and scope_id = $3)
"""

_SET = """
insert into consent_rules (team_id, scope, scope_id, policy, set_by) values ($1, $2, $3, $4, $5)
on conflict (team_id, scope, scope_id) do update set policy = $4, set_by = $5, set_at = now()
"""


class Rules(NamedTuple):
    """The rules of a place: the strictest of workspace, client and channel."""

    takes_press: bool
    allows_words: bool


async def read_rules(db: Database, place: Place, client_id: UUID | None) -> Rules:
    """Return the rules for a place and a client."""
    client = str(client_id) if client_id else None
    row = await db.pool.fetchrow(_RULES, place.team_id, place.channel_id, client)
    return Rules(row["takes_press"], row["allows_words"])


async def set_rule(
    conn: Connection, team_id: str, scope: RuleScope, scope_id: str, policy: Policy, by: UUID
) -> None:
    """Store an admin's rule."""
    await conn.execute(_SET, team_id, scope, scope_id, policy, by)


async def drop_rule(conn: Connection, team_id: str, scope: RuleScope, scope_id: str) -> None:
    """Delete a rule, so that the default applies again."""
    await conn.execute(
        "delete from consent_rules where team_id = $1 and scope = $2 and scope_id = $3",
        team_id,
        scope,
        scope_id,
    )
