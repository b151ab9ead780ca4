"""What counts as a yes or no: the closed list of words, and the rules of a direct reply."""

from agencyclaw.domain.consent.reply import (
    Cancels,
    Confirms,
    Conversation,
    HasEnded,
    Posted,
    Ruling,
    Said,
    Shown,
    Uncertain,
    WordsOver,
    judge_word,
)
from agencyclaw.domain.consent.words import Word, asks, read_word

__all__ = [
    "Cancels",
    "Confirms",
    "Conversation",
    "HasEnded",
    "Posted",
    "Ruling",
    "Said",
    "Shown",
    "Uncertain",
    "Word",
    "WordsOver",
    "asks",
    "judge_word",
    "read_word",
]
