"""Keeps the tokens of messages, with which Slack lets us search on behalf of their authors."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from pydantic import ValidationError

from agencyclaw.slack.payloads import Payload, Ts

_KEPT = 500


class _AssistantThread(Payload):
    action_token: str


class _EventWithToken(Payload):
    """A message event that carries a token."""

    channel: str
    ts: Ts
    assistant_thread: _AssistantThread


class ActionTokens:
    """Tokens by message, of the latest messages and in memory only."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[tuple[str, str], str] = OrderedDict()

    def note(self, event: Any) -> None:
        """Keep the token of an event, if it has one."""
        try:
            message = _EventWithToken.model_validate(event)
        except ValidationError:
            return
        self._tokens[message.channel, message.ts] = message.assistant_thread.action_token
        if len(self._tokens) > _KEPT:
            self._tokens.popitem(last=False)

    def of(self, channel_id: str, ts: str) -> str | None:
        """Return the token that came with a message."""
        return self._tokens.get((channel_id, ts))
