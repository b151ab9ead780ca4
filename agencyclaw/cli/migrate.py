"""Brings the database to the newest schema, or writes the next migration."""

from __future__ import annotations

import argparse
from pathlib import Path

from agencyclaw.cli.database import database_addresses, open_database
from agencyclaw.settings import Settings
from agencyclaw.store.migrate import new_revision


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Brings the database to the newest schema, or writes the next migration."""
    if options.new:
        async with database_addresses(settings) as (owner, _):
            print(f"wrote {Path(await new_revision(options.new, owner)).name}")
        return 0
    async with open_database(settings):
        print("The database is at the newest schema.")
    return 0
