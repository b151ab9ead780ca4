"""Proposals: stored effects that wait for a person, and their states."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from agencyclaw.domain.changes import Change
from agencyclaw.domain.effects import EFFECT, Effect
from agencyclaw.domain.people import Place, Value
from agencyclaw.domain.press import PressReason
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.text import counted, digest, folded
from agencyclaw.domain.unsupported import UnsupportedEffect

# How long a plain yes counts after the card was last posted, and how long its buttons do.
WORDS_S = 600
WORDS_FOR = counted(WORDS_S // 60, "minute")
PRESS_S = 12 * 3600
# How long after it was done a press still undoes it.
UNDO_WINDOW = timedelta(minutes=10)
# At most so many confirmed proposals of a person are read, the latest ones.
CONFIRMED_READ = 200
# How long an unanswered question keeps a proposal from being confirmed by words.
QUESTION_S = 600
# Open proposals of one person in one conversation; nobody reads more before saying yes.
OPEN_AT_MOST = 10
# Why a confirmed proposal is not carried out yet; `result["for"]` says what it waits for.
WAITING = "waiting"
# Why a request of unknown outcome waits: it is looked for, or left to a person. That is kept when
# it is confirmed again, because it may have been sent.
LOOKING, UNDECIDED = "looking", "undecided"
# It is under way while our own database can't be reached; stored in no row.
UNRECORDED = "unrecorded"


class ProposalState(StrEnum):
    """draft → open → confirmed → executing → done | unclear | failed; or an end without effect."""

    DRAFT = "draft"
    OPEN = "open"
    CONFIRMED = "confirmed"
    EXECUTING = "executing"
    DONE = "done"
    UNCLEAR = "unclear"
    FAILED = "failed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"


class Proposal(Value):
    """An effect with its owner, place and state.

    `words_until` is None if only a press confirms; `press_reason`, which no row has, says why.
    `is_being_undone` while what undoes it, `undone_by`, was confirmed and has not ended.
    `card_id` is the delivery that shows it now, `suspended_by` the receipt of a message that asks
    for another version.
    """

    id: UUID
    receipt_id: int
    run_id: UUID | None
    place: Place
    actor_profile_id: UUID
    actor_slack_user_id: str
    actor_name: str
    effect: Effect | UnsupportedEffect
    fingerprint: str
    state: ProposalState
    created_at: datetime
    expires_at: datetime | None
    words_until: datetime | None = None
    press_only: bool = True
    press_reason: PressReason | None = None
    card_id: UUID | None = None
    suspended_by: int | None = None
    settled_at: datetime | None = None
    settled_by: str | None = None
    confirmed_by: UUID | None = None
    confirming_receipt_id: int | None = None
    superseded_by: UUID | None = None
    undo_of: UUID | None = None
    undone_by: UUID | None = None
    is_being_undone: bool = False
    result: dict[str, Any] | None = None
    reason: str | None = None
    was_begun: bool = False

    @property
    def may_be_sent(self) -> bool:
        """Whether a request for it may have been sent already."""
        is_unknown = self.reason in (LOOKING, UNDECIDED)
        return self.was_begun or is_unknown or self.state is ProposalState.UNCLEAR

    @property
    def undo_until(self) -> datetime | None:
        """Until when a press undoes it; None if it was not done, can't be reversed, or has been."""
        can_undo = (self.result or {}).get("can_undo") is True and not self.undone_by
        if self.state is not ProposalState.DONE or self.settled_at is None or not can_undo:
            return None
        return self.settled_at + UNDO_WINDOW

    def can_be_undone(self, now: datetime) -> bool:
        """Whether a press undoes it still; `now` is by the clock that stamps proposals."""
        return self.undo_until is not None and now < self.undo_until

    @property
    def is_untouched(self) -> bool:
        """Whether the stored effect is unchanged since it was shown."""
        expected = fingerprint(self.effect, self.actor_profile_id, self.place)
        return expected == self.fingerprint


def lapsed(proposal: Proposal) -> Proposal:
    """Return a proposal, as expired if its time is over even though its row still says open."""
    is_over = proposal.expires_at is not None and proposal.expires_at <= datetime.now(UTC)
    if proposal.state is not ProposalState.OPEN or not is_over:
        return proposal
    ended = {"state": ProposalState.EXPIRED, "settled_at": proposal.expires_at}
    return proposal.model_copy(update=ended)


def fingerprint(effect: Effect | UnsupportedEffect, actor_profile_id: UUID, place: Place) -> str:
    """Return a hash of the exact effect, its owner and place; not of the expiry."""
    return digest(
        {
            "skill": effect.prepared_by if isinstance(effect, UnsupportedEffect) else effect.skill,
            "effect": stored_of(effect),
            "actor": str(actor_profile_id),
            "place": place.key,
        }
    )


def takes_place_of(new: Change, proposal: Proposal) -> bool:
    """Return whether an effect supersedes an open proposal of the same person and place.

    It does if both are on the same subject, or if it is a task that says it replaces that one. A
    task that `replaces_alone` leaves other proposals on its subject open.
    """
    old = proposal.effect
    if new.skill != (old.prepared_by if isinstance(old, UnsupportedEffect) else old.skill):
        return False
    is_alone = isinstance(new, CreateTask) and new.replaces_alone
    return (new.subject == old.subject and not is_alone) or names_as_replaced(new, proposal)


def names_as_replaced(new: Change, proposal: Proposal) -> bool:
    """Return whether a task says that it replaces this proposal, by its id or else its title."""
    old = proposal.effect
    if not isinstance(new, CreateTask) or not isinstance(old, CreateTask):
        return False
    if new.replaces_card:
        return new.replaces_card == proposal.id
    return new.client.id == old.client.id and folded(new.replaces) == folded(old.title)


def corrects(new: Change, draft: Proposal) -> bool:
    """Return whether an effect replaces a draft of its own run.

    It does if it is the same effect again, a change of the same existing task, which has all of the
    draft's, or a task that names the draft as replaced; by title only within a brand, because the
    same title under another brand is another task.
    """
    if new.is_same_as(draft.effect):
        return True
    if isinstance(new, UpdateTask) and isinstance(draft.effect, UpdateTask):
        return new.subject == draft.effect.subject
    if not names_as_replaced(new, draft) or not isinstance(new, CreateTask):
        return False
    old = draft.effect
    return bool(new.replaces_card) or (isinstance(old, CreateTask) and new.brand == old.brand)


def read_effect(stored: dict[str, Any], prepared_by: str, thing: str) -> Effect | UnsupportedEffect:
    """Return a stored effect; unsupported if it would not be stored the same way again."""
    try:
        effect = EFFECT.validate_python(stored)
    except ValidationError:
        effect = None
    if effect is None or stored_of(effect) != stored:
        return UnsupportedEffect(stored=stored, prepared_by=prepared_by, stored_entity=thing)
    return effect


def stored_of(effect: Effect | UnsupportedEffect) -> dict[str, Any]:
    """Return an effect as its row has it.

    Fields added by a later version are left out, so the fingerprint of what was shown stays the
    same.
    """
    if isinstance(effect, UnsupportedEffect):
        return effect.stored
    return effect.model_dump(mode="json", exclude_unset=True)
