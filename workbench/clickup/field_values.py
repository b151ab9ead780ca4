"""Checks the values of custom fields as ClickUp does, and stores them in the form it answers."""

from math import inf
from typing import cast

from workbench.clickup.board import Board
from workbench.clickup.bodies import read_membership
from workbench.clickup.dates import LATEST_MS, day_words, local_moment, stored_date
from workbench.clickup.records import Json
from workbench.clickup.refusals import OPTION_UNKNOWN, RequestRefused, invalid
from workbench.clickup.shapes import person_shape

_TEXTS = ("text", "short_text", "url", "email", "phone")


def checked_value(board: Board, field: Json, value: object, before: object) -> object:
    """Return what is stored for a value; refuse one that the field's type does not take."""
    match field["type"]:
        case "drop_down":
            return _option(field, value)["orderindex"]
        case "labels":
            return _labels(field, value)
        case "users":
            return _people(board, value, before)
        case "checkbox":
            return _checkbox(value)
        case "number" | "currency":
            return _number(value)
        case "date":
            return _date(board, value)
        case kind if kind in _TEXTS:
            return _text(str(kind), value)
        case _:
            raise RequestRefused(invalid("value"))


def shown_value(board: Board, field: Json, value: object) -> str:
    """Return a stored value as a person reads it."""
    match field["type"]:
        case "drop_down" | "labels":
            kept = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
            options: list[Json] = field["type_config"]["options"]
            named = [one for one in options if one["id"] in kept or one["orderindex"] in kept]
            return ", ".join(str(one.get("name") or one.get("label")) for one in named)
        case "users":
            people = cast("list[Json]", value)
            return ", ".join(str(one["username"] or one["email"]) for one in people)
        case "checkbox":
            return "Yes" if value == "true" else "No"
        case "date":
            return day_words(local_moment(int(str(value)), board.zone))
        case "currency":
            return f"{value} {field['type_config'].get('currency_type', '')}".strip()
        case _:
            return str(value)


def _option(field: Json, value: object) -> Json:
    """A drop-down takes an option's id or index, labels only ids."""
    options: list[Json] = field["type_config"]["options"]
    for option in options:
        is_place = field["type"] == "drop_down" and type(value) is int
        if value == option["id"] or (is_place and value == option["orderindex"]):
            return option
    raise RequestRefused(OPTION_UNKNOWN)


def _labels(field: Json, value: object) -> list[str]:
    if not isinstance(value, list):
        raise RequestRefused(invalid("value"))
    ids = [str(_option(field, one)["id"]) for one in cast("list[object]", value)]
    return list(dict.fromkeys(ids))


def _people(board: Board, value: object, before: object) -> list[Json]:
    """People are added and removed; who is no member is dropped silently."""
    change = read_membership(value)
    if change is None:
        raise RequestRefused(invalid("value"))
    ids = [*(one["id"] for one in cast("list[Json]", before or [])), *change.add]
    people = [member for number, member in board.members.items() if number in ids]
    return [person_shape(member) for member in people if member["id"] not in change.rem]


def _checkbox(value: object) -> str:
    if not isinstance(value, bool) and value not in ("true", "false"):
        raise RequestRefused(invalid("value"))
    return str(value).lower()


def _number(value: object) -> str:
    """A number comes back as text; NaN and infinity, which Python's JSON takes, are none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < inf:
        raise RequestRefused(invalid("value"))
    return f"{value}"


def _date(board: Board, value: object) -> str:
    if type(value) is not int or not 0 <= value <= LATEST_MS:
        raise RequestRefused(invalid("value"))
    return str(stored_date(value, False, board.zone))


def _text(kind: str, value: object) -> str:
    if not isinstance(value, str):
        raise RequestRefused(invalid("value"))
    is_formed = {
        "url": value.startswith(("http://", "https://")),
        "email": "@" in value.strip("@"),
        "phone": value.startswith("+") and any(char.isdigit() for char in value),
    }
    if not is_formed.get(kind, True):
        raise RequestRefused(invalid("value"))
    return value
