"""Slack's refusals: `{"ok": false, "error": ...}` with HTTP 200."""

from collections.abc import Sequence
from typing import Any


class SlackRefusal(Exception):
    """A refusal; raised by a method, written by the dispatcher."""

    def __init__(self, error: str, messages: Sequence[str] = (), **details: Any) -> None:
        super().__init__(error)
        self.error = error
        self.messages = list(messages)
        self.details = details

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"ok": False, "error": self.error, **self.details}
        if self.messages:
            body["response_metadata"] = {"messages": [f"[ERROR] {text}" for text in self.messages]}
        return body
