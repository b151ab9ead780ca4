"""The effect families that are writes in our own tables, all of them."""

from __future__ import annotations

from typing import Any

from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.library import DocumentDecision, ProcedureRestoring, ProcedureSync
from agencyclaw.proposals.records import RecordHandler
from agencyclaw.proposals.remediation import Remediation
from agencyclaw.proposals.remembering import (
    ForgettingNotes,
    ForgettingPreferences,
    KeepingNotes,
    KeepingPreferences,
)


def database_handlers() -> tuple[DatabaseHandler[Any], ...]:
    """Return one handler for each of them."""
    return (
        Remediation(),
        RecordHandler(),
        ProcedureSync(),
        ProcedureRestoring(),
        DocumentDecision(),
        KeepingNotes(),
        ForgettingNotes(),
        KeepingPreferences(),
        ForgettingPreferences(),
    )
