"""Reads the JSON bodies of control calls strictly; anything odd is a 400 that names it."""

import json
from typing import Any, cast

from aiohttp import web

from workbench.slack.records import BOT_USER
from workbench.slack.texts import as_object
from workbench.slack.workspace import Workspace
from workbench.storage import Document


class BadCall(Exception):
    """An invalid control call; its text is the answer's `error`."""


class Body:
    """The JSON object of a control call."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields

    def text(self, *names: str) -> str:
        """Return the first of these keys that is there, as a string; "" if none is."""
        for name in names:
            value = self.fields.get(name)
            if value is not None:
                if not isinstance(value, str):
                    raise BadCall(f"`{name}` must be a string")
                return value
        return ""

    def required(self, *names: str) -> str:
        value = self.text(*names)
        if not value:
            raise BadCall(f"`{names[0]}` is missing")
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        value = self.fields.get(name)
        if value is not None and not isinstance(value, dict):
            raise BadCall(f"`{name}` must be an object")
        return as_object(value)

    def texts(self, name: str) -> list[str]:
        """Return a list of strings; empty if it is not there."""
        value: Any = self.fields.get(name) or []
        if not isinstance(value, list):
            raise BadCall(f"`{name}` must be a list")
        return [str(item) for item in cast("list[Any]", value)]


async def read_body(request: web.Request) -> Body:
    try:
        fields = json.loads(await request.read())
    except ValueError:
        raise BadCall("the body must be JSON") from None
    if not isinstance(fields, dict):
        raise BadCall("the body must be a JSON object")
    return Body(as_object(fields))


def find_person(workspace: Workspace, user_id: str) -> Document:
    user = workspace.records.user(user_id)
    if user is None or user["id"] == BOT_USER:
        raise BadCall(f"no such user: {user_id}")
    return user


def find_channel(workspace: Workspace, channel_id: str) -> Document:
    channel = workspace.records.channel(channel_id)
    if channel is None:
        raise BadCall(f"no such channel: {channel_id}")
    return channel


def find_joined_channel(workspace: Workspace, body: Body, user: Document) -> Document:
    channel = find_channel(workspace, body.required("channel"))
    if user["id"] not in channel["members"]:
        raise BadCall(f"{user['id']} is not in {channel['id']}")
    return channel
