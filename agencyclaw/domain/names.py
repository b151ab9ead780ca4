"""Matches names people type with the names of records: the one matcher for all of them.

A name decides if it is equal to a record's name: as written; ignoring case, accents and
punctuation; without the record's legal form; or as one of its aliases. A name that only begins like
one, is spelled almost like it, or is one but for a legal form at its front, is a candidate; so is
one with a legal form that the record does not have: "PPC Sp" may be cut from "PPC Specialist". A
part of a word matches nothing, and a legal form alone decides nothing.
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


T = TypeVar("T", bound=Nameable)


@dataclass(frozen=True)
class Match(Generic[T]):
    """The candidates for a name, the most likely first; `is_sure` if it is one of their names.

    `is_exact` if nothing was ignored, such as a company's legal form; `is_begun` if it is the first
    words of theirs, `is_bare` if some are called so but for a legal form that is not at the end.
    """

    things: tuple[T, ...] = ()
    is_sure: bool = False
    is_exact: bool = False
    is_begun: bool = False
    is_bare: bool = False

    @property
    def is_likely(self) -> bool:
        """Whether a name stands in one of theirs as its first words, or but for a legal form."""
        return self.is_begun or self.is_bare

    @property
    def decides(self) -> bool:
        """Whether exactly one is called so, or is the only one whose name begins so."""
        return len(self.things) == 1 and (self.is_sure or self.is_begun)


def match_names(hint: str, things: Iterable[T]) -> Match[T]:
    """Return the candidates of the best kind of match; a name without letters matches nothing."""
    candidates = tuple(things)
    for form in (_as_written(hint, candidates), plain_name):
        wanted = form(hint)
        if matching := tuple(
            thing for thing in candidates if wanted and wanted in _forms(thing, form)
        ):
            return Match(matching, is_sure=True, is_exact=True)
    if matching := tuple(thing for thing in candidates if _is_company(hint, thing)):
        return Match(tuple(dict.fromkeys((*matching, *_bare(hint, candidates)))), is_sure=True)
    words = plain_name(hint).split()
    begun = tuple(thing for thing in candidates if words and _begins(words, thing))
    bare = _bare(hint, candidates)
    is_enough = len(" ".join(words)) >= SHORTEST_ALIKE and bool(_without_any_form(hint))
    things = tuple(dict.fromkeys((*bare, *begun))) or _alike(words, candidates)
    return Match(things, is_begun=bool(begun) and is_enough, is_bare=bool(bare))


def _as_written(hint: str, things: tuple[T, ...]) -> Callable[[str], str]:
    """Return how exactly a name is compared at first: accents tell whole names apart only.

    "Cafe" is as much Ana Café's last name as Cafe Nguyen's first.
    """
    is_whole = any(folded(thing.names[0]) == folded(hint) for thing in things)
    return folded if is_whole else plain_name


def also_meant(thing: T, things: Iterable[T], texts: Iterable[str]) -> tuple[T, ...]:
    """Return the others that texts may mean as well: they say a name of both and none of one alone.

    `texts` are in order of precedence; the first that names one of them alone decides. A title is a
    thing's own, also where it is a lesser name of another.
    """
    forms = {other: _all_forms(other) for other in things}
    namesakes = [other for other in forms if other != thing and forms[other] & forms[thing]]
    mentioned: set[str] = set()
    for text in texts if namesakes else ():
        named = _longest({form for other in (thing, *namesakes) for form in forms[other]}, text)
        alone = [other for other in (thing, *namesakes) if named & _own_forms(other, forms)]
        if alone:
            return () if thing in alone else tuple(alone)
        mentioned |= named
    return tuple(other for other in namesakes if mentioned & forms[other] & forms[thing])


def _all_forms(thing: Nameable) -> frozenset[str]:
    names = (form(name) for name in thing.names for form in (plain_name, _without_legal_form))
    return frozenset(names) - {""}


def _own_forms(thing: T, forms: Mapping[T, frozenset[str]]) -> frozenset[str]:
    others = [other for other in forms if other != thing]
    title = {plain_name(thing.names[0])} - {plain_name(other.names[0]) for other in others}
    return forms[thing].difference(*(forms[other] for other in others)) | title


def _longest(forms: Iterable[str], text: str) -> frozenset[str]:
    """Return the forms that occur in a text; not those within another: "Rod" in "Rod Ltd"."""
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
    wanted = plain_name(words)
    return bool(wanted) and f" {wanted} " in f" {plain_name(text)} "


def _plain_names(thing: Nameable) -> set[str]:
    return {name for name in map(plain_name, thing.names) if len(name) >= SHORTEST_ALIKE}


def distinct_names(things: Sequence[T]) -> list[str]:
    """Return a name for each; namesakes get what distinguishes them."""
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


def _bare(hint: str, things: tuple[T, ...]) -> tuple[T, ...]:
    """Return those whose name is a hint but for legal forms, also at its front or within it."""
    wanted = _without_any_form(hint)
    return tuple(thing for thing in things if wanted and wanted in _forms(thing, _without_any_form))


def _is_company(hint: str, thing: Nameable) -> bool:
    """Return whether a hint is a name of it with the same legal form, or without that."""
    bare, form = _parted(hint)
    known = (_parted(name) for name in thing.names)
    return bool(bare) and any(bare == own and form in ("", its) for own, its in known)


def _parted(text: str) -> tuple[str, str]:
    """Return a name without its legal form, and that form in letters only: "S.L." is "sl"."""
    bare = _without_legal_form(text)
    return bare, plain_name(text).removeprefix(bare).replace(" ", "")


def _forms(thing: Nameable, form: Callable[[str], str]) -> set[str]:
    return {form(name) for name in thing.names}


def _begins(words: list[str], thing: Nameable) -> bool:
    return any(plain_name(name).split()[: len(words)] == words for name in thing.names)


def _alike(words: list[str], things: tuple[T, ...]) -> tuple[T, ...]:
    wanted = " ".join(words)
    if len(wanted) < SHORTEST_ALIKE:
        return ()
    for likeness in (_word_by_word, _as_wholes):
        scored = [(max(likeness(words, name) for name in thing.names), thing) for thing in things]
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
