"""Finds whose words a text contains, by comparing characters; no language is understood.

A run of characters shared with a source, and with nothing trusted, is taken from that source. A
text that shares nothing is the assistant's own wording.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agencyclaw.domain.field_sources import COMPOSED, QUOTE_LIMIT, FieldSource, Material, Origin
from agencyclaw.domain.messages import message
from agencyclaw.knowledge.own_words import EDGES, sentences, whole_words

# A shared run of this length is no coincidence, and says something.
_BORROWED = 24
# What is compared of a person's own words, and how much of it a short text must share.
_OWN = 12
# A text is somebody's if at least this share of it is theirs.
_WHOLE = 0.8
_NAMES_LIMIT = 120


@dataclass(frozen=True)
class _Run:
    material: Material
    at: int
    length: int

    @property
    def end(self) -> int:
        """Where it ends in the source."""
        return self.at + self.length


@dataclass(frozen=True)
class _Ours:
    """What is nobody else's: pieces of trusted texts, and names of records, the longest first."""

    known: Mapping[str, int] = field(default_factory=dict[str, int])
    names: tuple[str, ...] = ()

    def without_names(self, run: str) -> int:
        """Return how many characters of a run are no name of a record."""
        for name in self.names:
            run = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", run)
        return len(run.strip())


_NOTHING = _Ours()
_READ_AS: dict[Origin, Callable[[str], str]] = {
    Origin.OTHERS: lambda whose: message("origin.others", whose=whose),
    Origin.PASTED: lambda whose: message("origin.pasted", whose=whose),
    Origin.FORWARDED: lambda whose: message("origin.forwarded", whose=whose),
    Origin.QUOTED: lambda whose: message("origin.quoted", whose=whose),
    Origin.FILE: lambda whose: message("origin.file", whose=whose),
}


def field_sources_of(
    prose: Mapping[str, str],
    materials: Sequence[Material],
    chosen: Iterable[str] = (),
    names: Iterable[str] = (),
) -> tuple[FieldSource, ...]:
    """Return the source of each text, by field; `names` are records chosen by id.

    A description composed by code is listed only if it contains further words of others.
    """
    trusted = [one for one in materials if one.origin.is_trusted]
    foreign = [one for one in materials if not one.origin.is_trusted]
    known = _shingles("\n".join([*(one.text for one in trusted), *chosen]), _BORROWED)
    written = _plain("\n".join(prose.values()))
    called = {one for one in map(_plain, names) if len(one) < _BORROWED and one in written} - {""}
    ours = _Ours(known, tuple(sorted(called, key=len, reverse=True)))
    is_tainted = any(one.taints for one in materials)
    bases = [
        _source_of(name, text, trusted, foreign, ours, is_tainted) for name, text in prose.items()
    ]
    return tuple(one for one in bases if one.field != COMPOSED or _adds(one, bases))


def _adds(composed: FieldSource, bases: Sequence[FieldSource]) -> bool:
    """Return whether a description contains words of others that no text of its own shows."""
    is_shown = any(
        (one.origin, one.whose, one.quote) == (composed.origin, composed.whose, composed.quote)
        for one in bases
        if one is not composed
    )
    return composed.needs_press and not is_shown


def borrows(text: str, source: str) -> bool:
    """Return whether a text shares a run with another that is too long for a coincidence."""
    shared = Material(origin=Origin.OTHERS, text=source)
    return _longest_in(text, shared, _BORROWED, _NOTHING) is not None


def _source_of(
    name: str,
    text: str,
    trusted: Sequence[Material],
    foreign: Sequence[Material],
    ours: _Ours,
    is_tainted: bool,
) -> FieldSource:
    if borrowed := _longest(text, foreign, _BORROWED, ours):
        return _from(name, text, borrowed, needs_press=True)
    is_whole = _covered(text, trusted) >= _WHOLE
    if (own := _own(text, trusted)) and (is_whole or not is_tainted):
        return _from(name, text, own, needs_press=False)
    # A description is composed by code, of texts that have fields of their own.
    needs_press = is_tainted and name != COMPOSED
    whose = _named(one for one in foreign if one.taints and not one.is_elsewhere)
    return FieldSource(field=name, origin=Origin.ASSISTANT, whose=whose, needs_press=needs_press)


def _own(text: str, trusted: Sequence[Material]) -> _Run | None:
    """Return the requester's words in a text, else a procedure's, if they are more than a scrap."""
    for origin in (Origin.TYPED, Origin.PROCEDURE):
        sources = [one for one in trusted if one.origin is origin]
        found = _longest(text, sources, _OWN, _NOTHING)
        if found and (found.length >= _BORROWED or found.length >= len(text) * _WHOLE):
            return found
    return None


def _named(sources: Iterable[Material]) -> str:
    """Name what people's texts the assistant had read here when it found its own words."""
    read = [one for one in sources if one.origin in _READ_AS and one.whose]
    found = list(dict.fromkeys((one.origin, one.whose) for one in read))
    for count in range(len(found), 0, -1):
        more = f"; and {len(found) - count} more" if count < len(found) else ""
        if len(named := _by_origin(found[:count]) + more) <= _NAMES_LIMIT:
            return named
    return ""


def _quote(text: str, run: _Run) -> str:
    """Return the sentences of the source that a text is from, or of them what a quote may hold.

    A piece of a sentence says less than its author did; a sentence between them that the text is
    not from is nobody's business there.
    """
    whole = run.material.text
    shared = [run, *_runs(text, run.material, _OWN, _NOTHING)]
    passages = (_passage(whole, shared), _passage(whole, [run]))
    fitting = (one for one in passages if 0 < len(one) <= QUOTE_LIMIT)
    return next(fitting, "") or whole_words(whole, run.at, run.end, QUOTE_LIMIT)


def _passage(whole: str, runs: Sequence[_Run]) -> str:
    """Return the sentences that hold runs; "" if others stand between them."""
    known = sentences(whole)
    held = [at for at, one in enumerate(known) if any(_is_from(whole, one, run) for run in runs)]
    if not held or held[-1] - held[0] >= len(held):
        return ""
    return whole[known[held[0]][0] : known[held[-1]][1]].strip().strip(EDGES)


def _is_from(whole: str, sentence: tuple[int, int], run: _Run) -> bool:
    """Whether a run holds enough of a sentence: one that it only ends or begins in is not meant."""
    start, end = sentence
    said = len(whole[start:end].strip().strip(EDGES))
    shared = len(whole[max(start, run.at) : min(end, run.end)].strip().strip(EDGES))
    return shared >= min(_OWN, said)


def _by_origin(found: Sequence[tuple[Origin, str]]) -> str:
    named = {origin: "; ".join(name for of, name in found if of is origin) for origin, _ in found}
    return "; ".join(_READ_AS[origin](names) for origin, names in named.items())


def _from(name: str, text: str, run: _Run, *, needs_press: bool) -> FieldSource:
    source = run.material
    is_ours = source.origin is Origin.ASSISTANT
    return FieldSource(
        field=name,
        origin=source.origin,
        whose=source.whose[:120],
        quote="" if is_ours else _quote(text, run),
        needs_press=needs_press,
        is_part=not is_ours and name != COMPOSED and _covered(text, [source]) < _WHOLE,
    )


def _longest(text: str, sources: Sequence[Material], least: int, ours: _Ours) -> _Run | None:
    """Return the longest shared run of at least this many characters."""
    runs = [run for one in sources if (run := _longest_in(text, one, least, ours))]
    return max(runs, key=lambda run: run.length, default=None)


def _longest_in(text: str, source: Material, least: int, ours: _Ours) -> _Run | None:
    runs = _runs(text, source, least, ours)
    return max(runs, key=lambda run: run.length, default=None)


def _runs(text: str, source: Material, least: int, ours: _Ours) -> Iterator[_Run]:
    """Yield the shared runs of at least this many characters."""
    words, stands = _plain(text), _plain(source.text)
    shingles = _shingles(source.text, least)
    at = 0
    while at + least <= len(words):
        piece = words[at : at + least]
        start = shingles.get(piece)
        if start is None or piece in ours.known:
            at += 1
            continue
        length = least
        while _goes_on(words, stands, at + length, start + length):
            length += 1
        if ours.without_names(words[at : at + length]) >= least:
            yield _Run(source, start, length)
        at += length


def _goes_on(words: str, stands: str, at: int, start: int) -> bool:
    return at < len(words) and start < len(stands) and words[at] == stands[start]


def _covered(text: str, sources: Sequence[Material]) -> float:
    """Return the share of a text's characters that occur in the sources."""
    words = _plain(text)
    known = [_shingles(one.text, _OWN) for one in sources]
    covered = [False] * len(words)
    for at in range(len(words) - _OWN + 1):
        if any(words[at : at + _OWN] in one for one in known):
            covered[at : at + _OWN] = [True] * _OWN
    return sum(covered) / len(words) if words else 1.0


def _shingles(text: str, length: int) -> dict[str, int]:
    plain = _plain(text)
    return {plain[at : at + length]: at for at in reversed(range(len(plain) - length + 1))}


def _plain(text: str) -> str:
    """Return a text in lower case with its length unchanged, so that positions stay valid."""
    small = text.lower()
    flat = small if len(small) == len(text) else text
    return flat.replace("\n", " ").replace("\t", " ")
