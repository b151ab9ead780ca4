"""The effect families that are writes in our own tables, all of them."""

from __future__ import annotations

from typing import Any

from agencyclaw.effects.assignments import Assigning, Unassigning
from agencyclaw.effects.brands import BrandChange, BrandCreation
from agencyclaw.effects.handlers import Ledger
from agencyclaw.effects.library import DocumentDecision, ProcedureRestoring, ProcedureSync
from agencyclaw.effects.remediation import Remediation
from agencyclaw.effects.remembering import (
    ForgettingNotes,
    ForgettingPreferences,
    KeepingNotes,
    KeepingPreferences,
)
from agencyclaw.effects.targets import TargetSetting


def ledgers() -> tuple[Ledger[Any], ...]:
    """Return one handler for each of them."""
    return (
        Assigning(),
        Unassigning(),
        BrandCreation(),
        BrandChange(),
        Remediation(),
        TargetSetting(),
        ProcedureSync(),
        ProcedureRestoring(),
        DocumentDecision(),
        KeepingNotes(),
        ForgettingNotes(),
        KeepingPreferences(),
        ForgettingPreferences(),
    )
