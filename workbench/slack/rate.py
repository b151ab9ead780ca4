"""Slack's rate limits: calls a minute for each method, by its documented tier."""

import math
from dataclasses import dataclass, field

from workbench.clock import MachineClock

_WINDOW_S = 60.0
_TIER_2, _TIER_3, _TIER_4 = 20, 50, 100
_HUNDREDS = 600
# Slack speaks of "several hundred messages a minute" in a workspace, and of one a second in each
# channel with short bursts (here: half as much again); its other special cases take "hundreds".
# Opening a connection is limited by how many may be open.
_PER_MINUTE = {
    "agents.sessions.rename": _TIER_3,
    "agents.sessions.setStatus": _TIER_3,
    "assistant.threads.setStatus": _HUNDREDS,
    "assistant.threads.setSuggestedPrompts": _TIER_3,
    "auth.test": _HUNDREDS,
    "bots.info": _TIER_3,
    "chat.appendStream": _TIER_4,
    "chat.delete": _TIER_3,
    "chat.getPermalink": _HUNDREDS,
    "chat.unfurl": _TIER_3,
    "chat.postEphemeral": _TIER_4,
    "chat.postMessage": 300,
    "chat.startStream": _TIER_2,
    "chat.stopStream": _TIER_2,
    "chat.update": _TIER_3,
    "conversations.history": _TIER_3,
    "assistant.search.context": _TIER_2,
    "conversations.info": _TIER_3,
    "conversations.list": _TIER_2,
    "conversations.members": _TIER_4,
    "conversations.open": _TIER_3,
    "conversations.replies": _TIER_3,
    "files.completeUploadExternal": _TIER_4,
    "files.getUploadURLExternal": _TIER_4,
    "files.info": _TIER_4,
    "reactions.add": _TIER_3,
    "team.info": _TIER_3,
    "users.conversations": _TIER_3,
    "users.info": _TIER_4,
    "users.list": _TIER_2,
    "users.lookupByEmail": _TIER_3,
    "views.open": _TIER_4,
    "views.publish": _TIER_4,
    "views.push": _TIER_4,
    "views.update": _TIER_4,
}
_POST = "chat.postMessage"
_CHANNEL_WINDOW_S, _PER_CHANNEL = 10.0, 15


@dataclass
class _Window:
    opened: float
    used: int = 0


@dataclass
class SlackRate:
    """Counts each method's calls per minute; counts nothing until switched on."""

    clock: MachineClock
    is_on: bool = False
    _windows: dict[str, _Window] = field(default_factory=dict[str, _Window])

    def switch(self, *, is_on: bool) -> None:
        """Apply the limits from now on, or stop; the counts are reset."""
        self.is_on = is_on
        self._windows.clear()

    def refuse(self, method: str, channel: str) -> int | None:
        """Count a call; returns the seconds to wait if it is beyond the limit, else None."""
        if not self.is_on:
            return None
        wait = self._count(method, _PER_MINUTE.get(method, math.inf), _WINDOW_S)
        if wait is None and method == _POST:
            wait = self._count(f"{method} {channel}", _PER_CHANNEL, _CHANNEL_WINDOW_S)
        return wait

    def _count(self, key: str, limit: float, seconds: float) -> int | None:
        now = self.clock.now()
        window = self._windows.get(key)
        if window is None or now - window.opened >= seconds:
            window = self._windows[key] = _Window(now)
        if window.used >= limit:
            return max(1, math.ceil(window.opened + seconds - now))
        window.used += 1
        return None
