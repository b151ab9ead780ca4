"""The token that comes with a message to the app and lets it search for who wrote it."""

from typing import Any

from workbench.slack.records import new_id
from workbench.storage import Storage

_TOKENS = "slack/action_tokens"


def with_action_token(storage: Storage, event: dict[str, Any]) -> dict[str, Any]:
    """Return an event with a fresh token, where a person wrote to the app."""
    if not event.get("user") or event.get("bot_id"):
        return event
    token = new_id("")
    storage.put(_TOKENS, token, {})
    return event | {"assistant_thread": {"action_token": token}}


def is_action_token(storage: Storage, token: str) -> bool:
    return storage.get(_TOKENS, token) is not None
