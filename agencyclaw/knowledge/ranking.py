"""Which procedure a question means: its category or an alias said in it, else its words.

The longest phrase wins, wherever in the sentence it stands: "negative product targeting" is not
about product targeting. Words of the text count only when nothing was called by its name, and then
below any name. Nothing is better than a procedure about something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agencyclaw.domain.search_keys import LONGEST_PHRASE, phrase_key, words_of
from agencyclaw.domain.sops import Candidate, MatchKind, SopHit

SAME_CATEGORY = 0.9
NAMED = 0.7
NAMED_AT_LENGTH = 0.15
TEXT_AT_MOST = 0.5
LEAST_SHARE = 0.35
LEAST_SHARE_OF_ONE_WORD = 0.6
_LONG = 30


class _Span(NamedTuple):
    start: int
    end: int
    length: int
    kind: MatchKind

    def covers(self, other: _Span) -> bool:
        return self.start <= other.start and other.end <= self.end and self.length > other.length


def rank(query: str, candidates: Sequence[Candidate], limit: int) -> list[SopHit]:
    """Return the procedures a question means, best first, at most `limit`; empty when none."""
    usable = [candidate for candidate in candidates if candidate.sop.body.strip()]
    hits = _by_name(query, usable) or _by_text(usable)
    return hits[: max(limit, 0)]


def _by_name(query: str, usable: list[Candidate]) -> list[SopHit]:
    words = words_of(query)
    whole = "".join(words)
    spans = {candidate.sop.id: list(_spoken(words, candidate)) for candidate in usable}
    spoken = [span for found in spans.values() for span in found]
    hits: list[SopHit] = []
    for candidate in usable:
        own = [s for s in spans[candidate.sop.id] if not any(o.covers(s) for o in spoken)]
        if own:
            hits.append(_named(candidate, own, whole))
    return sorted(hits, key=_order)


def _spoken(words: list[str], candidate: Candidate) -> Iterable[_Span]:
    names = _names(candidate)
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_PHRASE, len(words)) + 1):
            key = "".join(words[start:end])
            if key in names:
                yield _Span(start, end, len(key), names[key])


def _names(candidate: Candidate) -> dict[str, MatchKind]:
    """A procedure goes by its category, its aliases and its own title."""
    sop = candidate.sop
    names: dict[str, MatchKind] = {phrase_key(name): "alias" for name in (*sop.aliases, sop.title)}
    names[phrase_key(sop.category)] = "category"
    names.pop("", None)
    return names


def _named(candidate: Candidate, spans: list[_Span], whole: str) -> SopHit:
    if whole == phrase_key(candidate.sop.category):
        return SopHit(sop=candidate.sop, match="category", score=SAME_CATEGORY)
    longest = max(spans, key=lambda span: (span.length, span.kind == "category"))
    score = NAMED + NAMED_AT_LENGTH * min(longest.length, _LONG) / _LONG
    return SopHit(sop=candidate.sop, match=longest.kind, score=round(score, 4))


def _by_text(usable: list[Candidate]) -> list[SopHit]:
    enough = [candidate for candidate in usable if _answers(candidate)]
    ranked = sorted(enough, key=lambda c: (-_text_score(c), -c.rank, c.sop.title, str(c.sop.id)))
    return [SopHit(sop=c.sop, match="text", score=_text_score(c)) for c in ranked]


def _answers(candidate: Candidate) -> bool:
    """Two words that happen to stand in a long text prove nothing; a heading is short."""
    if candidate.words == 1:
        return candidate.in_heading and candidate.share >= LEAST_SHARE_OF_ONE_WORD
    return candidate.share >= LEAST_SHARE and (candidate.in_heading or candidate.words > 2)


def _text_score(candidate: Candidate) -> float:
    return round(min(TEXT_AT_MOST, 0.2 + 0.375 * candidate.share), 4)


def _order(hit: SopHit) -> tuple[float, str, str]:
    return (-hit.score, hit.sop.title, str(hit.sop.id))
