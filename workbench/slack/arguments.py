"""Reads the arguments of a Web API call in every form Slack accepts."""

import json
from typing import Any, cast

from aiohttp import web

from workbench.requests import origin_of
from workbench.slack.refusals import SlackRefusal

_FALSE = frozenset({"", "0", "false", "False", "null", "None"})


class Arguments:
    """A caller's arguments, read by Slack's rules for each type."""

    def __init__(self, values: dict[str, Any], origin: str = "") -> None:
        self.values = values
        self.origin = origin
        """Where the caller reached this server, for the links in an answer."""

    def has(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str, default: str = "") -> str:
        value = self.values.get(name)
        if value is None:
            return default
        if isinstance(value, dict | list):
            raise SlackRefusal("invalid_arguments", [f"{name} must be a string"])
        return str(value)

    def required(self, name: str) -> str:
        value = self.text(name)
        if not value:
            raise SlackRefusal("invalid_arguments", [f"missing required field: {name}"])
        return value

    def flag(self, name: str) -> bool:
        value = self.values.get(name)
        if value is None:
            return False
        return value if isinstance(value, bool) else str(value) not in _FALSE

    def number(self, name: str, default: int, highest: int) -> int:
        value = self.text(name)
        if not value:
            return default
        try:
            number = int(value)
        except ValueError:
            raise SlackRefusal("invalid_arguments", [f"{name} must be an integer"]) from None
        if number < 1:
            raise SlackRefusal("invalid_limit")
        return min(number, highest)

    def words(self, name: str) -> list[str]:
        """Return a list sent as JSON or separated by commas."""
        value = self.values.get(name)
        if isinstance(value, list):
            return [str(word) for word in cast("list[Any]", value)]
        return [word.strip() for word in self.text(name).split(",") if word.strip()]

    def document(self, name: str, error: str) -> Any:
        """Return a JSON value, which form and query callers send as a string."""
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value) if value else None
        except ValueError:
            raise SlackRefusal(error) from None

    def items(self, name: str, error: str) -> list[Any]:
        """Return a JSON list; empty if it was not sent."""
        value = self.document(name, error)
        if value is not None and not isinstance(value, list):
            raise SlackRefusal(error, [f"{name} must be an array"])
        return cast("list[Any]", value or [])


async def read_arguments(request: web.Request) -> Arguments:
    values: dict[str, Any] = dict(request.query)
    match request.content_type:
        case "application/json":
            values |= await _read_json(request)
        case "application/x-www-form-urlencoded" | "multipart/form-data":
            values |= {name: value for name, value in (await request.post()).items()}
        case _:
            pass
    return Arguments(values, origin_of(request))


async def _read_json(request: web.Request) -> dict[str, Any]:
    raw = await request.read()
    if not raw.strip():
        return {}
    try:
        body = json.loads(raw)
    except ValueError:
        raise SlackRefusal("invalid_json") from None
    if not isinstance(body, dict):
        raise SlackRefusal("json_not_object")
    return cast("dict[str, Any]", body)


def read_token(request: web.Request, arguments: Arguments) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else arguments.text("token")
