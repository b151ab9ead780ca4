"""`agencyclaw runs`: lists, shows and exports runs, or shows them in a browser."""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from agencyclaw.cli.database import open_database
from agencyclaw.cli.eventloop import end_at_eof
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """List, show or export runs; returns the exit code."""
    if options.do and not options.id:
        raise Misconfigured(f"Say which run: agencyclaw runs {options.do} ID")
    if options.web:
        return await _serve_page(settings, options)
    async with open_database(settings) as db:
        text = await _run_text(settings, db, options)
    if options.do == "export" and options.to:
        try:
            await asyncio.to_thread(Path(options.to).write_text, text, encoding="utf-8")
        except OSError as error:
            raise Misconfigured(f"{options.to} can't be written: {error.strerror}.") from None
        text = f"wrote {options.to}: correct what is expected, and give the case a name"
    print(text)
    return 0


async def _serve_page(settings: Settings, options: argparse.Namespace) -> int:
    """Serve the page until the command is ended."""
    from agencyclaw.cli.runs_page import runs_page

    ended = asyncio.Event()
    if options.until_eof:
        end_at_eof(ended.set)
    async with open_database(settings) as db, runs_page(db, settings, options.port) as address:
        print(f"Open this in a browser on this machine; it works once:\n\n  {address}", flush=True)
        await ended.wait()
    return 0


async def _run_text(settings: Settings, db: Database, options: argparse.Namespace) -> str:
    from agencyclaw.cli.reports import list_runs, show_run
    from agencyclaw.exports.case import export_run

    match options.do:
        case "show":
            return await show_run(db, options.id, settings, as_json=options.json)
        case "export":
            return await export_run(db, options.id)
        case _:
            return await list_runs(db, as_json=options.json)
