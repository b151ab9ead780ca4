"""Cuts lists into pages, with a cursor for the next one."""

import base64
from typing import Any

from workbench.slack.arguments import Arguments
from workbench.slack.refusals import SlackRefusal

_PREFIX = "offset:"


def page_of(items: list[Any], arguments: Arguments, usual: int) -> tuple[list[Any], str]:
    """Return the items of the requested page, and the cursor of the next or ""."""
    start = _read_cursor(arguments.text("cursor"))
    end = start + arguments.number("limit", usual, 1000)
    return items[start:end], _write_cursor(end) if end < len(items) else ""


def _read_cursor(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        return int(base64.b64decode(cursor, validate=True).decode().removeprefix(_PREFIX))
    except ValueError:
        raise SlackRefusal("invalid_cursor") from None


def _write_cursor(offset: int) -> str:
    return base64.b64encode(f"{_PREFIX}{offset}".encode()).decode()


def next_cursor(cursor: str) -> dict[str, Any]:
    return {"response_metadata": {"next_cursor": cursor}}
