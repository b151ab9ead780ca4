"""`agencyclaw tidy`: deletes rows whose retention period is over."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.store.retention import forget_old

# Every kind of row that is removed: one of it, several of it.
REMOVED = {
    "runs": ("run", "runs"),
    "deliveries": ("delivery", "deliveries"),
    "receipts": ("message or press", "messages and presses"),
    "sessions": ("idle session", "idle sessions"),
    "gaps": ("question without an answer", "questions without an answer"),
    "shown_threads": ("state of a thread", "states of threads"),
    "digests": ("condensed thread", "condensed threads"),
    "costs": ("entry of what requests cost", "entries of what requests cost"),
    "clickup_reads": ("kept ClickUp list", "kept ClickUp lists"),
}


async def run(settings: Settings, _: argparse.Namespace) -> int:
    """Delete rows whose retention period is over, and print how many of each kind."""
    async with open_database(settings) as db:
        removed = await forget_old(db, settings.agencyclaw_retention_days)
    parts = [counted(number, *REMOVED[kind]) for kind, number in removed.items() if number]
    print(f"Removed: {', '.join(parts) or 'nothing was old enough'}.")
    return 0
