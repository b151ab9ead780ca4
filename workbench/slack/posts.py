"""Adds, changes and removes messages, counts replies, and informs the app and the page."""

from typing import Any

from workbench.events import Broadcaster
from workbench.slack import events
from workbench.slack.action_tokens import with_action_token
from workbench.slack.markup import mentions
from workbench.slack.records import APP, BOT, BOT_USER, TEAM, SlackRecords, new_id, public_message
from workbench.slack.refusals import SlackRefusal
from workbench.slack.rich_text import rich_text
from workbench.slack.socket_hub import Hub
from workbench.storage import Document

BOT_PROFILE: Document = {
    "id": BOT,
    "app_id": APP,
    "user_id": BOT_USER,
    "name": "AgencyClaw",
    "team_id": TEAM,
    "deleted": False,
}


class Posts:
    """The only writer of messages; each change and its events are one commit."""

    def __init__(self, records: SlackRecords, hub: Hub, events: Broadcaster) -> None:
        self._records = records
        self._hub = hub
        self._events = events

    def add(self, channel: Document, message: Document) -> Document:
        with self._records.storage.transaction():
            own = {"ts": self._records.new_ts(), "team": self._records.team()["id"]}
            message = {**message, "type": "message", **own}
            if message.get("thread_ts"):
                message["parent_user_id"] = self._count_reply(channel, message)
            self._records.save_message(channel["id"], message)
            is_call = self._calls_the_app(channel, message)
            event = events.message_event(channel, message)
            if is_call or channel["is_im"]:
                event = with_action_token(self._records.storage, event)
            self._send_event(channel, event)
            if is_call:
                event = events.app_mention_event(channel, message)
                event = with_action_token(self._records.storage, event)
                self._send_event(channel, event)
        self._publish(channel, message, "posted")
        return message

    def replace(self, channel: Document, old: Document, new: Document) -> None:
        with self._records.storage.transaction():
            self._records.save_message(channel["id"], new)
            shown = [public_message(message, with_metadata=False) for message in (new, old)]
            ts = self._records.new_ts()
            event = events.message_changed_event(channel, shown[0], shown[1], ts)
            self._send_event(channel, event)
        self._publish(channel, new, "changed")

    def remove(self, channel: Document, message: Document) -> None:
        with self._records.storage.transaction():
            self._leave_tombstone(channel, message)
            shown = public_message(message, with_metadata=False)
            ts = self._records.new_ts()
            event = events.message_deleted_event(channel, shown, ts)
            self._send_event(channel, event)
        self._publish(channel, message, "deleted")

    def post_ephemeral(self, channel: Document, user_id: str, message: Document) -> Document:
        """Show a message to one person only; it is not part of the channel."""
        message = {**message, "ts": self._records.new_ts(), "channel": channel["id"]}
        team_id = self._records.team()["id"]
        message |= {"type": "message", "team": team_id, "is_ephemeral": True}
        self._records.save_ephemeral(user_id, message)
        self._publish_ephemeral(user_id, message)
        return message

    def update_ephemeral(self, user_id: str, message: Document) -> None:
        self._records.save_ephemeral(user_id, message)
        self._publish_ephemeral(user_id, message)

    def remove_ephemeral(self, user_id: str, message: Document) -> None:
        self._records.delete_ephemeral(user_id, message["ts"])
        self._publish_ephemeral(user_id, message)

    def touch(self, channel: Document, message: Document) -> None:
        """Store a change that Slack sends no message event for, such as a reaction."""
        self._records.save_message(channel["id"], message)
        self._publish(channel, message, "changed")

    def _count_reply(self, channel: Document, reply: Document) -> str:
        root = self._find_root(channel, reply["thread_ts"])
        author = reply.get("user", BOT_USER)
        users = root.get("reply_users", [])
        users = users if author in users else [*users, author]
        counted = {
            **root,
            "thread_ts": root["ts"],
            "reply_count": root.get("reply_count", 0) + 1,
            "reply_users": users,
            "reply_users_count": len(users),
            "latest_reply": reply["ts"],
        }
        self._records.save_message(channel["id"], counted)
        return str(root.get("user", BOT_USER))

    def _find_root(self, channel: Document, thread_ts: str) -> Document:
        root = self._records.message(channel["id"], thread_ts)
        if root is None:
            raise SlackRefusal("thread_not_found")
        if root.get("thread_ts", root["ts"]) != root["ts"]:
            raise SlackRefusal("cannot_reply_to_message")
        return root

    def _leave_tombstone(self, channel: Document, message: Document) -> None:
        if message.get("reply_count"):
            kept = ("type", "ts", "thread_ts", "team", "reply_count", "reply_users", "latest_reply")
            stone = {name: message[name] for name in kept}
            words = {"text": "This message was deleted.", "user": "USLACKBOT", "hidden": True}
            stone |= words | {"subtype": "tombstone"}
            self._records.save_message(channel["id"], stone)
            return
        self._records.delete_message(channel["id"], message["ts"])
        if message.get("thread_ts"):
            self._uncount_reply(channel, message)

    def _uncount_reply(self, channel: Document, reply: Document) -> None:
        root = self._records.message(channel["id"], reply["thread_ts"])
        if root is None:
            return
        replies = [
            message
            for message in self._records.messages(channel["id"])
            if message.get("thread_ts") == root["ts"] and message["ts"] != root["ts"]
        ]
        counted = {**root, "reply_count": len(replies)}
        if replies:
            counted["latest_reply"] = replies[-1]["ts"]
        self._records.save_message(channel["id"], counted)

    def _calls_the_app(self, channel: Document, message: Document) -> bool:
        by_the_app = message.get("bot_id") == BOT
        return not channel["is_im"] and not by_the_app and mentions(message["text"], BOT_USER)

    def _send_event(self, channel: Document, event: dict[str, Any]) -> None:
        if BOT_USER in channel["members"]:
            payload = events.event_callback(event, self._records.team()["id"])
            self._hub.send_event(event["type"], payload)

    def _publish(self, channel: Document, message: Document, change: str) -> None:
        place = {"channel": channel["id"], "ts": message["ts"]}
        thread = message.get("thread_ts")
        self._events.publish("message", **place, thread_ts=thread, change=change)

    def _publish_ephemeral(self, user_id: str, message: Document) -> None:
        place = {"channel": message["channel"], "ts": message["ts"]}
        self._events.publish("ephemeral", user=user_id, **place)


def bot_message(text: str, blocks: list[Document] | None = None) -> Document:
    """Return the fields that all of the app's messages share."""
    message: Document = {"user": BOT_USER, "bot_id": BOT, "app_id": APP, "text": text}
    message["bot_profile"] = BOT_PROFILE
    return message | ({"blocks": blocks} if blocks else {})


def user_message(user_id: str, text: str, thread_ts: str | None) -> Document:
    message: Document = {"user": user_id, "text": text, "client_msg_id": new_id("")}
    message |= {"blocks": blocks} if (blocks := rich_text(text)) else {}
    return message | ({"thread_ts": thread_ts} if thread_ts else {})
