"""Matches names that people type with the names of records; all records use this matcher.

A match is sure if the name equals one of the record's names: as written; without case, accents and
punctuation; or without the record's legal form ("Ltd"). Otherwise the record is only a candidate:
if the names share their first words or the beginnings of their words, are spelled alike, or differ
in a legal form elsewhere or of another kind: "PPC Sp" is not surely "PPC", because it may be cut
from "PPC Specialist". The middle or end of a word matches nothing, and a legal form alone is never
sure to be a longer name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from cleanco import basename
from rapidfuzz import fuzz

from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded, plain

ALIKE = 85
SHORTEST_ALIKE = 3
_BETWEEN_WORDS = re.compile(r"[\W_]+")


class Nameable(Protocol):
    """Something with names: the first is its title, `full_name` distinguishes namesakes."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        ...

    @property
    def full_name(self) -> str:
        """The name with what distinguishes it from namesakes."""
        ...


class OneName(Value):
    """Something that is called by its name alone, whatever else is called so."""

    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.name,)

    @property
    def full_name(self) -> str:
        """The same: nothing distinguishes it from namesakes."""
        return self.name


T = TypeVar("T", bound=Nameable)


@dataclass(frozen=True)
class Match(Generic[T]):
    """The candidates for a name, the most likely first.

    - `is_sure`: it is one of their names
    - `is_exact`: it is so with its legal form
    - `is_begun`: it is the first words of their names
    - `is_bare`: it equals one of their names except for a legal form that is not at the end
    """

    things: tuple[T, ...] = ()
    is_sure: bool = False
    is_exact: bool = False
    is_begun: bool = False
    is_bare: bool = False

    @property
    def is_likely(self) -> bool:
        """Whether it is the first words of a name, or a name except for a legal form."""
        return self.is_begun or self.is_bare

    @property
    def decides(self) -> bool:
        """Whether there is a single candidate that has this name or whose name begins so."""
        return len(self.things) == 1 and (self.is_sure or self.is_begun)


def match_names(hint: str, things: Iterable[T]) -> Match[T]:
    """Return the candidates of the best kind of match; punctuation alone matches nothing."""
    candidates = tuple(things)
    for form in (_as_written(hint, candidates), plain_name):
        equal = _equal_in(form, hint, candidates)
        if equal:
            return Match(equal, is_sure=True, is_exact=True)
    bare = _equal_in(_without_any_form, hint, candidates)
    companies = tuple(thing for thing in candidates if _is_company(hint, thing))
    if companies:
        return Match(tuple(dict.fromkeys((*companies, *bare))), is_sure=True)
    words = plain_name(hint).split()
    begun = tuple(thing for thing in candidates if words and _begins(words, thing))
    is_enough = len(" ".join(words)) >= SHORTEST_ALIKE and bool(_without_any_form(hint))
    likely = tuple(dict.fromkeys((*bare, *begun))) or _alike(words, candidates)
    return Match(likely, is_begun=bool(begun) and is_enough, is_bare=bool(bare))


def _as_written(hint: str, things: tuple[T, ...]) -> Callable[[str], str]:
    """Return the form in which names are compared first: with accents if that equals a title.

    Else "Cafe" is as much Ana Café's last name as Cafe Nguyen's first.
    """
    is_whole = any(folded(thing.names[0]) == folded(hint) for thing in things)
    return folded if is_whole else plain_name


def also_meant(thing: T, things: Iterable[T], texts: Iterable[str]) -> tuple[T, ...]:
    """Return the others that the texts may mean: those that share a name with `thing` in them.

    `texts` are in order of precedence; the first that has a name of only one of them decides. The
    first name of a thing counts as its own, even if it is a further name of another.
    """
    forms = {candidate: _all_forms(candidate) for candidate in things}
    namesakes = [other for other in forms if other != thing and forms[other] & forms[thing]]
    if not namesakes:
        return ()
    candidates = (thing, *namesakes)
    known_forms = frozenset[str]().union(*(forms[candidate] for candidate in candidates))
    mentioned: set[str] = set()
    for text in texts:
        named = _longest(known_forms, text)
        alone = [candidate for candidate in candidates if named & _own_forms(candidate, forms)]
        if alone:
            return () if thing in alone else tuple(alone)
        mentioned |= named
    return tuple(other for other in namesakes if mentioned & forms[other] & forms[thing])


def may_single_out(text: str, thing: T, namesakes: Sequence[T]) -> bool:
    """Return whether an answer may single out `thing` of those that share a name with it.

    It names no other of them alone, and is not just that name again.
    """
    candidates = (thing, *namesakes)
    if not also_meant(thing, candidates, [text]):
        return True
    names_another = any(not also_meant(one, candidates, [text]) for one in namesakes)
    return not names_another and plain_name(text) not in _all_forms(thing)


def _all_forms(thing: Nameable) -> frozenset[str]:
    names = (form(name) for name in thing.names for form in (plain_name, _without_legal_form))
    return frozenset(names) - {""}


def _own_forms(thing: T, forms: Mapping[T, frozenset[str]]) -> frozenset[str]:
    """Return the forms that no other thing has, and the first name unless it is another's too."""
    others = [other for other in forms if other != thing]
    first_name = {plain_name(thing.names[0])} - {plain_name(other.names[0]) for other in others}
    return forms[thing].difference(*(forms[other] for other in others)) | first_name


def _longest(forms: Iterable[str], text: str) -> frozenset[str]:
    """Return the forms that occur in a text and not within another: no "Rod" in "Rod Ltd"."""
    occurring = [form for form in forms if has_words(text, form)]
    return frozenset(
        form
        for form in occurring
        if not any(other != form and has_words(other, form) for other in occurring)
    )


def names_in(text: str, things: Iterable[T]) -> tuple[T, ...]:
    """Return those whose name occurs in a text, as whole words in order."""
    return tuple(
        thing for thing in things if any(has_words(text, name) for name in _plain_names(thing))
    )


def has_words(text: str, words: str) -> bool:
    """Return whether whole words occur in a text in this order."""
    phrase = plain_name(words)
    return bool(phrase) and f" {phrase} " in f" {plain_name(text)} "


def _plain_names(thing: Nameable) -> set[str]:
    return {name for name in map(plain_name, thing.names) if len(name) >= SHORTEST_ALIKE}


def distinct_names(things: Sequence[T]) -> list[str]:
    """Return a name for each thing; namesakes get their full names."""
    times = Counter(folded(thing.names[0]) for thing in things)
    return [
        thing.names[0] if times[folded(thing.names[0])] == 1 else thing.full_name
        for thing in things
    ]


@lru_cache(maxsize=50_000)
def plain_name(text: str) -> str:
    """Return a name's words without case, accents and punctuation."""
    return _BETWEEN_WORDS.sub(" ", plain(text)).strip()


@lru_cache(maxsize=50_000)
def _without_legal_form(text: str) -> str:
    return plain_name(_stripped(text))


@lru_cache(maxsize=50_000)
def _without_any_form(text: str) -> str:
    """Return a name without legal forms wherever they stand: "PT" is one, and a word in names."""
    return plain_name(_stripped(text, anywhere=True))


def _stripped(text: str, *, anywhere: bool = False) -> str:
    """Return a name without its legal forms; one pass leaves one of "Co. Ltd"."""
    bare: str = basename(text, prefix=anywhere, middle=anywhere)
    return bare if bare == text else _stripped(bare, anywhere=anywhere)


def _equal_in(form: Callable[[str], str], hint: str, things: Iterable[T]) -> tuple[T, ...]:
    """Return those that have a name equal to a hint when both are brought into a form."""
    hint_form = form(hint)
    if not hint_form:
        return ()
    return tuple(thing for thing in things if hint_form in map(form, thing.names))


def _is_company(hint: str, thing: Nameable) -> bool:
    """Return whether a hint is one of its names, with the same legal form or without any."""
    hint_name, hint_form = _split_legal_form(hint)
    known = (_split_legal_form(name) for name in thing.names)
    return bool(hint_name) and any(
        hint_name == name and hint_form in ("", form) for name, form in known
    )


def _split_legal_form(text: str) -> tuple[str, str]:
    """Return a name without its legal form, and the letters of that form: "sl" for "S.L."."""
    bare = _without_legal_form(text)
    return bare, plain_name(text).removeprefix(bare).replace(" ", "")


def _begins(words: list[str], thing: Nameable) -> bool:
    return any(plain_name(name).split()[: len(words)] == words for name in thing.names)


def _alike(words: list[str], things: tuple[T, ...]) -> tuple[T, ...]:
    if len(" ".join(words)) < SHORTEST_ALIKE:
        return ()
    for similarity in (_word_by_word, _as_wholes):
        scored = [(max(similarity(words, name) for name in thing.names), thing) for thing in things]
        likely = [(score, thing) for score, thing in scored if score >= ALIKE]
        if likely:
            return tuple(thing for _, thing in sorted(likely, key=lambda pair: -pair[0]))
    return ()


def _word_by_word(words: list[str], name: str) -> float:
    """Return the similarity of a name's least similar word, 0 to 100."""
    known = plain_name(name).split()
    return min(max((likeness(word, other) for other in known), default=0) for word in words)


def _as_wholes(words: list[str], name: str) -> float:
    """Return the similarity of two names that share words, 0 to 100."""
    asked = " ".join(words)
    forms = (plain_name(name), _without_legal_form(name))
    return max(fuzz.token_set_ratio(asked, form) for form in forms)


def likeness(word: str, known: str) -> float:
    """Return the similarity of two plain words, 0 to 100; a short one matches only itself."""
    if word == known:
        return 100
    if len(word) < SHORTEST_ALIKE:
        return 0
    return 90 if known.startswith(word) else fuzz.ratio(word, known)
