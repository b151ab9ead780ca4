"""Slack's smallest checks: text objects, lengths, lists."""

from collections.abc import Iterator
from typing import Any, cast

Problems = Iterator[str]


def problem(text: str, at: str) -> str:
    return f"{text} [json-pointer:{at}]"


def as_object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[dict[str, Any]]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [as_object(item) for item in items]


def check_text(
    value: Any, limit: int, at: str, *, plain: bool = False, required: bool = True
) -> Problems:
    """Check a text object: its type, that it is not empty, and its length."""
    if value is None:
        if required:
            yield problem("missing required field", at)
        return
    text = as_object(value).get("text")
    allowed = ("plain_text",) if plain else ("plain_text", "mrkdwn")
    if as_object(value).get("type") not in allowed:
        yield problem("must be a valid enum value", f"{at}/type")
    elif not isinstance(text, str) or not text:
        yield problem("must be more than 0 characters", f"{at}/text")
    else:
        yield from check_length(text, limit, f"{at}/text")


def check_length(value: Any, limit: int, at: str) -> Problems:
    if value is not None and not isinstance(value, str):
        yield problem("must be a string", at)
    elif value and len(value) > limit:
        yield problem(f"must be less than {limit + 1} characters", at)


def check_count(value: Any, most: int, at: str, *, required: bool = True) -> Problems:
    items = as_objects(value)
    if required and not items:
        yield problem("missing required field", at)
    if len(items) > most:
        yield problem(f"no more than {most} items allowed", at)


def check_unique(items: list[dict[str, Any]], name: str, at: str) -> Problems:
    seen: set[str] = set()
    for index, item in enumerate(items):
        value = item.get(name)
        if value and value in seen:
            yield problem(f"`{name}` {value} already exists", f"{at}/{index}/{name}")
        seen.add(str(value))
