"""Reads the rich text that Slack sends beside what a person typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast


def elements_of(node: Any) -> Iterator[dict[str, Any]]:
    """Yield the elements of a rich text, however deep."""
    if isinstance(node, dict):
        parts = cast("dict[str, Any]", node)
        yield parts
        yield from elements_of(parts.get("elements"))
    elif isinstance(node, list | tuple):
        for part in cast("list[Any]", node):
            yield from elements_of(part)


def with_emoji(text: str, blocks: Sequence[dict[str, Any]]) -> str:
    """Return a text with its emoji, which Slack writes by their names, as characters.

    Which they are says the rich text beside it; a workspace's own have no characters.
    """
    for part in elements_of(blocks):
        name, tone = part.get("name"), part.get("skin_tone")
        characters = _characters(part.get("unicode")) if part.get("type") == "emoji" else ""
        if characters:
            toned = f":{name}::skin-tone-{tone}:" if tone else f":{name}:"
            text = text.replace(toned, characters, 1)
    return text


def _characters(points: object) -> str:
    """Return the characters of "1f44d-1f3fd"; "" for what is no such list."""
    try:
        return "".join(chr(int(point, 16)) for point in str(points or "").split("-") if point)
    except (ValueError, OverflowError):
        return ""
