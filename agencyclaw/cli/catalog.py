"""`agencyclaw catalog`: inserts or updates products from a CSV file."""

from __future__ import annotations

import argparse
from pathlib import Path

from agencyclaw.cli.database import open_database
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.store.products import add_products


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Insert or update products from a CSV file; returns the exit code."""
    text = _read_text(Path(options.file))
    async with open_database(settings) as db:
        added, known = await add_products(db, text)
    new = f"{counted(added, 'product')} {'is' if added == 1 else 'are'} new"
    print(f"{new}, {known:,} {'was' if known == 1 else 'were'} brought up to date.")
    return 0


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise Misconfigured(f"{path} can't be read: {why}.") from None
