"""`agencyclaw migrate`: migrates the database, or writes the next migration."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from agencyclaw.cli.database import open_with_tools
from agencyclaw.settings import Settings
from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.migrate import new_revision


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Migrate, grant the runtime role its rights and install the tool catalogue.

    With `--new`, write the next migration from the table classes. Raises Misconfigured or
    Unavailable.
    """
    if options.new:
        print(f"wrote {await _write_migration(options.new)}")
        return 0
    async with open_with_tools(settings):
        print("The database is at the newest schema.")
    return 0


async def _write_migration(what: str) -> str:
    """Write the next migration and return its name; no database that is in use is touched."""
    with TemporaryDirectory(prefix="agencyclaw-") as folder:
        async with EmbeddedPostgres(Path(folder)) as empty:
            return (await new_revision(what, empty.dsn)).name
