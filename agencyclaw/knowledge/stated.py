"""Whether a fact was said by people: its words of meaning stand in what they wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agencyclaw.domain.search_keys import telling, words_of

# Words of grammar and of wishing: a fact may put them around what was said.
_FREE = frozenset(
    words_of(
        "a an the this that these those and or but if when of to in on at by for from with as into"
        " is are was were be been being am do does did has have had will would shall should can"
        " i me my we us our you your he him his she her they them their it its who whom which"
        " prefer prefers want wants like likes wish wishes need needs ask asks say says please"
        " client customer person brand there here so than then also just very answer answers"
    )
)
_NEGATED = re.compile(
    r"\b(?:no|not|never|without|none|nobody|nothing|neither|nor)\b|n['’]t\b", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_LEAST = 4


def unstated(fact: str, said: Sequence[str], *, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the words of a fact that nobody said; none where it was stated.

    Names of the client and its brands may be put in for "they". Where the sentence that it comes
    from says no and the fact does not, or the other way round, it was not stated either.
    """
    known = _FREE.union(*(words_of(name) for name in names))
    plain = _NEGATED.sub(" ", telling(fact))
    wanted = list(dict.fromkeys(word for word in words_of(plain) if word not in known))
    spoken = {word for text in said for word in words_of(text)}
    missing = tuple(word for word in wanted if not any(_is_same(word, one) for one in spoken))
    return missing or _turned(fact, wanted, said)


def _is_same(word: str, other: str) -> bool:
    """Ships and shipping are one word; numbers and short words must be equal."""
    if word == other:
        return True
    short, long = sorted((word.removesuffix("e"), other.removesuffix("e")), key=len)
    return len(short) >= _LEAST and not short[0].isdigit() and long.startswith(short)


def _turned(fact: str, wanted: Sequence[str], said: Sequence[str]) -> tuple[str, ...]:
    sentences = [one for text in said for one in _SENTENCE.split(text)]

    def shared(sentence: str) -> int:
        words = words_of(sentence)
        return sum(any(_is_same(word, one) for one in words) for word in wanted)

    most = max(map(shared, sentences), default=0)
    sources = [one for one in sentences if shared(one) == most]
    is_turned = bool(_NEGATED.search(fact))
    if not sources or any(bool(_NEGATED.search(one)) == is_turned for one in sources):
        return ()
    return ("not",)
