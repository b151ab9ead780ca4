"""Finds the source of each text of an effect by comparing characters, in any language.

A long run of characters that a text shares with an untrusted source, and with no trusted one, is a
quote from that source. A text that shares nothing is the assistant's own wording.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agencyclaw.domain.field_sources import COMPOSED, QUOTE_LIMIT, FieldSource, Material, Origin
from agencyclaw.domain.messages import message
from agencyclaw.domain.quotes import occurs_in
from agencyclaw.knowledge.own_words import EDGES, sentences, whole_words

# A shared run of this many characters is no coincidence.
_BORROWED = 24
# The shortest run that counts as words of a trusted source.
_OWN = 12
# A text comes from a source if it shares at least this part of its characters with it.
_WHOLE = 0.8
_NAMES_LIMIT = 120


@dataclass(frozen=True)
class _Run:
    """Characters that a text shares with a source: where they begin in the source, how many."""

    material: Material
    at: int
    length: int

    @property
    def end(self) -> int:
        """Where it ends in the source."""
        return self.at + self.length


@dataclass(frozen=True)
class _Trusted:
    """What no source is credited for: pieces of trusted texts, and names of records."""

    pieces: Mapping[str, int] = field(default_factory=dict[str, int])
    # The longest first.
    names: tuple[str, ...] = ()

    def length_without_names(self, run: str) -> int:
        """Return how many characters of a run belong to no name of a record."""
        for name in self.names:
            run = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", run)
        return len(run.strip())


_NOTHING = _Trusted()
_AUTHORS_LABEL: dict[Origin, Callable[[str], str]] = {
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
    """Return the source of each text, by field.

    `chosen` are texts of records chosen by id, `names` are names of such records. The description,
    which code composes, is listed only if it contains words of others that no other field has.
    """
    trusted = [material for material in materials if material.origin.is_trusted]
    foreign = [material for material in materials if not material.origin.is_trusted]
    pieces = _shingles("\n".join([*(material.text for material in trusted), *chosen]), _BORROWED)
    written = _plain("\n".join(prose.values()))
    used_names = {name for name in map(_plain, names) if name and name in written}
    short_names = (name for name in used_names if len(name) < _BORROWED)
    ours = _Trusted(pieces, tuple(sorted(short_names, key=len, reverse=True)))
    is_tainted = any(material.taints for material in materials)
    sources = [
        _source_of(name, text, trusted, foreign, ours, is_tainted) for name, text in prose.items()
    ]
    return tuple(
        source for source in sources if source.field != COMPOSED or _is_new(source, sources)
    )


def _is_new(composed: FieldSource, sources: Sequence[FieldSource]) -> bool:
    """Return whether a description contains words of others that no other field has."""
    quoted = (composed.origin, composed.whose, composed.quote)
    others = (source for source in sources if source is not composed)
    is_shown = any((source.origin, source.whose, source.quote) == quoted for source in others)
    return composed.needs_press and not is_shown


def borrows(text: str, source: str) -> bool:
    """Return whether a text shares a run with another that is too long for a coincidence."""
    return (
        _longest(text, [Material(origin=Origin.OTHERS, text=source)], _BORROWED, _NOTHING)
        is not None
    )


def _source_of(
    name: str,
    text: str,
    trusted: Sequence[Material],
    foreign: Sequence[Material],
    ours: _Trusted,
    is_tainted: bool,
) -> FieldSource:
    if borrowed := _longest(text, foreign, _BORROWED, ours):
        return _from(name, text, borrowed, needs_press=True)
    own = _own(text, trusted)
    is_whole = _covered(text, trusted) >= _WHOLE or (own and own.length == len(text))
    if own and (is_whole or not is_tainted):
        return _from(name, text, own, needs_press=False)
    # Code composes the description from texts that are listed themselves.
    needs_press = is_tainted and name != COMPOSED
    whose = _authors(
        material for material in foreign if material.taints and not material.is_elsewhere
    )
    return FieldSource(field=name, origin=Origin.ASSISTANT, whose=whose, needs_press=needs_press)


def _own(text: str, trusted: Sequence[Material]) -> _Run | None:
    """Return the requester's words in a text, else a procedure's, if they are long enough."""
    for origin in (Origin.TYPED, Origin.PROCEDURE):
        sources = [material for material in trusted if material.origin is origin]
        if len(text) < _OWN:
            # A short text, such as a name, counts as a whole and not within another word.
            sources = [one for one in sources if occurs_in(text.casefold(), one.text.casefold())]
        run = _longest(text, sources, min(_OWN, len(text)), _NOTHING)
        if run and (run.length >= _BORROWED or run.length >= len(text) * _WHOLE):
            return run
    return None


def _authors(sources: Iterable[Material]) -> str:
    """Return whose texts the assistant had read here when it worded a text itself."""
    read = [source for source in sources if source.origin in _AUTHORS_LABEL and source.whose]
    authors = list(dict.fromkeys((source.origin, source.whose) for source in read))
    for count in range(len(authors), 0, -1):
        more = f"; and {len(authors) - count} more" if count < len(authors) else ""
        if len(named := _by_origin(authors[:count]) + more) <= _NAMES_LIMIT:
            return named
    return ""


def _quote(text: str, run: _Run) -> str:
    """Return the source's sentences that a text takes words from, or as much as a quote may hold.

    Whole sentences, because a piece may distort what its author meant; but none that the text takes
    nothing from.
    """
    whole = run.material.text
    shared = [run, *_runs(text, run.material, _OWN, _NOTHING)]
    passages = (_passage(whole, shared), _passage(whole, [run]))
    fitting = (passage for passage in passages if 0 < len(passage) <= QUOTE_LIMIT)
    return next(fitting, "") or whole_words(whole, run.at, run.end, QUOTE_LIMIT)


def _passage(whole: str, runs: Sequence[_Run]) -> str:
    """Return the sentences that contain runs; "" if other sentences are between them."""
    spans = sentences(whole)
    used = [at for at, span in enumerate(spans) if any(_contains(whole, span, run) for run in runs)]
    if not used or used[-1] - used[0] >= len(used):
        return ""
    return whole[spans[used[0]][0] : spans[used[-1]][1]].strip().strip(EDGES)


def _contains(whole: str, sentence: tuple[int, int], run: _Run) -> bool:
    """Return whether a sentence has enough of a run, not only its first or last characters."""
    start, end = sentence
    length = len(whole[start:end].strip().strip(EDGES))
    shared = len(whole[max(start, run.at) : min(end, run.end)].strip().strip(EDGES))
    return shared >= min(_OWN, length)


def _by_origin(authors: Sequence[tuple[Origin, str]]) -> str:
    names: dict[Origin, list[str]] = {}
    for origin, name in authors:
        names.setdefault(origin, []).append(name)
    return "; ".join(_AUTHORS_LABEL[origin]("; ".join(named)) for origin, named in names.items())


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


def _longest(text: str, sources: Sequence[Material], least: int, ours: _Trusted) -> _Run | None:
    """Return the longest shared run of at least this many characters, the first of equal ones."""
    runs = (run for source in sources for run in _runs(text, source, least, ours))
    return max(runs, key=lambda run: run.length, default=None)


def _runs(text: str, source: Material, least: int, ours: _Trusted) -> Iterator[_Run]:
    """Yield the shared runs of at least this many characters."""
    words, source_words = _plain(text), _plain(source.text)
    shingles = _shingles(source.text, least)
    at = 0
    while at + least <= len(words):
        piece = words[at : at + least]
        start = shingles.get(piece)
        if start is None or piece in ours.pieces:
            at += 1
            continue
        length = _shared_length(words[at:], source_words[start:])
        if ours.length_without_names(words[at : at + length]) >= least:
            yield _Run(source, start, length)
        at += length


def _shared_length(left: str, right: str) -> int:
    """Return how many characters two texts share at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(left), len(right)))


def _covered(text: str, sources: Sequence[Material]) -> float:
    """Return the share of a text's characters that occur in the sources."""
    words = _plain(text)
    shingles = [_shingles(source.text, _OWN) for source in sources]
    covered = [False] * len(words)
    for at in range(len(words) - _OWN + 1):
        if any(words[at : at + _OWN] in known for known in shingles):
            covered[at : at + _OWN] = [True] * _OWN
    return sum(covered) / len(words) if words else 1.0


def _shingles(text: str, length: int) -> dict[str, int]:
    """Return every piece of this length with the position where it first occurs."""
    plain = _plain(text)
    return {plain[at : at + length]: at for at in reversed(range(len(plain) - length + 1))}


def _plain(text: str) -> str:
    """Return a text in lower case with its length unchanged, so that positions stay valid."""
    lowered = text.lower()
    same_length = lowered if len(lowered) == len(text) else text
    return same_length.replace("\n", " ").replace("\t", " ")
