"""`agencyclaw kb`: manages procedures and documents."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database
from agencyclaw.documents.library import run_library, sync_procedures
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings
from agencyclaw.task_board import open_clickup


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Run a command on the knowledge base; returns the exit code."""
    if options.action == "sync":
        settings.require_clickup()
        async with open_clickup(settings) as reader, open_database(settings) as db:
            text, code = await sync_procedures(db, reader, is_dry=options.dry_run)
    elif options.name or options.action in {"list", "gaps"}:
        async with open_database(settings) as db:
            text, code = await run_library(db, options)
    else:
        raise Misconfigured(f"Say which: agencyclaw kb {options.action} NAME")
    print(text)
    return code
