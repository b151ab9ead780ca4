"""The scopes our manifest asks for, and what fails without each."""

from __future__ import annotations

import json
from collections.abc import Set
from importlib.resources import files

from agencyclaw.domain.messages import message

_FEATURES = {
    "app_mentions:read": message("scopes.app_mentions_read"),
    "assistant:write": message("scopes.assistant_write"),
    "channels:history": message("scopes.channels_history"),
    "channels:read": message("scopes.channels_read"),
    "chat:write": message("scopes.chat_write"),
    "commands": message("scopes.commands"),
    "files:read": message("scopes.files_read"),
    "files:write": message("scopes.files_write"),
    "groups:history": message("scopes.groups_history"),
    "groups:read": message("scopes.groups_read"),
    "im:history": message("scopes.im_history"),
    "im:read": message("scopes.im_read"),
    "im:write": message("scopes.im_write"),
    "links:read": message("scopes.links_read"),
    "links:write": message("scopes.links_write"),
    "mpim:history": message("scopes.mpim_history"),
    "mpim:read": message("scopes.mpim_read"),
    "search:read.public": message("scopes.search_read_public"),
    "users:read": message("scopes.users_read"),
    "users:read.email": message("scopes.users_read_email"),
}


def needed_scopes() -> list[str]:
    """Return the manifest's bot scopes, which a test compares with the methods we call."""
    manifest = files("agencyclaw.slack").joinpath("manifest.json").read_text(encoding="utf-8")
    return json.loads(manifest)["oauth_config"]["scopes"]["bot"]


def missing_scopes(granted: Set[str]) -> list[str]:
    """Return what an installation lacks; empty if Slack did not say what it has."""
    return [scope for scope in needed_scopes() if scope not in granted] if granted else []


def feature_of(scope: str) -> str:
    """Return what does not work without a scope, in words for an admin."""
    return _FEATURES[scope]
