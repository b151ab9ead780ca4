"""The event loop that the assistant runs on."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    from asyncio import run
else:
    from uvloop import run

__all__ = ["run"]
