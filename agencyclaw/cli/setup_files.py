"""People, clients and brands from CSV files, for agencies that have them in a spreadsheet."""

from __future__ import annotations

from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.domain.errors import Refused
from agencyclaw.knowledge.csv_files import text_file
from agencyclaw.tools.imports import plan_files

_QUESTION = "CSV files of people, clients or brands"


async def import_files(connecting: Connecting, changes: SetupChanges) -> None:
    """Ask for files until there are none, and import what is confirmed."""
    asking = changes.asking
    asking.title("Files")
    while chosen := await asking.ask_files(_QUESTION):
        try:
            files = [text_file(file.name, file.content) for file in chosen]
            async with connecting.reader() as reader:
                plan = await plan_files(files, changes.directory, reader, changes.actor)
        except Refused as refusal:
            asking.say(f"BAD  {refusal}")
        else:
            await changes.offer(plan)
