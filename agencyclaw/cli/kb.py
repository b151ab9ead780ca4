"""`agencyclaw kb`: manages procedures and documents."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.documents.library import run_library
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Run a command on the knowledge base; returns the exit code."""
    if options.action == "sync":
        return await _sync(settings, is_dry=options.dry_run)
    if not options.name and options.action not in {"list", "gaps"}:
        raise Misconfigured(f"Say which: agencyclaw kb {options.action} NAME")
    async with open_database(settings) as db:
        text, code = await run_library(db, options)
    print(text)
    return code


async def _sync(settings: Settings, *, is_dry: bool) -> int:
    from agencyclaw.documents.library import sync_procedures
    from agencyclaw.task_board import clickup_client, clickup_reader

    settings.require_clickup()
    clickup = clickup_client(settings)
    try:
        async with open_database(settings) as db:
            reader = clickup_reader(settings, clickup)
            text, code = await sync_procedures(db, reader, is_dry=is_dry)
    finally:
        await clickup.aclose()
    print(text)
    return code
