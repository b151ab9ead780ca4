"""Recognises a plain yes or no, and decides which card it answers."""

from agencyclaw.domain.consent.reply import (
    Cancels,
    CardInSight,
    Confirms,
    ConsentReply,
    HasEnded,
    NotConsent,
    Posted,
    Ruling,
    Uncertain,
    WordsOver,
    judge_word,
)
from agencyclaw.domain.consent.words import Word, asks, read_word

__all__ = [
    "Cancels",
    "CardInSight",
    "Confirms",
    "ConsentReply",
    "HasEnded",
    "NotConsent",
    "Posted",
    "Ruling",
    "Uncertain",
    "Word",
    "WordsOver",
    "asks",
    "judge_word",
    "read_word",
]
