"""Runs the assistant's event loop and keeps garbage collection from blocking it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

if sys.platform == "win32":
    from asyncio import run
else:
    from uvloop import run

__all__ = ["freeze_loaded_objects", "run", "without_collection"]


@contextmanager
def without_collection() -> Generator[None]:
    """Disable garbage collection, which takes a sixth of the time in which modules load."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freeze_loaded_objects() -> None:
    """Exclude all loaded objects from later garbage collections; they are never freed.

    A full collection would scan them all, and block the loop for a seventh of a second.
    """
    gc.freeze()
