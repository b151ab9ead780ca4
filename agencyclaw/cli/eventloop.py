"""The event loop that the assistant runs on, and what must not hold it up."""

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
    """Collect no garbage while modules are loaded: looking for it is a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def leave_alone_what_is_loaded() -> None:
    """Keep what the start has loaded out of every later garbage collection; it never goes away.

    A whole collection would go through all of it, a seventh of a second in which nobody is heard.
    """
    gc.freeze()
