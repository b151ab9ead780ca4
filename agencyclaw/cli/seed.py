"""`agencyclaw seed`: loads the demo agency."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.store.seed import seed
from agencyclaw.tools import built_skills


async def run(settings: Settings, _: argparse.Namespace) -> int:
    """Load the demo agency; returns the exit code."""
    async with open_database(settings) as db:
        await install_catalogue(db, built_skills())
        report = await seed(db)
    print(f"Lanternfish Commerce is loaded ({counted(report.total, 'row')} written).")
    return 0
