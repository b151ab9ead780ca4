"""The small closed grammar of a plain yes or no. Anything else is conversation."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum


class Word(StrEnum):
    """What a whole message means for an open proposal."""

    YES = "yes"
    NO = "no"
    COMMAND_YES = "command_yes"
    COMMAND_NO = "command_no"

    @property
    def is_yes(self) -> bool:
        """True for consent, false for refusal."""
        return self in (Word.YES, Word.COMMAND_YES)

    @property
    def is_command(self) -> bool:
        """True when the words name the act, so that code answers them even with nothing open."""
        return self in (Word.COMMAND_YES, Word.COMMAND_NO)


_POLITE = r"(?:please|pls|thanks|thank you|thx|sure|ok|okay|great|perfect|now)"
_BARE_YES = r"(?:yes|y|yep|yeah|yup|ok|okay|sure|correct|absolutely)"
_ORDER = (
    r"(?:confirm|confirmed|approve|approved|do it|do that|go ahead|go for it|create it"
    r"|create the task|create the tasks|create them|make it so|proceed|ship it|send it)"
)
_BARE_NO = r"(?:no|n|nope|nah)"
_REFUSAL = (
    r"(?:stop|cancel|cancel it|cancel that|never mind|nevermind|dont|do not|dont do it"
    r"|do not do it|dont create it|do not create it|abort|discard|discard it|forget it)"
)
_YES = re.compile(rf"(?:{_POLITE} )*(?:{_BARE_YES}|{_ORDER}|{_BARE_YES} {_ORDER})(?: {_POLITE})*")
_COMMAND = re.compile(rf"(?:{_POLITE} )*(?:{_BARE_YES} )*(?:{_POLITE} )*{_ORDER}(?: {_POLITE})*")
_NO = re.compile(rf"(?:{_POLITE} )*(?:{_BARE_NO}|{_REFUSAL}|{_BARE_NO} {_REFUSAL})(?: {_POLITE})*")
_BARE = re.compile(rf"(?:{_POLITE} )*{_BARE_NO}(?: {_POLITE})*")
_MARKS = re.compile(r"[.,;:!…]+")
_APOSTROPHES = re.compile(r"['’`´]")
_AS_IS = re.compile(r"[\n>\"“”«»?`]|```")


def read_word(text: str) -> Word | None:
    """Return what a whole message says to an open proposal, or None when it is conversation.

    Quotes, code, questions and several lines are never consent: they may be somebody else's words.
    The command words name the act too ("create it", "cancel that").
    """
    if len(text) > 80 or _AS_IS.search(text.strip()):
        return None
    words = _normal(text)
    if _NO.fullmatch(words):
        return Word.NO if _BARE.fullmatch(words) else Word.COMMAND_NO
    if _COMMAND.fullmatch(words):
        return Word.COMMAND_YES
    if _YES.fullmatch(words):
        return Word.YES
    return None


def _normal(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = _MARKS.sub(" ", _APOSTROPHES.sub("", plain))
    return " ".join(plain.split())
