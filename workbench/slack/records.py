"""Stored records of the stand-in Slack: people, channels, messages, and their ids and times."""

import secrets
from typing import Any

from workbench.clock import MachineClock
from workbench.storage import Document, Storage

TEAM = "T0LANTERN"
APP = "A01CLAW"
BOT = "B01CLAW"
BOT_USER = "U01CLAW"

_USERS = "slack/users"
_CHANNELS = "slack/channels"


def new_id(prefix: str) -> str:
    """Return an id that stays unique after a reset, because receipts elsewhere remember it."""
    return prefix + secrets.token_hex(5).upper()


class SlackRecords:
    """Slack's tables, without rules about who may do what."""

    def __init__(self, storage: Storage, clock: MachineClock) -> None:
        self.storage = storage
        self.clock = clock

    def new_ts(self) -> str:
        """A message time: unique and increasing, also across restarts."""
        last = (self.storage.get("slack/meta", "last_ts") or {"value": 0})["value"]
        now = max(int(self.clock.now() * 1_000_000), last + 1)
        self.storage.put("slack/meta", "last_ts", {"value": now})
        return f"{now // 1_000_000}.{now % 1_000_000:06d}"

    def team(self) -> Document:
        return self.storage.get("slack/meta", "team") or {"id": TEAM}

    def user(self, user_id: str) -> Document | None:
        return self.storage.get(_USERS, user_id)

    def users(self) -> list[Document]:
        return self.storage.all(_USERS)

    def save_user(self, user: Document) -> None:
        self.storage.put(_USERS, user["id"], user)

    def channel(self, channel_id: str) -> Document | None:
        return self.storage.get(_CHANNELS, channel_id)

    def channels(self) -> list[Document]:
        return self.storage.all(_CHANNELS)

    def save_channel(self, channel: Document) -> None:
        self.storage.put(_CHANNELS, channel["id"], channel)

    def direct_channel(self, user_id: str) -> Document | None:
        for channel in self.channels():
            if channel["is_im"] and channel["user"] == user_id:
                return channel
        return None

    def message(self, channel_id: str, ts: str) -> Document | None:
        return self.storage.get(f"slack/messages/{channel_id}", ts)

    def messages(self, channel_id: str) -> list[Document]:
        """Oldest first, replies among them."""
        return self.storage.all(f"slack/messages/{channel_id}")

    def save_message(self, channel_id: str, message: Document) -> None:
        self.storage.put(f"slack/messages/{channel_id}", message["ts"], message)

    def delete_message(self, channel_id: str, ts: str) -> None:
        self.storage.delete(f"slack/messages/{channel_id}", ts)

    def ephemerals(self, user_id: str) -> list[Document]:
        return self.storage.all(f"slack/ephemerals/{user_id}")

    def ephemeral(self, user_id: str, ts: str) -> Document | None:
        return self.storage.get(f"slack/ephemerals/{user_id}", ts)

    def save_ephemeral(self, user_id: str, message: Document) -> None:
        self.storage.put(f"slack/ephemerals/{user_id}", message["ts"], message)

    def delete_ephemeral(self, user_id: str, ts: str) -> None:
        self.storage.delete(f"slack/ephemerals/{user_id}", ts)


def public_message(message: Document, *, with_metadata: bool) -> Document:
    """Return a message as the read methods show it."""
    hidden = set[str]() if with_metadata else {"metadata"}
    return {name: value for name, value in message.items() if name not in hidden}


def describe_channel(channel: Document) -> dict[str, Any]:
    """Return a channel as the API shows it, without its members."""
    return {name: value for name, value in channel.items() if name != "members"}
