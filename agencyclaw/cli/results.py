"""`agencyclaw results`: records what brands reached from a CSV file, all of it or nothing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from agencyclaw.cli.database import open_database
from agencyclaw.conversation.deliveries import Deliveries
from agencyclaw.domain.errors import Misconfigured, Refused
from agencyclaw.knowledge.csv_files import text_file
from agencyclaw.settings import Settings


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Record the results of a file; returns 1 if nothing was recorded."""
    path = Path(options.file)
    content = _read(path)
    async with open_database(settings) as db:
        deliveries = Deliveries(db, settings.super_admin_profile_ids)
        try:
            print(await deliveries.take(text_file(path.name, content), options.key))
        except Refused as refusal:
            print(refusal, file=sys.stderr)
            return 1
    return 0


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Misconfigured(f"{path} can't be read: {error.strerror}.") from None
