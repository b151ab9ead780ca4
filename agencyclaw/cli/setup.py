"""`agencyclaw setup`: connects Slack, ClickUp and a model, and sets up the agency, by questions.

Every step looks first at what there is, so it can be ended and run again at any point. Accounts are
tried at once and kept in `.env`. What is set up of the agency are ordinary changes by the person
who answers: judged, audited, and written by the same code as a card's. The questions are asked in
the terminal, or with `--page` by a page in a browser on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from agencyclaw.cli.asking import INPUT_ENDED, Asking, Terminal
from agencyclaw.cli.database import open_with_tools
from agencyclaw.cli.doctor import examine
from agencyclaw.cli.eventloop import end_at_eof
from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_agency import set_up_agency
from agencyclaw.cli.setup_files import import_files
from agencyclaw.cli.setup_people import set_up_people
from agencyclaw.cli.setup_procedures import set_up_procedures
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.server.setup_page import setup_page
from agencyclaw.settings import Settings

_WELCOME = (
    "This connects AgencyClaw with your Slack and ClickUp and asks who and what your agency is."
    "\nStop it whenever you like and run it again: what is done is kept."
)


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Ask for everything that is missing; returns 0 once doctor finds nothing to mend."""
    if not options.page:
        return await _set_up(Terminal(), settings)
    work = asyncio.create_task(_set_up_by_page(settings, options.port))
    if options.until_eof:
        end_at_eof(work.cancel)
    try:
        await asyncio.wait({work})
    finally:
        work.cancel()
    if work.cancelled():
        raise Misconfigured(INPUT_ENDED)
    return work.result()


async def _set_up_by_page(settings: Settings, port: int) -> int:
    async with setup_page(port) as (front, address):
        print(f"Open this in a browser on this machine; it works once:\n\n  {address}", flush=True)
        return await _set_up(front, settings)


async def _set_up(asking: Asking, settings: Settings) -> int:
    asking.say(_WELCOME)
    connecting = Connecting(asking, settings, Path(".env"))
    await connecting.connect_slack()
    await connecting.connect_clickup()
    await connecting.choose_model()
    asking.title("Database")
    where = "DATABASE_URL" if settings.database_url else f"below {settings.agencyclaw_home}"
    asking.say(f"ok   Postgres, {where}")
    async with open_with_tools(settings) as db:
        changes = await set_up_people(connecting, db)
        await set_up_agency(connecting, changes)
        await import_files(connecting, changes)
        await set_up_procedures(connecting, changes, db)
    return await _check(asking, connecting.settings)


async def _check(asking: Asking, settings: Settings) -> int:
    asking.title("Check")
    findings = await examine(settings)
    for finding in findings:
        asking.say(finding.line)
    if not all(finding.is_good for finding in findings):
        asking.say("\nMend that, and run `agencyclaw setup` or `agencyclaw doctor` again.")
        return 1
    asking.say("\nAll is set up. Once it runs (`make serve`), write to it in Slack.")
    return 0
