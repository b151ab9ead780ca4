"""`agencyclaw setup`: connects Slack, ClickUp and a model, and sets up the agency, by questions.

Every step looks first at what there is, so it can be ended and run again at any point. Accounts are
tried at once and kept in `.env`. What is set up of the agency are ordinary changes by the person
who answers: judged, audited, and written by the same code as a card's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from agencyclaw.cli.asking import Terminal
from agencyclaw.cli.database import open_database
from agencyclaw.cli.doctor import examine
from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_agency import set_up_agency
from agencyclaw.cli.setup_files import import_files
from agencyclaw.cli.setup_people import set_up_people
from agencyclaw.settings import Settings
from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.tools import built_skills

_WELCOME = (
    "This connects AgencyClaw with your Slack and ClickUp and asks who and what your agency is."
    "\nStop it whenever you like and run it again: what is done is kept."
)


async def run(settings: Settings, _: argparse.Namespace) -> int:
    """Ask for everything that is missing; returns 0 once doctor finds nothing to mend."""
    terminal = Terminal()
    terminal.say(_WELCOME)
    connecting = Connecting(terminal, settings, Path(".env"))
    await connecting.connect_slack()
    await connecting.connect_clickup()
    await connecting.choose_model()
    _title(terminal, "Database")
    where = "DATABASE_URL" if settings.database_url else f"below {settings.agencyclaw_home}"
    terminal.say(f"ok   Postgres, {where}")
    async with open_database(settings) as db:
        await install_catalogue(db, built_skills())
        changes = await set_up_people(terminal, connecting, db)
        if changes:
            await set_up_agency(terminal, connecting, changes)
            await import_files(connecting, changes)
    return await _check(terminal, connecting.settings)


async def _check(terminal: Terminal, settings: Settings) -> int:
    _title(terminal, "Check")
    findings = await examine(settings)
    for finding in findings:
        terminal.say(finding.line)
    if not all(finding.is_good for finding in findings):
        terminal.say("\nMend what is BAD, and run `agencyclaw setup` or `agencyclaw doctor` again.")
        return 1
    terminal.say("\nAll is set up. `make serve` starts it; then write to it in Slack.")
    return 0


def _title(terminal: Terminal, text: str) -> None:
    terminal.say(f"\n{text}")
