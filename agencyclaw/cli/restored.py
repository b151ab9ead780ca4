"""`agencyclaw restored`: reconciles state after a backup is restored."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.store.restored import put_aside


async def run(settings: Settings, _: argparse.Namespace) -> int:
    """Run `put_aside` and print what it did; returns the exit code.

    Raises Refused while another process is using the database.
    """
    async with open_database(settings) as db:
        aside = await put_aside(db, silence_s=settings.agencyclaw_dead_after_s)
    parts = [
        counted(aside.messages, "message or press", "messages and presses"),
        counted(aside.deliveries, "delivery", "deliveries"),
        counted(aside.proposals, "proposal"),
    ]
    print(f"Put aside: {', '.join(parts)}.")
    if aside.looked_for:
        tasks = counted(aside.looked_for, "confirmed task")
        print(f"The next process looks in ClickUp for {tasks}, and sends none again.")
    if aside.undecided:
        changes = counted(aside.undecided, "confirmed change")
        print(f"The cards of {changes} ask people to look whether it was made.")
    return 0
