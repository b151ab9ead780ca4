"""Forgets what is older than it has to be kept."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.conversation.maintenance import Maintenance
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings

# What is removed in time, in words: one of it, several of it.
_KEPT = {
    "runs": ("run", "runs"),
    "deliveries": ("delivery", "deliveries"),
    "receipts": ("message or press", "messages and presses"),
    "sessions": ("idle session", "idle sessions"),
    "gaps": ("question without an answer", "questions without an answer"),
    "costs": ("entry of what requests cost", "entries of what requests cost"),
}


async def run(settings: Settings, _: argparse.Namespace) -> int:
    """Forgets what is older than it has to be kept."""
    async with open_database(settings) as db:
        forgotten = await Maintenance(db, settings.agencyclaw_retention_days).forget_old()
    removed = {kind: number for kind, number in forgotten.counts.items() if number}
    parts = [counted(number, *_KEPT[kind]) for kind, number in removed.items()]
    print(f"Removed: {', '.join(parts) or 'nothing was old enough'}.")
    return 0
