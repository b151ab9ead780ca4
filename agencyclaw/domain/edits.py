"""What the Edit form shows and what comes back from it."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.domain.people import Value


class TaskEdits(Value):
    """The fields a person may change before confirming, as submitted."""

    title: str
    details: str = ""
    start: date | None = None
    due: date | None = None
    assignee: UUID | None = None


class NotEditable(Value):
    """Why a proposal can't be edited by somebody: the reason for the audit, a sentence for them."""

    reason: str
    message: str


class EditForm(Value):
    """The present values, and whom the task may be given to."""

    title: str
    details: str
    start: date | None = None
    due: date | None = None
    assignee: UUID | None = None
    people: tuple[Named, ...] = ()
