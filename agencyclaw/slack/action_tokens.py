"""The tokens with which a person's message lets us search in their name: kept for minutes only."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from pydantic import ValidationError

from agencyclaw.slack.payloads import Payload, Ts

_KNOWN = 500


class _AssistantThread(Payload):
    action_token: str


class _Bringing(Payload):
    """An event of a message that brings a token."""

    channel: str
    ts: Ts
    assistant_thread: _AssistantThread


class ActionTokens:
    """Remembers in this process alone which message brought which token; nothing is stored."""

    def __init__(self) -> None:
        self._of: OrderedDict[tuple[str, str], str] = OrderedDict()

    def note(self, event: Any) -> None:
        """Note the token of an event, where Slack sent one with it."""
        try:
            read = _Bringing.model_validate(event)
        except ValidationError:
            return
        self._of[read.channel, read.ts] = read.assistant_thread.action_token
        if len(self._of) > _KNOWN:
            self._of.popitem(last=False)

    def of(self, channel_id: str, ts: str) -> str | None:
        """Return the token that came with a message."""
        return self._of.get((channel_id, ts))
