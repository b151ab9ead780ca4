"""What Slack lets our app do: the scopes our manifest asks for, and what fails without each."""

from __future__ import annotations

import json
from collections.abc import Set
from importlib.resources import files

_FEATURES = {
    "app_mentions:read": "mentioning the assistant in channels",
    "assistant:write": "the agent view with its sentences to begin with",
    "channels:history": "threads of public channels, and a plain yes in them",
    "channels:read": "public channels: who reads along, archived and shared ones",
    "chat:write": "answers, cards and receipts",
    "commands": "the command /claw",
    "groups:history": "threads of private channels, and a plain yes in them",
    "groups:read": "private channels: who reads along, archived and shared ones",
    "im:history": "direct messages, and a plain yes in them",
    "im:read": "telling a direct message from a channel",
    "im:write": "beginning a direct message: /claw ask, and notes of what ended",
    "mpim:history": "group messages, and a plain yes in them",
    "mpim:read": "telling a group message from a channel",
    "users:read": "everything: nobody's membership can be checked",
}


def needed_scopes() -> list[str]:
    """Return the bot scopes of our manifest, which a test compares with what the code calls."""
    manifest = files("agencyclaw.slack").joinpath("manifest.json").read_text(encoding="utf-8")
    return json.loads(manifest)["oauth_config"]["scopes"]["bot"]


def missing_scopes(granted: Set[str]) -> list[str]:
    """Return what an installation lacks; nothing where Slack did not say what it has."""
    return [scope for scope in needed_scopes() if scope not in granted] if granted else []


def feature_of(scope: str) -> str:
    """Return what does not work without a scope, in words for an admin."""
    return _FEATURES[scope]
