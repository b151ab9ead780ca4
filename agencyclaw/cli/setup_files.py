"""People, clients, brands and results from CSV files, as agencies have them in spreadsheets."""

from __future__ import annotations

from datetime import datetime

from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.domain.errors import Refused
from agencyclaw.knowledge.csv_files import text_file
from agencyclaw.tools.imports import plan_files

_QUESTION = "CSV files of people, clients, brands, targets or results"


async def import_files(connecting: Connecting, changes: SetupChanges) -> None:
    """Ask for files until there are none, and import what is confirmed."""
    asking = changes.asking
    asking.title("Files")
    while chosen := await asking.ask_files(_QUESTION):
        try:
            files = [text_file(file.name, file.content) for file in chosen]
            async with connecting.reader() as reader:
                plan = await plan_files(
                    files,
                    changes.directory,
                    reader,
                    changes.actor,
                    datetime.now(changes.actor.zone).date(),
                )
        except Refused as refusal:
            asking.say(f"BAD  {refusal}")
        else:
            await changes.offer(plan)
