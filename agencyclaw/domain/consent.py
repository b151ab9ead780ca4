"""The small closed grammar of a plain yes or no, one entry per language.

Only a whole message counts, and only when it is made of nothing but these phrases. Anything else
is conversation. A language is added by one more entry of `LANGUAGES`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


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


@dataclass(frozen=True)
class Grammar:
    """The phrases of one language, in small letters, without marks and apostrophes.

    `orders` and `refusals` name the act; `manners` may stand around all of them.
    """

    yes: tuple[str, ...]
    orders: tuple[str, ...]
    no: tuple[str, ...]
    refusals: tuple[str, ...]
    manners: tuple[str, ...]

    def read(self, words: str) -> Word | None:
        """Return what these normalised words say, or None; a no is looked for first."""
        return next((word for word, form in self._forms if form.fullmatch(words)), None)

    @cached_property
    def _forms(self) -> tuple[tuple[Word, re.Pattern[str]], ...]:
        manners = _one_of(self.manners)

        def naming(bare: tuple[str, ...], acts: tuple[str, ...]) -> re.Pattern[str]:
            before = rf"(?:{manners} )*(?:{_one_of(bare)} )*(?:{manners} )*"
            return re.compile(rf"{before}{_one_of(acts)}(?: {manners})*")

        def plain(bare: tuple[str, ...]) -> re.Pattern[str]:
            after = _one_of((*bare, *self.manners))
            return re.compile(rf"(?:{manners} )*{_one_of(bare)}(?: {after})*")

        return (
            (Word.NO, plain(self.no)),
            (Word.COMMAND_NO, naming(self.no, self.refusals)),
            (Word.COMMAND_YES, naming(self.yes, self.orders)),
            (Word.YES, plain(self.yes)),
        )


def _one_of(phrases: Iterable[str]) -> str:
    return f"(?:{'|'.join(re.escape(phrase) for phrase in phrases)})"


def phrases(listed: str) -> tuple[str, ...]:
    """Return the phrases of a list with commas."""
    return tuple(" ".join(phrase.split()) for phrase in listed.split(","))


ENGLISH = Grammar(
    yes=phrases(
        "yes, y, yep, yeah, yea, yup, aye, ok, okay, sure, correct, absolutely, definitely,"
        " certainly, of course, affirmative"
    ),
    orders=phrases(
        "confirm, confirmed, confirm it, confirm that, i confirm,"
        " approve, approved, approve it, approve that, i approve,"
        " do it, do that, do so, go ahead, go for it, make it so, proceed,"
        " create, create it, create that, create them, create the task, create the tasks,"
        " ship it, send it, apply it, save it"
    ),
    no=phrases("no, n, nope, nah, no way"),
    refusals=phrases(
        "stop, stop it, cancel, cancel it, cancel that, cancel this, abort, never mind, nevermind,"
        " dont, do not, dont do it, do not do it, dont do that, dont create it, do not create it,"
        " discard, discard it, drop it, scrap it, forget it, forget that, no need, not now"
    ),
    manners=phrases(
        "please, pls, kindly, thanks, thank you, many thanks, thx, cheers, sure, ok, okay, great,"
        " perfect, cool, fine, good, now, then"
    ),
)
LANGUAGES: dict[str, Grammar] = {"en": ENGLISH}

_MARKS = re.compile(r"[.,;:!…()*_–—-]+")
_APOSTROPHES = re.compile(r"['’`´]")
_AS_IS = re.compile(r"[\n>\"“”«»?`~]")
_LIMIT = 80


def read_word(text: str, languages: Mapping[str, Grammar] = LANGUAGES) -> Word | None:
    """Return what a whole message says to an open proposal, or None when it is conversation.

    Quotes, code, strikes, questions and several lines are never consent: they may be somebody
    else's words, or taken back. Where one language reads a yes and another a no, it is a no.
    """
    if len(text) > _LIMIT or _AS_IS.search(text.strip()):
        return None
    words = normal(text)
    read = [word for grammar in languages.values() if (word := grammar.read(words))]
    return next((word for word in read if not word.is_yes), read[0] if read else None)


def normal(text: str) -> str:
    """Return a text without case, marks, apostrophes and spare spaces: the form of the table."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = _MARKS.sub(" ", _APOSTROPHES.sub("", plain))
    return " ".join(plain.split())
