"""`agencyclaw catalog`: inserts or updates products from a CSV file."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.cli.input_file import read_text_file
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.store.products import add_products


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Insert or update products from a CSV file; returns the exit code."""
    text = read_text_file(options.file).text
    async with open_database(settings) as db:
        added, known = await add_products(db, text)
    new = f"{counted(added, 'product')} {'is' if added == 1 else 'are'} new"
    print(f"{new}, {known:,} {'was' if known == 1 else 'were'} brought up to date.")
    return 0
