"""The ids of our buttons and forms, and the values they return."""

from __future__ import annotations

import re
from uuid import UUID

from agencyclaw.domain.feedback import Rating
from agencyclaw.domain.proposals import Proposal

OURS = "claw_"
CONFIRM = "claw_confirm"
CONFIRM_SELECTED = "claw_confirm_selected"
CONFIRM_ALL = "claw_confirm_all"
AS_SHOWN = "claw_as_shown"
PREPARE_AGAIN = "claw_prepare_again"
PREPARE_FOR_ME = "claw_prepare_for_me"
SHOW_TEXT = "claw_show_text"
TURN_PAGE = "claw_turn_page"
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
THUMBS = "claw_thumbs"
FEEDBACK_SETTLED = "claw_looked_at"
EDIT_FORM = "claw_edit_task"
COMMENT_FORM = "claw_comment"
# Shortcuts in a message's menu, by the names that the manifest gives them.
MAKE_TASK = "claw_make_task"
ASK_ABOUT = "claw_ask_about"
ASK_FORM = "claw_ask_form"

_MARK = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9a-f]{16})")
_THUMB = re.compile(r"(up|down):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


_MEMORY = re.compile(
    r"(?:note|reminder):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|preference:[0-9a-f]{16}"
)


def is_memory(value: str) -> bool:
    """Return whether an action id belongs to a remembered item."""
    return _MEMORY.fullmatch(value) is not None


def read_thumb(value: str) -> tuple[Rating, UUID] | None:
    """Return rating and run of a thumb; None if the value is not ours."""
    found = _THUMB.fullmatch(value)
    return (Rating(found[1]), UUID(found[2])) if found else None


def read_id(value: str) -> UUID | None:
    """Return the id in a button's value; None if the value is not ours."""
    return UUID(value) if _ID.fullmatch(value) else None


def mark_of(proposal: Proposal) -> str:
    """Return a button's value: the proposal and the version that is shown."""
    return f"{proposal.id}:{proposal.fingerprint[:16]}"


def page_mark(proposal: Proposal, page: int) -> str:
    """Return the value of a paging button: the version shown, and the page it leads to."""
    return f"{mark_of(proposal)}:{page}"


def read_page(value: str) -> tuple[UUID, str, int] | None:
    """Return proposal, version and page of a paging button; None if the value is not ours."""
    mark, _, page = value.rpartition(":")
    found = _MARK.fullmatch(mark)
    return (UUID(found[1]), found[2], int(page)) if found and page.isdecimal() else None


def read_ids(value: str) -> list[tuple[UUID, str]] | None:
    """Return proposals and versions in a button's value; None if the value is not ours."""
    found = [_MARK.fullmatch(part) for part in value.split(",")]
    ids = [(UUID(one[1]), one[2]) for one in found if one]
    return ids if len(ids) == len(found) else None
