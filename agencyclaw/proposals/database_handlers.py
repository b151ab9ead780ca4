"""The handlers of effects that are writes in our own tables."""

from __future__ import annotations

from typing import Any

from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.library import ProcedureRestoring, ProcedureSync
from agencyclaw.proposals.records import RecordHandler
from agencyclaw.proposals.remediation import Remediation


def database_handlers() -> tuple[DatabaseHandler[Any], ...]:
    """Return one for records of every kind, and those of what changes several at once."""
    return (RecordHandler(), Remediation(), ProcedureSync(), ProcedureRestoring())
