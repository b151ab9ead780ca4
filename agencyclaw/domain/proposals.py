"""A stored effect that waits for a person, and the states it goes through."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.people import Place, Value
from agencyclaw.domain.text import digest

LIFETIME_S = 600
# Of one person in one conversation; more than that nobody reads before saying yes.
OPEN_AT_MOST = 10


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
    """An effect, whose it is, where it was shown, and how far it got."""

    id: UUID
    receipt_id: int
    run_id: UUID | None
    ordinal: int
    place: Place
    actor_profile_id: UUID
    actor_slack_user_id: str
    actor_name: str
    effect: Effect
    fingerprint: str
    state: ProposalState
    created_at: datetime
    expires_at: datetime | None
    settled_at: datetime | None = None
    settled_by: str | None = None
    confirmed_by: UUID | None = None
    confirming_receipt_id: int | None = None
    superseded_by: UUID | None = None
    undo_of: UUID | None = None
    undone_by: UUID | None = None
    result: dict[str, Any] | None = None
    reason: str | None = None

    @property
    def is_untouched(self) -> bool:
        """Whether the stored effect is still the one that was shown."""
        expected = fingerprint(self.effect, self.actor_profile_id, self.place)
        return expected == self.fingerprint


def fingerprint(effect: Effect, actor_profile_id: UUID, place: Place) -> str:
    """Bind the exact effect to who asked and where; expiry stays outside."""
    return digest(
        {
            "skill": effect.skill,
            "effect": effect.model_dump(mode="json"),
            "actor": str(actor_profile_id),
            "place": place.key,
        }
    )
