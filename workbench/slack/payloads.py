"""Payloads of interactions, shaped as Slack sends them."""

from typing import Any

from workbench.slack.records import APP
from workbench.slack.view_stack import public_view
from workbench.storage import Document


def _from_person(kind: str, user: Document, team: Document) -> Document:
    return {
        "type": kind,
        "user": {
            "id": user["id"],
            "username": user["name"],
            "name": user["name"],
            "team_id": team["id"],
        },
        "api_app_id": APP,
        "token": "workbench",
        "team": {"id": team["id"], "domain": team["domain"]},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def shown_name(channel: Document) -> str:
    """Return what a payload calls a channel."""
    return "directmessage" if channel["is_im"] else channel["name"]


def block_actions_payload(
    user: Document, action: Document, values: dict[str, Any], team: Document
) -> Document:
    payload = _from_person("block_actions", user, team)
    return payload | {"state": {"values": values}, "actions": [action]}


def message_action_payload(
    user: Document, channel: Document, message: Document, team: Document
) -> Document:
    payload = _from_person("message_action", user, team)
    place = {"id": channel["id"], "name": shown_name(channel)}
    return payload | {"channel": place, "message_ts": message["ts"], "message": message}


def view_submission_payload(
    user: Document, view: Document, values: dict[str, Any], team: Document
) -> Document:
    payload = _from_person("view_submission", user, team)
    return payload | {"view": public_view(view, values), "response_urls": []}


def view_closed_payload(user: Document, view: Document, team: Document) -> Document:
    payload = _from_person("view_closed", user, team)
    return payload | {"view": public_view(view), "is_cleared": False}


def slash_command_payload(
    user: Document, channel: Document, command: str, text: str, team: Document
) -> Document:
    return {
        "token": "workbench",
        "team_id": team["id"],
        "team_domain": team["domain"],
        "channel_id": channel["id"],
        "channel_name": shown_name(channel),
        "user_id": user["id"],
        "user_name": user["name"],
        "command": command,
        "text": text,
        "api_app_id": APP,
        "is_enterprise_install": "false",
    }
