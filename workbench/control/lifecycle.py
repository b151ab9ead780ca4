"""Control calls for changes in Slack: of people, channels and groups, and of the app's scopes."""

from typing import Any

from aiohttp import web

from workbench.control.bodies import (
    BadCall,
    Body,
    find_channel,
    find_person,
    read_body,
)
from workbench.slack.conversations import group_of
from workbench.slack.installation import change_installation
from workbench.slack.interactions import Outcome
from workbench.slack.records import BOT_USER
from workbench.slack.workspace import WORKSPACE
from workbench.storage import Document

# What Slack's user object says of a person, by how they belong to the workspace.
_MEMBERSHIPS = {
    "member": {},
    "guest": {"is_restricted": True},
    "single channel guest": {"is_restricted": True, "is_ultra_restricted": True},
    "outsider": {"team_id": "T0OTHER"},
    "stranger": {"is_stranger": True},
    "deactivated": {"deleted": True},
}
_NOT_PENDING: dict[str, Any] = {"is_pending_ext_shared": False, "pending_shared": []}
# Changes of a channel: the fields that change, and the event that reports it.
_CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "archive": ({"is_archived": True}, "archive"),
    "share": ({"is_shared": True, "is_ext_shared": True, **_NOT_PENDING}, "shared"),
    "leave": ({"is_member": False}, ""),
    "offer": ({"is_pending_ext_shared": True, "pending_shared": ["T0OTHER"]}, ""),
}


async def change_membership(request: web.Request) -> Outcome:
    """Make somebody a guest, an outsider or a member again."""
    workspace, body = request.app[WORKSPACE], await read_body(request)
    user = find_person(workspace, body.required("user"))
    membership = body.required("membership")
    if membership not in _MEMBERSHIPS:
        raise BadCall(f"`membership` must be one of: {', '.join(_MEMBERSHIPS)}")
    usual = {"deleted": False, "is_restricted": False, "is_ultra_restricted": False}
    usual |= {"is_stranger": False, "team_id": workspace.records.team()["id"]}
    user = {**user, **usual, **_MEMBERSHIPS[membership]}
    workspace.records.save_user(user)
    if body.fields.get("tells"):
        workspace.send_event({"type": "user_change", "user": user})
    workspace.events.publish("state")
    return {"ok": True}


async def change_channel(request: web.Request) -> Outcome:
    """Archive, rename or share a channel or remove the app, with or without telling the app."""
    workspace, body = request.app[WORKSPACE], await read_body(request)
    channel = find_channel(workspace, body.required("channel"))
    event = _rename(channel, body) or _change(channel, body.required("change"))
    workspace.records.save_channel(channel)
    if event and body.fields.get("tells", True):
        workspace.send_event(event)
    workspace.events.publish("state")
    return {"ok": True}


def _rename(channel: Document, body: Body) -> Document | None:
    name = body.text("name")
    if not name:
        return None
    channel |= {"name": name, "name_normalized": name}
    about = {"id": channel["id"], "name": name, "created": channel["created"]}
    return {"type": f"{_kind(channel)}_rename", "channel": about}


def _change(channel: Document, change: str) -> Document | None:
    if change not in _CHANGES:
        raise BadCall(f"`change` must be one of: {', '.join(_CHANGES)}")
    facts, event = _CHANGES[change]
    channel |= facts
    if change == "leave":
        channel["members"] = [member for member in channel["members"] if member != BOT_USER]
    if not event:
        return None
    # One event reports sharing for channels of every kind.
    kind = "channel" if event == "shared" else _kind(channel)
    return {"type": f"{kind}_{event}", "channel": channel["id"]}


def _kind(channel: Document) -> str:
    return "group" if channel["is_private"] else "channel"


async def add_group(request: web.Request) -> Outcome:
    """Create a group conversation, with the assistant unless `without_app`.

    Its id may be left to Slack.
    """
    workspace, body = request.app[WORKSPACE], await read_body(request)
    users = [
        find_person(workspace, user_id)["id"] for user_id in dict.fromkeys(body.texts("users"))
    ]
    if len(users) < 2:
        raise BadCall("`users` must name two people at least")
    with_app = not body.fields.get("without_app")
    group = group_of(workspace, users, body.text("id"), with_app=with_app)
    workspace.events.publish("state")
    return {"channel": group["id"]}


async def change_install(request: web.Request) -> Outcome:
    """Install the app again, without the scopes it `lacks`."""
    workspace, body = request.app[WORKSPACE], await read_body(request)
    change_installation(workspace.storage, lacks=body.texts("lacks"))
    return {"ok": True}
