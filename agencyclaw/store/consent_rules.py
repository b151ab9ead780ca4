"""Where admins allow a yes by words, and where they want a press for everything."""

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
    """What holds in a place: the strictest of workspace, client and channel."""

    takes_press: bool
    allows_words: bool


async def read_rules(db: Database, place: Place, client_id: UUID | None) -> Rules:
    """Return what admins decided for a place and a client."""
    client = str(client_id) if client_id else None
    row = await db.pool.fetchrow(_RULES, place.team_id, place.channel_id, client)
    return Rules(row["takes_press"], row["allows_words"])


async def set_rule(
    conn: Connection, team_id: str, scope: RuleScope, scope_id: str, policy: Policy, by: UUID
) -> None:
    """Keep what an admin decided; a channel that belongs to nobody needs none."""
    await conn.execute(_SET, team_id, scope, scope_id, policy, by)


async def drop_rule(conn: Connection, team_id: str, scope: RuleScope, scope_id: str) -> None:
    """Go back to what holds without a decision."""
    await conn.execute(
        "delete from consent_rules where team_id = $1 and scope = $2 and scope_id = $3",
        team_id,
        scope,
        scope_id,
    )
