"""The handlers of effects that write to our own tables alone."""

from __future__ import annotations

from typing import Any

from agencyclaw.proposals.channel_links import ChannelLinking
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.imports import RecordsImport
from agencyclaw.proposals.library import ProcedureRestoring, ProcedureSync
from agencyclaw.proposals.records import RecordHandler
from agencyclaw.proposals.remediation import Remediation
from agencyclaw.proposals.retries import RunRetrying
from agencyclaw.proposals.spaces import SpaceMoves
from agencyclaw.proposals.team import PersonArchiving, PersonReturn


def database_handlers() -> tuple[DatabaseHandler[Any], ...]:
    """Return the handler of all records, and those of effects that change several rows."""
    return (
        RecordHandler(),
        Remediation(),
        ProcedureSync(),
        ProcedureRestoring(),
        SpaceMoves(),
        PersonArchiving(),
        PersonReturn(),
        RecordsImport(),
        RunRetrying(),
        ChannelLinking(),
    )
