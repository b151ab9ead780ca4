"""Rate limits towards Slack, per method and workspace.

Required calls wait for their turn; optional ones are dropped if there is no capacity. Several
processes of a workspace share Slack's limit but not these buckets: a call that is too fast
nevertheless is delayed by Slack's own Retry-After (`hold`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiolimiter import AsyncLimiter

from agencyclaw.domain.errors import Throttled

PATIENCE_S = 5.0
# The part of a method's capacity that optional calls leave to required ones.
_RESERVED = 1 / 10
# The part of a minute's calls that may come at once; the rest is spread over the minute.
_BURST = 1 / 5
# One message a second in each channel, as Slack says, with short bursts: a card in five parts.
_CHANNEL_BURST, _CHANNEL_S = 5, 5.0
_CHANNELS_KNOWN = 1_000

_POST = "chat.postMessage"
_TIER_2, _TIER_3, _TIER_4 = 20, 50, 100
# Calls a minute, as each method's page says. Where it names no number ("special"), a workspace's
# "several hundred messages a minute" stand for it.
PER_MINUTE: Mapping[str, int] = {
    "auth.test": _TIER_4,
    "chat.postMessage": 300,
    "chat.postEphemeral": _TIER_4,
    "chat.update": _TIER_3,
    "chat.delete": _TIER_3,
    "chat.unfurl": _TIER_3,
    "chat.startStream": _TIER_2,
    "chat.appendStream": _TIER_4,
    "chat.stopStream": _TIER_2,
    "conversations.history": _TIER_3,
    "conversations.replies": _TIER_3,
    "conversations.open": _TIER_3,
    "conversations.info": _TIER_3,
    "conversations.members": _TIER_4,
    "assistant.search.context": _TIER_2,
    "assistant.threads.setStatus": 300,
    "agents.sessions.setStatus": _TIER_3,
    "assistant.threads.setSuggestedPrompts": _TIER_3,
    "files.getUploadURLExternal": _TIER_4,
    "files.completeUploadExternal": _TIER_4,
    "files.info": _TIER_4,
    "users.conversations": _TIER_3,
    "users.info": _TIER_4,
    "users.list": _TIER_2,
    "views.open": _TIER_4,
    "views.update": _TIER_4,
    "views.publish": _TIER_4,
}


def _bucket(per_minute: int) -> AsyncLimiter:
    """Return a bucket whose burst and steady rate together stay within the minute's number."""
    burst = max(1, int(per_minute * _BURST))
    return AsyncLimiter(burst, burst * 60 / (per_minute - burst))


@dataclass
class Pace:
    """Paces the calls of one workspace, each method on its own."""

    patience_s: float = PATIENCE_S
    _methods: dict[str, AsyncLimiter] = field(default_factory=dict[str, AsyncLimiter])
    _channels: dict[str, AsyncLimiter] = field(default_factory=dict[str, AsyncLimiter])
    _held_until: dict[str, float] = field(default_factory=dict[str, float])

    def has_capacity(self, method: str) -> bool:
        """Return whether an optional call may be made now, with room left for required ones."""
        bucket = self._of(method)
        return not self._left(method) and bucket.has_capacity(1 + bucket.max_rate * _RESERVED)

    async def wait_for_capacity(self, method: str) -> None:
        """Wait until an optional call could be made, without using it up."""
        while not self.has_capacity(method):  # noqa: ASYNC110  (a bucket tells nobody)
            await asyncio.sleep(max(self._left(method), 60 / PER_MINUTE[method]))

    async def acquire(self, method: str, channel: str = "") -> None:
        """Wait for a call's turn; raises Throttled, with nothing sent, if that would take long."""
        left = self._left(method)
        if left > self.patience_s:
            raise Throttled(f"{method}: Slack asked to wait, {left:.1f} s left", after=left)
        try:
            async with asyncio.timeout(self.patience_s):
                await asyncio.sleep(left)
                if method == _POST:
                    await self._of_channel(channel).acquire()
                await self._of(method).acquire()
        except TimeoutError:
            raise Throttled(f"{method}: others are before it", after=self.patience_s) from None

    def pause(self, method: str, after_s: float) -> None:
        """Pause a method for the time that Slack demanded."""
        until = asyncio.get_running_loop().time() + after_s
        self._held_until[method] = max(until, self._held_until.get(method, 0.0))

    def _left(self, method: str) -> float:
        until = self._held_until.get(method)
        return 0.0 if until is None else max(0.0, until - asyncio.get_running_loop().time())

    def _of(self, method: str) -> AsyncLimiter:
        bucket = self._methods.get(method)
        return bucket or self._methods.setdefault(method, _bucket(PER_MINUTE[method]))

    def _of_channel(self, channel: str) -> AsyncLimiter:
        bucket = self._channels.pop(channel, None) or AsyncLimiter(_CHANNEL_BURST, _CHANNEL_S)
        # In the order of their last use: the first one is dropped.
        self._channels[channel] = bucket
        if len(self._channels) > _CHANNELS_KNOWN:
            del self._channels[next(iter(self._channels))]
        return bucket
