"""The ids of our buttons and forms, and the values they return."""

from __future__ import annotations

import re
from typing import NamedTuple
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
DROP = "claw_drop"
WITHDRAW = "claw_withdraw"
CREATE_ANYWAY = "claw_create_anyway"
RETRY = "claw_retry"
UNDO = "claw_undo"
EDIT = "claw_edit"
SELECTION = "claw_selection"
CHOICE = "claw_choice"
FORGET = "claw_forget"
# With what becomes of it: claw_schedule_pause.
SCHEDULE = "claw_schedule"
# Of work in the background: claw_background_go_on, claw_background_stop.
BACKGROUND = "claw_background"
# In the Home tab of admins.
COMPARE_ACCOUNTS = "claw_compare_accounts"
THUMBS = "claw_thumbs"
FEEDBACK_SETTLED = "claw_looked_at"
EDIT_FORM = "claw_edit_task"
COMMENT_FORM = "claw_comment"
# Shortcuts in a message's menu, by the names that the manifest gives them.
MAKE_TASK = "claw_make_task"
ASK_ABOUT = "claw_ask_about"
ASK_FORM = "claw_ask_form"

_RATINGS = frozenset(rating.value for rating in Rating)
_VERSION = re.compile(r"[0-9a-f]{16}")


class ShownVersion(NamedTuple):
    """A proposal, and the version of it that a card shows."""

    proposal_id: UUID
    version: str


class Thumb(NamedTuple):
    """A rating of a run's answer."""

    rating: Rating
    run_id: UUID


def button_value(proposal: Proposal) -> str:
    """Return a button's value: the proposal and the version that is shown."""
    return f"{proposal.id}:{proposal.fingerprint[:16]}"


def page_button_value(proposal: Proposal, page: int) -> str:
    """Return the value of a paging button: the version shown, and the page it leads to."""
    return f"{button_value(proposal)}:{page}"


def is_of_memory(value: str) -> bool:
    """Return whether a value names a note, preference, schedule or work, and what becomes of it."""
    kind, _, key = value.partition(":")
    match kind:
        case "note" | "reminder" | "pause" | "resume" | "rarer" | "run" | "go_on" | "stop":
            return read_id(key) is not None
        case "preference":
            return _VERSION.fullmatch(key) is not None
        case _:
            return False


def read_id(value: str) -> UUID | None:
    """Return the id in a button's value; None if the value is not ours."""
    try:
        parsed = UUID(value)
    except ValueError:
        return None
    # The constructor takes other notations, too, which we never issue.
    return parsed if str(parsed) == value else None


def read_thumb(value: str) -> Thumb | None:
    """Return rating and run of a thumb; None if the value is not ours."""
    rating, _, run = value.partition(":")
    run_id = read_id(run)
    return Thumb(Rating(rating), run_id) if run_id and rating in _RATINGS else None


def read_version(value: str) -> ShownVersion | None:
    """Return what a button of one proposal is about; None if the value is not ours."""
    proposal, _, version = value.partition(":")
    proposal_id = read_id(proposal)
    if proposal_id is None or not _VERSION.fullmatch(version):
        return None
    return ShownVersion(proposal_id, version)


def read_versions(value: str) -> list[ShownVersion] | None:
    """Return what a button of several proposals is about; None if the value is not ours."""
    versions = [read_version(part) for part in value.split(",")]
    known = [version for version in versions if version is not None]
    return known if len(known) == len(versions) else None
