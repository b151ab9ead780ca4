"""A question as search reads it: phrases of the trade, then words; idle words are left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agencyclaw.domain.search import Part, Question, Reading
from agencyclaw.domain.search_keys import phrase_keys, plain_words, words_of
from agencyclaw.knowledge.glossary import Glossary, fold_words, read_glossary
from agencyclaw.knowledge.passages import passages

MOST_PARTS = 40
_NAMED_WORDS = 120
_SHORT = 2
SUBJECT = 3.0
_FOREIGN = 2
_DOUBT_ABROAD = 0.4
_RESPELT = 0.7
_LEAST_TO_RESPELL = 4
_LONG = 8


def read_question(text: str) -> Question:
    """Return what a text asks for, as a whole and in its passages; always in the same way."""
    inside = (tuple(_read(one) for one in part) for part in passages(text))
    return _read(text)._replace(passages=tuple(inside))


def _read(text: str) -> Question:
    glossary, spoken, words = read_glossary(), words_of(text), plain_words(text)
    parts = list(_distinct(_parts(words, glossary)))[:MOST_PARTS]
    if sum(fold_words((word,)) in glossary.abroad for word in set(words)) >= _FOREIGN:
        parts = [part._replace(doubt=part.doubt * _DOUBT_ABROAD) for part in parts]
    keys = tuple(phrase_keys(spoken[:_NAMED_WORDS]))
    return Question(spoken=tuple(spoken), keys=keys, parts=tuple(parts))


def _parts(words: list[str], glossary: Glossary) -> Iterable[Part]:
    at = 0
    while at < len(words):
        size = _phrase(words, at, glossary)
        said = tuple(words[at : at + size])
        at += size
        own = tuple(word for word in said if not _is_idle(word, glossary)) or said
        if glossary.is_subject(said):
            yield Part(said, (Reading(said),), SUBJECT, is_subject=True)
        elif size == 1 and said[0] in glossary.silent:
            # "to" is not one of several "TOS", nor "me" a "mes".
            continue
        elif readings := glossary.readings(said):
            everyday = size == 1 and fold_words(said) in glossary.everyday
            yield Part(said, (Reading(own), *readings), is_everyday=everyday)
        elif not said[0].isdecimal() and not _is_idle(said[0], glossary):
            # How many or how much says for what the work is done, not which work it is.
            yield _word(said[0], glossary)


def _phrase(words: list[str], at: int, glossary: Glossary) -> int:
    """Return how many words from here on are a phrase of the trade, the longest one."""
    for size in range(min(glossary.longest, len(words) - at), 1, -1):
        phrase = words[at : at + size]
        if glossary.readings(phrase) or glossary.is_subject(phrase):
            return size
    return 1


def _word(word: str, glossary: Glossary) -> Part:
    doubt = 0.0 if len(word) <= _SHORT or any(c.isdigit() for c in word) else 1.0
    return Part(
        (word,),
        (Reading((word,)), *glossary.inside(word)),
        doubt,
        is_everyday=fold_words((word,)) in glossary.everyday,
    )


def _is_idle(word: str, glossary: Glossary) -> bool:
    return fold_words((word,)) in glossary.idle


def _distinct(parts: Iterable[Part]) -> Iterable[Part]:
    seen: set[str] = set()
    for part in parts:
        key = fold_words(part.said)
        if key not in seen:
            seen.add(key)
            yield part


def doubtful_words(question: Question) -> list[str]:
    """Return the words that may be misspelt: long, of letters only, unknown to the trade."""
    return [
        part.said[0]
        for part in question.parts
        if len(part.said) == 1
        and len(part.readings) == 1
        and len(part.said[0]) >= _LEAST_TO_RESPELL
        and part.said[0].isalpha()
    ]


def respell(
    question: Question, stems: Mapping[str, str], near: Mapping[str, Sequence[str]]
) -> Question | None:
    """Read words also as what they may have been meant to be; None when nothing fits.

    `stems` has the stem of each doubtful word, `near` the known stems that look like it.
    """
    parts = [
        _respelt(part, stem, near.get(stem, ())) if (stem := stems.get(part.said[0])) else part
        for part in question.parts
    ]
    if parts == list(question.parts):
        return None
    return question._replace(parts=tuple(parts), is_respelt=True)


def _respelt(part: Part, stem: str, near: Sequence[str]) -> Part:
    if _is_idle_respelt(part.said[0]):
        return part._replace(doubt=0.0)
    meant = [
        *(Reading((other,), _RESPELT) for other in near if _is_near(stem, other)),
        *_respelt_trade(part.said[0]),
    ]
    return part._replace(readings=(*part.readings, *meant)) if meant else part


def _is_idle_respelt(word: str) -> bool:
    """Return whether a word was meant to be one that says nothing: two letters changed places."""
    idle = read_glossary().silent
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    return any(other in idle for other in swapped)


def _respelt_trade(word: str) -> Iterable[Reading]:
    if len(word) < _LEAST_TO_RESPELL:
        return
    glossary = read_glossary()
    for other in glossary.by_initial.get(word[:1], ()):
        if _is_near(word, other):
            readings = glossary.spelt[other]
            yield from (Reading(one.words, one.strength * _RESPELT) for one in readings)


def is_near_name(key: str, name: str) -> bool:
    """Return whether a run of words was meant to be a name: a slip in every five letters."""
    most = len(name) // 5
    if len(name) < _LONG or abs(len(key) - len(name)) > most or key[:1] != name[:1]:
        return False
    return slips(key, name, most) <= most


def _is_near(word: str, other: str) -> bool:
    """One slip in a short word, two in a long one, and never in the first letter."""
    most = 2 if len(word) >= _LONG else 1
    if min(len(word), len(other)) < _LEAST_TO_RESPELL or word[:1] != other[:1]:
        return False
    return abs(len(word) - len(other)) <= most and slips(word, other, most) <= most


def slips(word: str, other: str, most: int) -> int:
    """Count letters that are wrong, missing, too many or swapped; stops past `most`."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(word, 1):
        now = [row]
        for col, its in enumerate(other, 1):
            cost = min(last[col] + 1, now[col - 1] + 1, last[col - 1] + (letter != its))
            if row > 1 and col > 1 and letter == other[col - 2] and word[row - 2] == its:
                cost = min(cost, before[col - 2] + 1)
            now.append(cost)
        if min(now) > most + 1:
            return most + 1
        before, last = last, now
    return last[-1]
