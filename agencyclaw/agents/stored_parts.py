"""Walks messages as they are stored: as JSON, in pydantic-ai's format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any


def parts_of(contents: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the parts of all messages, in order."""
    for message in contents:
        yield from message.get("parts", ())


def results_of(contents: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the parts with what a tool returned."""
    return (part for part in parts_of(contents) if part.get("part_kind") == "tool-return")
