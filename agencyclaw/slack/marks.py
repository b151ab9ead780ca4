"""The names our buttons and forms carry, and the values they bring back."""

from __future__ import annotations

import re
from uuid import UUID

from agencyclaw.domain.proposals import Proposal

OURS = "claw_"
CONFIRM = "claw_confirm"
CONFIRM_SELECTED = "claw_confirm_selected"
CANCEL = "claw_cancel"
CANCEL_SELECTED = "claw_cancel_selected"
WITHDRAW = "claw_withdraw"
CREATE_ANYWAY = "claw_create_anyway"
RETRY = "claw_retry"
UNDO = "claw_undo"
EDIT = "claw_edit"
SELECTION = "claw_selection"
CHOICE = "claw_choice"
FORGET = "claw_forget"
EDIT_FORM = "claw_edit_task"

_MARK = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9a-f]{16})")


_MEMORY = re.compile(r"note:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|preference:[0-9a-f]{16}")


def is_memory(value: str) -> bool:
    """Return whether a button names something that is remembered."""
    return _MEMORY.fullmatch(value) is not None


def mark_of(proposal: Proposal) -> str:
    """Return what a button carries: the proposal and the version of it that is shown."""
    return f"{proposal.id}:{proposal.fingerprint[:16]}"


def read_marks(value: str) -> list[tuple[UUID, str]] | None:
    """Return the proposals and versions a button names; None when it is none of our values."""
    found = [_MARK.fullmatch(part) for part in value.split(",")]
    marks = [(UUID(one[1]), one[2]) for one in found if one]
    return marks if len(marks) == len(found) else None
