"""`agencyclaw seed`: loads the demo agency, or removes it again."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.store.seed import remove_seeded, seed
from agencyclaw.tools import built_skills


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Load the demo agency or remove it; returns the exit code."""
    async with open_database(settings) as db:
        if options.remove:
            removed = await remove_seeded(db)
            print(f"Lanternfish Commerce is removed ({counted(removed.total, 'row')} deleted).")
            return 0
        await install_catalogue(db, built_skills())
        report = await seed(db)
    print(f"Lanternfish Commerce is loaded ({counted(report.total, 'row')} written).")
    return 0
