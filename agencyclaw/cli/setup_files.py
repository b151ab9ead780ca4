"""People, clients and brands from CSV files, for agencies that have them in a spreadsheet."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.imports import ImportRecords, TextFile
from agencyclaw.knowledge.csv_files import text_file
from agencyclaw.tools.imports import plan_files

_QUESTION = "CSV files of people, clients or brands, separated by spaces (empty: none)"


async def import_files(connecting: Connecting, changes: SetupChanges) -> None:
    """Ask for files until there are none, and import what is confirmed."""
    changes.terminal.say("\nFiles")
    while paths := (await changes.terminal.ask(_QUESTION)).split():
        try:
            files = [await _read(path) for path in paths]
            async with connecting.reader() as reader:
                plan = await plan_files(files, changes.directory, reader, changes.actor)
        except (Refused, OSError) as error:
            changes.terminal.say(f"BAD  {error}")
        else:
            await _confirm(changes, plan)


async def _read(path: str) -> TextFile:
    return text_file(path, await asyncio.to_thread(Path(path).read_bytes))


async def _confirm(changes: SetupChanges, plan: ImportRecords) -> None:
    preview = plan.preview()
    rows = [f"{name}: {value}" for name, value in preview.fields]
    for line in (*rows, *preview.against):
        changes.terminal.say(f"     {line}")
    if await changes.terminal.confirm(preview.headline):
        await changes.carry_out(plan)
