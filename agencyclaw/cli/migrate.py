"""`agencyclaw migrate`: migrates the database, or writes the next migration."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import database_addresses, open_database
from agencyclaw.settings import Settings
from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.store.migrate import new_revision


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Migrate, grant the runtime role its rights and install the tool catalogue.

    With `--new`, write the next migration from the table classes. Raises Misconfigured or
    Unavailable.
    """
    if options.new:
        async with database_addresses(settings) as (owner, _):
            print(f"wrote {(await new_revision(options.new, owner)).name}")
        return 0
    async with open_database(settings) as db:  # opening migrates
        from agencyclaw.tools import built_skills

        await install_catalogue(db, built_skills())
        print("The database is at the newest schema.")
    return 0
