"""`agencyclaw results`: records what brands reached from a CSV file, all of it or nothing."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.cli.input_file import read_text_file
from agencyclaw.conversation.deliveries import Deliveries
from agencyclaw.settings import Settings


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Record the results of a file; raises Refused if nothing was recorded."""
    file = read_text_file(options.file)
    async with open_database(settings) as db:
        print(await Deliveries(db, settings.super_admin_profile_ids).take(file, options.key))
    return 0
