"""Ratings of answers: a thumb up or down, and a comment."""

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


class RatingPress(Value):
    """A pressed thumb: by whom, under which answer, and where."""

    run_id: UUID
    place: Place
    slack_user_id: str
    rating: Rating


class RatingKept(NamedTuple):
    """The rating is stored; `comment` is what the person wrote before."""

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
    """Open complaints, newest first, as many as are shown, and their total.

    `helpful` counts the answers of the last thirty days that were rated helpful.
    """

    shown: tuple[Complaint, ...]
    waiting: int
    helpful: int
    timezone: str = "UTC"
