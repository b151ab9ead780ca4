"""What happens to Slack itself: people leave, channels change, the app is taken out.

What was believed of them is believed no more; who acts next is asked about anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import logfire

from agencyclaw.slack.ports import Beliefs

_OF_CHANNELS: Mapping[str, str | None] = {
    "channel_archive": "channels:read",
    "channel_rename": "channels:read",
    "channel_shared": "channels:read",
    "channel_unarchive": "channels:read",
    "channel_unshared": "channels:read",
    "group_archive": "groups:read",
    "group_rename": "groups:read",
    "group_unarchive": "groups:read",
}
# What we subscribe to, and the scope each needs.
EVENTS: Mapping[str, str | None] = {
    **_OF_CHANNELS,
    "agent_session_stopped": None,
    "app_home_opened": None,
    "app_mention": "app_mentions:read",
    "app_uninstalled": None,
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "tokens_revoked": None,
    "user_change": "users:read",
}
_REMEDY = "Install the app in Slack again, and put its new bot token into SLACK_BOT_TOKEN."


class Life:
    """Hears of changes to people, channels and the app."""

    def __init__(self, beliefs: Beliefs) -> None:
        self._beliefs = beliefs

    async def hear(self, event: dict[str, Any], team_id: str) -> bool:
        """Note a change; False where the event tells of none."""
        kind = str(event.get("type") or "")
        if kind == "user_change":
            await self._beliefs.drop_member(team_id, _id_of(event.get("user")))
        elif kind in _OF_CHANNELS:
            await self._beliefs.drop_channel(team_id, _id_of(event.get("channel")))
        elif kind in ("tokens_revoked", "app_uninstalled"):
            logfire.error("slack.taken_out", kind=kind, remedy=_REMEDY)
        else:
            return False
        return True


def team_of(body: dict[str, Any]) -> str:
    """Return the workspace where we are installed; in a shared channel events tell of others."""
    granted: list[dict[str, Any]] = body.get("authorizations") or []
    own = granted[0].get("team_id") if granted else None
    return str(own or body.get("team_id") or "")


def _id_of(node: object) -> str:
    """Some events name a thing by its id, and some carry it whole."""
    if isinstance(node, dict):
        return str(cast("dict[str, object]", node).get("id") or "")
    return str(node or "")
