"""Reads that an answer can do without."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from agencyclaw.domain.errors import Unavailable

T = TypeVar("T")


async def optional(read: Awaitable[T]) -> T | None:
    """Return what was read, or None if it is out of reach, which whoever read it has logged."""
    try:
        return await read
    except Unavailable:
        return None
