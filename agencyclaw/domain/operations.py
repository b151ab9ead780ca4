"""How the assistant itself is doing: its runs, failures, repeated events and costs."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from agencyclaw.domain.people import Value
from agencyclaw.domain.spending import CostCaps, WorkspaceSpent

CostGroup = Literal["tool", "person", "client", "model", "stage", "week"]

# As many groups of failures, and events of each kind, are listed; and so many steps of a run.
LISTED_AT_MOST = 15
STEPS_AT_MOST = 100
# A message that has waited longer waits for a service, or for a worker.
_LATE_S = 60


class Severity(StrEnum):
    """Whether something failed, or was only not possible at that time."""

    ERROR = "error"
    WARNING = "warning"


class RunStep(Value):
    """A tool call of a run; `reason` is why it was refused, "" if it was not."""

    tool: str
    reason: str = ""


class RunChange(Value):
    """A change that a run prepared, and what became of it; `url` is the task it led to."""

    headline: str
    state: str
    url: str | None = None


class RunRecord(Value):
    """What is known of a run; `request` is set for the person whose run it is.

    Tokens and cost are also those of its sub-agents; `cost_usd` leaves out the `unpriced` tokens,
    whose model has no known price. `retries_left`: how often its message may be answered again, 0
    unless it failed.
    """

    id: UUID
    run_type: str
    status: str
    person: str | None
    client: str | None
    request: str | None
    started_at: datetime
    completed_at: datetime | None
    error: str | None
    steps: tuple[RunStep, ...]
    changes: tuple[RunChange, ...]
    sub_runs: int
    tokens: int
    cost_usd: float | None
    unpriced: int
    retries_left: int


class FailureGroup(Value):
    """Failures of one kind, with the last one's text.

    `client`: of which client, "" if that is not known; None if they are not told apart by it.
    """

    tool: str
    client: str | None
    severity: Severity
    reason: str
    message: str
    count: int
    last: datetime


class EventCount(Value):
    """How many events from one source ended in a status."""

    source: str
    status: str
    count: int


class AuditedEvent(Value):
    """A stored event by its number; nothing of what it says."""

    event: int
    source: str
    reason: str
    times: int
    received_at: datetime


class EventAudit(Value):
    """What became of the events of a time."""

    counts: tuple[EventCount, ...]
    repeated: tuple[AuditedEvent, ...]
    failed: tuple[AuditedEvent, ...]


class CostRow(Value):
    """What one tool, person, client, model or stage used, or all of them in a week.

    `cost_usd` leaves out the `unpriced` tokens, whose model has no known price.
    """

    name: str
    requests: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    unpriced: int


class Costs(Value):
    """What a workspace used; `unplaced` are tokens of workspaces that were not recorded."""

    rows: tuple[CostRow, ...]
    unplaced: int


class AgencyOverview(Value):
    """What admins see at a glance: of the last day, of this month's costs, and of now.

    `oldest_s` is for how many seconds the longest waiting message has waited. `undecided_accounts`
    are what is left of the last comparison of accounts, so many days ago; None without one.
    """

    failed_answers: int
    undelivered: int
    waiting_messages: int
    oldest_s: int
    waiting_documents: int
    brands: int
    unmapped_brands: int
    undecided_accounts: int | None = None
    compared_days: int | None = None
    alert_channel: str = ""
    caps: CostCaps
    spent: WorkspaceSpent

    @property
    def is_healthy(self) -> bool:
        """Whether nothing failed within a day, and no message has waited for a minute."""
        return not self.failed_answers and not self.undelivered and self.oldest_s < _LATE_S
