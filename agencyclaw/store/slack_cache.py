"""Caches Slack's answers about people and channels, until they are old or known to be outdated.

Hot path: every message.
"""

from __future__ import annotations

from datetime import datetime

from agencyclaw.domain.people import ChannelFacts, ChannelKind, Membership
from agencyclaw.store.engine import Database

_MEMBER = """
select membership from slack_members
where team_id = $1 and slack_user_id = $2 and asked_at > now() - make_interval(secs => $3)
"""

# The row exists before the question is asked, so that a change which Slack reports meanwhile can be
# recorded on it.
_ASK_ABOUT_MEMBER = """
with asked as (
  insert into slack_members (team_id, slack_user_id) values ($1, $2)
  on conflict (team_id, slack_user_id) do nothing
)
select clock_timestamp()
"""

_KEEP_MEMBER = """
update slack_members set membership = $3, asked_at = $4
where team_id = $1 and slack_user_id = $2 and (asked_at is null or asked_at <= $4)
"""

_DROP_MEMBER = """
update slack_members set membership = null, asked_at = clock_timestamp()
where team_id = $1 and slack_user_id = $2
"""

_CHANNEL = """
select kind, name, is_shared, is_archived from slack_channels
where team_id = $1 and channel_id = $2
  and (asked_at > now() - make_interval(secs => $3) or kind = 'im')
"""

_ASK_ABOUT_CHANNEL = """
with asked as (
  insert into slack_channels (team_id, channel_id) values ($1, $2)
  on conflict (team_id, channel_id) do nothing
)
select clock_timestamp()
"""

_KEEP_CHANNEL = """
update slack_channels
set kind = $3, name = $4, is_shared = $5, is_archived = $6, asked_at = $7
where team_id = $1 and channel_id = $2 and greatest(asked_at, changed_at, $7) = $7
"""

_KEEP_KIND = """
insert into slack_channels (team_id, channel_id, kind) values ($1, $2, $3)
on conflict (team_id, channel_id) do update set kind = excluded.kind
where slack_channels.kind is distinct from excluded.kind
"""

_DROP_CHANNEL = """
update slack_channels set asked_at = null, changed_at = clock_timestamp(),
  is_shared = is_shared or $3
where team_id = $1 and channel_id = $2
"""


class SlackCache:
    """Slack's answers as rows: they survive restarts and are dropped for all processes at once."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def member(self, team_id: str, slack_user_id: str, longest_s: float) -> Membership | None:
        """Return what Slack said about a person within the last `longest_s` seconds, else None."""
        value = await self._db.pool.fetchval(_MEMBER, team_id, slack_user_id, longest_s)
        return Membership(value) if value else None

    async def ask_about_member(self, team_id: str, slack_user_id: str) -> datetime:
        """Record that Slack is about to be asked; returns the time of the question."""
        return await self._db.pool.fetchval(_ASK_ABOUT_MEMBER, team_id, slack_user_id)

    async def keep_member(
        self, team_id: str, slack_user_id: str, membership: Membership, asked_at: datetime
    ) -> None:
        """Store Slack's answer, unless a change was reported after the question."""
        await self._db.pool.execute(
            _KEEP_MEMBER, team_id, slack_user_id, membership.value, asked_at
        )

    async def drop_member(self, team_id: str, slack_user_id: str) -> None:
        """Invalidate everything that Slack said about a person before now."""
        await self._db.pool.execute(_DROP_MEMBER, team_id, slack_user_id)

    async def channel(self, team_id: str, channel_id: str, longest_s: float) -> ChannelFacts | None:
        """Return what Slack said about a channel within the last `longest_s` seconds, else None.

        A direct message never changes, so its answer does not expire.
        """
        row = await self._db.pool.fetchrow(_CHANNEL, team_id, channel_id, longest_s)
        return ChannelFacts(**row) if row else None

    async def ask_about_channel(self, team_id: str, channel_id: str) -> datetime:
        """Record that Slack is about to be asked; returns the time of the question."""
        return await self._db.pool.fetchval(_ASK_ABOUT_CHANNEL, team_id, channel_id)

    async def keep_channel(
        self, team_id: str, channel_id: str, facts: ChannelFacts, asked_at: datetime
    ) -> None:
        """Store Slack's answer, unless a change was reported after the question."""
        await self._db.pool.execute(
            _KEEP_CHANNEL,
            team_id,
            channel_id,
            facts.kind.value,
            facts.name,
            facts.is_shared,
            facts.is_archived,
            asked_at,
        )

    async def keep_kind(self, team_id: str, channel_id: str, kind: ChannelKind) -> None:
        """Store the kind of channel a message came from; this says nothing about its members."""
        await self._db.pool.execute(_KEEP_KIND, team_id, channel_id, kind.value)

    async def kind(self, team_id: str, channel_id: str) -> ChannelKind | None:
        """Return the kind of channel that Slack reported last."""
        value = await self._db.pool.fetchval(
            "select kind from slack_channels where team_id = $1 and channel_id = $2",
            team_id,
            channel_id,
        )
        return ChannelKind(value) if value else None

    async def drop_channel(self, team_id: str, channel_id: str, *, is_shared: bool = False) -> None:
        """Invalidate everything that Slack said about a channel before now.

        One that `is_shared` with another company from now on counts as shared until Slack is asked.
        """
        await self._db.pool.execute(_DROP_CHANNEL, team_id, channel_id, is_shared)
