"""`agencyclaw seed`: loads the demo agency, or removes it again."""

from __future__ import annotations

import argparse

from agencyclaw.cli.database import open_database, open_with_tools
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database
from agencyclaw.store.seed import count_seeded, remove_seeded, seed

_NOT_ASKED = (
    "Your settings name an agency of your own. This would add a fictional one to its database, with"
    " people who have rights there. If you mean that, add --configured."
)


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Load the demo agency or remove it; returns the exit code."""
    is_own = bool(settings.database_url or settings.clickup_api_token)
    if is_own and not options.remove and not options.configured:
        raise Misconfigured(_NOT_ASKED)
    if options.remove:
        async with open_database(settings) as db:
            print(await _remove(db))
        return 0
    async with open_with_tools(settings) as db:
        written = await seed(db)
    print(f"Lanternfish Commerce is loaded ({counted(sum(written.values()), 'row')} written).")
    return 0


async def _remove(db: Database) -> str:
    """Remove the demo agency, and return what was deleted and what had to stay."""
    removed = sum((await remove_seeded(db)).values())
    text = f"Lanternfish Commerce is removed ({counted(removed, 'row')} deleted)."
    kept = await count_seeded(db)
    if named := ", ".join(f"{count} of {name}" for name, count in kept.items() if count):
        text += (
            f"\nStill there: {named}. People stay whom the audit names, archived and without"
            " accounts; procedures that were copied from ClickUp; and what other records refer to."
        )
    return text
