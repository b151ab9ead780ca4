"""The app's installation: the scopes of its token.

Only the methods whose missing scopes are played here are listed; all others are always allowed.
"""

from collections.abc import Sequence

from workbench.slack.refusals import SlackRefusal
from workbench.storage import Document, Storage

# The scopes of which a method needs at least one; methods that need none are left out.
_NEEDS = {
    "chat.unfurl": ("links:write",),
    "conversations.history": ("channels:history",),
    "conversations.info": ("channels:read",),
    "conversations.members": ("channels:read",),
    "conversations.open": ("im:write",),
    "conversations.replies": ("channels:history",),
    "assistant.threads.setSuggestedPrompts": ("assistant:write",),
    "assistant.search.context": ("search:read.public",),
    "files.completeUploadExternal": ("files:write",),
    "files.getUploadURLExternal": ("files:write",),
    "files.info": ("files:read",),
    "users.conversations": ("channels:read",),
    "users.info": ("users:read",),
    "users.list": ("users:read",),
}


def change_installation(storage: Storage, *, lacks: Sequence[str]) -> None:
    """Reinstall the app without the scopes `lacks`."""
    storage.put("slack/meta", "install", {"lacks": list(lacks)})


def granted(storage: Storage, scopes: str) -> str:
    """Return `scopes` without the missing ones, comma-separated as in X-OAuth-Scopes."""
    lacks = _installed(storage)["lacks"]
    return ",".join(scope for scope in scopes.split(",") if scope not in lacks)


def has_scope(storage: Storage, scope: str) -> bool:
    """Return whether the app was installed with a scope."""
    return scope not in _installed(storage)["lacks"]


def check_installation(storage: Storage, method: str) -> None:
    """Raise SlackRefusal if the token lacks the method's scope."""
    needed, lacks = _NEEDS.get(method, ()), _installed(storage)["lacks"]
    if needed and all(scope in lacks for scope in needed):
        raise SlackRefusal("missing_scope", needed=",".join(needed))


def _installed(storage: Storage) -> Document:
    return storage.get("slack/meta", "install") or {"lacks": []}
