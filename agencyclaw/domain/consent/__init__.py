"""What counts as a yes or no: the closed list of words, and the rules of a direct reply."""

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
