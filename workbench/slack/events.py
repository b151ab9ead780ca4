"""Payloads of the Events API, shaped as Slack sends them."""

from typing import Any

from workbench.slack.records import APP, BOT_USER, new_id, public_message
from workbench.storage import Document


def event_callback(event: dict[str, Any], team_id: str) -> dict[str, Any]:
    return {
        "token": "workbench",
        "team_id": team_id,
        "context_team_id": team_id,
        "context_enterprise_id": None,
        "api_app_id": APP,
        "event": event,
        "type": "event_callback",
        "event_id": new_id("Ev"),
        "event_time": int(float(event["event_ts"])),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team_id,
                "user_id": BOT_USER,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": new_id("4-"),
    }


def message_event(channel: Document, message: Document) -> dict[str, Any]:
    return public_message(message, with_metadata=False) | _place(channel, message["ts"])


def app_mention_event(channel: Document, message: Document) -> dict[str, Any]:
    event = message_event(channel, message) | {"type": "app_mention"}
    del event["channel_type"]
    return event


def message_changed_event(
    channel: Document, message: Document, previous: Document, ts: str
) -> dict[str, Any]:
    return {
        "type": "message",
        "subtype": "message_changed",
        "message": message,
        "previous_message": previous,
        "hidden": True,
        "ts": ts,
    } | _place(channel, ts)


def message_deleted_event(channel: Document, previous: Document, ts: str) -> dict[str, Any]:
    return {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": previous,
        "deleted_ts": previous["ts"],
        "hidden": True,
        "ts": ts,
    } | _place(channel, ts)


def home_opened_event(
    user_id: str, channel_id: str, tab: str, view: Document | None
) -> dict[str, Any]:
    event = {"type": "app_home_opened", "user": user_id, "channel": channel_id, "tab": tab}
    return event | ({"view": view} if view else {})


def _place(channel: Document, ts: str) -> dict[str, Any]:
    return {"channel": channel["id"], "event_ts": ts, "channel_type": channel_type(channel)}


def channel_type(channel: Document) -> str:
    if channel["is_im"]:
        return "im"
    if channel["is_mpim"]:
        return "mpim"
    return "group" if channel["is_private"] else "channel"
