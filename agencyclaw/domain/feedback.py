"""What people think of answers: a thumb up or down, and what was wrong in their own words."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.people import Place, Value

COMMENT_LIMIT = 1_000


class Rating(StrEnum):
    """Whether an answer helped."""

    UP = "up"
    DOWN = "down"


class Rated(Value):
    """A pressed thumb: whose, under which answer, and where that stands."""

    run_id: UUID
    place: Place
    slack_user_id: str
    rating: Rating


class RatingKept(NamedTuple):
    """The rating is stored; `comment` is what the person wrote about it before."""

    comment: str


class RatingRefused(NamedTuple):
    """Nothing was stored; `reason` is for the audit, `message` for the person."""

    reason: str
    message: str


class Complaint(Value):
    """A thumbs down as an admin reads it."""

    id: UUID
    run_id: UUID
    by: str
    rated_at: datetime
    question: str
    answer: str
    comment: str


class FeedbackQueue(Value):
    """What no admin has handled yet, newest first: as many as are shown, and how many there are.

    `helpful` counts the answers of the last thirty days that helped.
    """

    shown: tuple[Complaint, ...]
    waiting: int
    helpful: int
    timezone: str = "UTC"
