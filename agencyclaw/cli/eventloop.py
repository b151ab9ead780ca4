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

__all__ = ["leave_alone_what_is_loaded", "loading", "run"]


@contextmanager
def loading() -> Generator[None]:
    """Disable garbage collection while modules load: it takes a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def leave_alone_what_is_loaded() -> None:
    """Exclude all loaded objects from later garbage collections; they are never freed.

    A full collection would scan them all, and block the loop for a seventh of a second.
    """
    gc.freeze()
