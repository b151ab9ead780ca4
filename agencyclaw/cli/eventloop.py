"""Runs a command's event loop, ends it with its input, and keeps collections from blocking it."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from uvloop import run

__all__ = ["end_at_eof", "freeze_loaded_objects", "run", "without_collection"]


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


def end_at_eof(end: Callable[[], object]) -> None:
    """Call `end` when standard input ends, because the parent process is gone.

    A plain file and /dev/null never make anybody wait, so they have ended already.
    """
    loop, descriptor = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        if not os.read(descriptor, 4096):
            loop.remove_reader(descriptor)
            end()

    try:
        loop.add_reader(descriptor, read)
    except OSError:
        loop.call_soon(end)
