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
    new = counted(added, "product is", "products are")
    print(f"{new} new, {counted(known, 'was', 'were')} brought up to date.")
    return 0
