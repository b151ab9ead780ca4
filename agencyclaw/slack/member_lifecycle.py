"""Handles changes in Slack: people leave, channels change, the app is removed.

Cached answers about them are dropped, so Slack is asked again at the next act.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import logfire
from pydantic import ValidationError

from agencyclaw.domain.people import Membership
from agencyclaw.proposals.departures import Departures
from agencyclaw.slack.members import SlackUser, membership_of
from agencyclaw.store.slack_cache import SlackCache

_CHANNEL_EVENTS: Mapping[str, str | None] = {
    "channel_archive": "channels:read",
    "channel_rename": "channels:read",
    "channel_shared": "channels:read",
    "channel_unarchive": "channels:read",
    "channel_unshared": "channels:read",
    "group_archive": "groups:read",
    "group_rename": "groups:read",
    "group_unarchive": "groups:read",
}
_ARCHIVED = frozenset({"channel_archive", "group_archive"})
# What we subscribe to, and the scope each needs.
EVENTS: Mapping[str, str | None] = {
    **_CHANNEL_EVENTS,
    "agent_session_stopped": None,
    "app_home_opened": None,
    "app_mention": "app_mentions:read",
    "app_uninstalled": None,
    "link_shared": "links:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "tokens_revoked": None,
    "user_change": "users:read",
}
_REMEDY = "Install the app in Slack again, and put its new bot token into SLACK_BOT_TOKEN."


class MemberLifecycle:
    """Handles events about people, channels and the app."""

    def __init__(self, slack_cache: SlackCache, departures: Departures) -> None:
        self._slack_cache = slack_cache
        self._departures = departures

    async def handle(self, event: dict[str, Any], team_id: str) -> bool:
        """Handle an event; False if it reports no such change."""
        kind = str(event.get("type") or "")
        if kind == "user_change":
            await self._slack_cache.drop_member(team_id, _id_of(event.get("user")))
            await self._end_proposals_of(event.get("user"), team_id)
        elif kind in _CHANNEL_EVENTS:
            channel_id, is_shared = _id_of(event.get("channel")), kind == "channel_shared"
            await self._slack_cache.drop_channel(team_id, channel_id, is_shared=is_shared)
            if kind in _ARCHIVED:
                await self._departures.archived(team_id, channel_id)
        elif kind in ("tokens_revoked", "app_uninstalled"):
            logfire.error("slack.taken_out", kind=kind, remedy=_REMEDY)
        else:
            return False
        return True

    async def _end_proposals_of(self, user_data: object, team_id: str) -> None:
        """End the proposals of a person who is no full member any more."""
        try:
            user = SlackUser.model_validate(user_data)
        except ValidationError:
            return
        membership = membership_of(user, team_id)
        if membership is not Membership.MEMBER:
            is_gone = membership is Membership.GONE
            await self._departures.left(team_id, user.id, is_gone=is_gone)


def team_of(body: dict[str, Any]) -> str:
    """Return the workspace where we are installed; in a shared channel events name others."""
    authorizations: list[dict[str, Any]] = body.get("authorizations") or [{}]
    return str(authorizations[0].get("team_id") or body.get("team_id") or "")


def _id_of(node: object) -> str:
    """Return an id; some events have it alone, some the whole object."""
    if isinstance(node, dict):
        return str(cast("dict[str, object]", node).get("id") or "")
    return str(node or "")
