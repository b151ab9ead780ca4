"""Which document a question means, and how sure that is.

Named in full wins: the longest phrase, wherever in the sentence it stands, for "negative product
targeting" is not about product targeting. For the rest a document is judged by what speaks for it:
how much of the question it holds, how much of that in its heading and in words of the trade. A
question about something else, or with a subject of its own, is answered by nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.search import (
    Candidate,
    Question,
    Shelf,
    Verdict,
)
from agencyclaw.domain.search_keys import LONGEST_PHRASE, phrase_key
from agencyclaw.domain.sops import MatchKind
from agencyclaw.knowledge.evidence import Evidence, Scales, Weights
from agencyclaw.knowledge.question import (
    MOST_PARTS,
    doubtful_words,
    is_near_name,
    read_question,
    respell,
)

SAME_CATEGORY = 0.9
HIGH, MEDIUM = 0.7, 0.5
GUESS = 0.45
_FAINT = 0.3
_LINK = 0.25
_TEXT_AT_MOST = 0.69
_LONG = 30
_SOME, _HALF = 0.13, 0.5


class Tuning(NamedTuple):
    """What was fitted on the development half of the retrieval questions.

    Above the floor something is said; `named` is how sure a name in the question must be for its
    full score. From `bias` to `rivalled` these are the weights of a logistic regression over
    `signs`, by `python -m evals.retrieval.fit`.
    """

    floor: float = 0.252
    named: float = 0.7
    bias: float = 1.69
    covered: float = 3.55
    met: float = 0.82
    headed: float = 0.39
    trade: float = 1.8
    adrift: float = -2.75
    rivalled: float = -1.62
    weights: Weights = Weights()


class Signs(NamedTuple):
    """What the regression is told of a document: all of it between about -2 and 2."""

    covered: float
    met: float
    headed: float
    trade: float
    adrift: float
    rivalled: float


def signs(seen: Evidence, rival: float) -> Signs:
    """Return what speaks for and against a document; `rival` is what the best other one holds."""
    return Signs(
        covered=seen.share,
        met=math.log(_HALF + seen.met),
        headed=math.log(_SOME + seen.headed),
        trade=math.log(_SOME + seen.trade * seen.share),
        adrift=seen.adrift,
        rivalled=min(1.0, rival / seen.held) if seen.held else 1.0,
    )


class Span(NamedTuple):
    """Where in the question a document's name stands."""

    start: int
    end: int
    length: int
    kind: MatchKind

    def covers(self, other: Span) -> bool:
        """Return whether the other name is only a part of this one."""
        return self.start <= other.start and other.end <= self.end and self.length > other.length


class Ranker:
    """Reads questions and judges documents; without state, so that one serves all."""

    def __init__(self, tuning: Tuning | None = None) -> None:
        self.tuning = tuning or Tuning()

    def read(self, text: str) -> Question:
        """Return what a text asks for."""
        return read_question(text)

    def doubtful(self, question: Question, shelf: Shelf) -> dict[str, str]:
        """Return the words that may be misspelt, as nothing holds them, each with its stem."""
        return {
            word: shelf.words[word].stem
            for word in doubtful_words(question)
            if word not in shelf.names and word in shelf.words and not shelf.words[word].documents
        }

    def respelt(
        self, question: Question, stems: Mapping[str, str], near: Mapping[str, Sequence[str]]
    ) -> Question | None:
        """Return the question with misspelt words read as near ones; None when nothing fits."""
        return respell(question, stems, near)

    def judge(
        self, question: Question, shelf: Shelf, candidates: Sequence[Candidate]
    ) -> list[Verdict]:
        """Return the documents that answer, best first.

        Where the whole is no sure question, or a mail that somebody passes on with words of their
        own, what a passage surely asks for counts, too.
        """
        whole = self._judge(question, shelf, candidates)
        if len(question.passages) < 2 and whole and whole[0].score >= MEDIUM:
            return whole
        for sentences in question.passages:
            if sure := self._sure_passages(sentences, shelf, candidates):
                return _merged([*whole, *sure])
        return whole

    def _sure_passages(
        self, sentences: Sequence[Question], shelf: Shelf, candidates: Sequence[Candidate]
    ) -> list[Verdict]:
        """Return what sentences surely ask for, alone or with the next one.

        Two are read together where one of them has something to do with a document at all.
        """
        alone = [self._judge(one, shelf, candidates) for one in sentences]
        pairs = [
            self._judge(_together(one, other), shelf, candidates)
            for (one, found), (other, found_too) in pairwise(zip(sentences, alone, strict=True))
            if _has_link(found) or _has_link(found_too)
        ]
        return [one for found in (*alone, *pairs) for one in found if one.score >= MEDIUM]

    def _judge(
        self, question: Question, shelf: Shelf, candidates: Sequence[Candidate]
    ) -> list[Verdict]:
        runs = _Runs(question)
        spans = {one.id: list(runs.naming(one)) for one in candidates}
        every = [span for found in spans.values() for span in found]
        scales = Scales(question, shelf, self.tuning.weights)
        seen = {one.id: scales.evidence(one) for one in candidates}
        sure = self._sureness(seen)
        most = max(seen, key=lambda id: seen[id].held, default=None)
        verdicts = (
            self._verdict(
                question,
                one,
                _own(spans[one.id], every),
                seen[one.id],
                sure[one.id],
                sure[most] * seen[one.id].held / seen[most].held if seen[most].held else 0.0,
            )
            for one in candidates
            if most
        )
        return sorted((v for v in verdicts if v.score >= self.tuning.floor), key=_order)

    def _verdict(
        self,
        question: Question,
        one: Candidate,
        spans: list[Span],
        seen: Evidence,
        sure: float,
        held: float,
    ) -> Verdict:
        """Whether anything answers is judged by the document that holds most of the question.

        `held` is how sure that one is, by how much this document holds beside it.
        """
        said = _TEXT_AT_MOST * held
        if not spans:
            return Verdict(one.id, "text", self._capped(question, said), one.tier)
        if "".join(question.spoken) == phrase_key(one.category):
            return Verdict(one.id, "category", SAME_CATEGORY, one.tier)
        longest = max(spans, key=lambda span: (span.length, span.kind == "category"))
        size = min(longest.length, _LONG) / _LONG
        aside = min(1.0, max(sure, 1 / max(seen.parts, 1)) / self.tuning.named)
        score = max(said, (HIGH + 0.19 * size) * aside)
        return Verdict(one.id, longest.kind, self._capped(question, score), one.tier)

    def _sureness(self, seen: Mapping[UUID, Evidence]) -> dict[UUID, float]:
        """Return how sure it is that each document answers, 0 to 1: a logistic regression."""
        held = sorted((one.held for one in seen.values()), reverse=True)
        best, second = [*held, 0.0, 0.0][:2]
        return {
            id: self._sure(one, second if one.held == best else best) for id, one in seen.items()
        }

    def _sure(self, seen: Evidence, rival: float) -> float:
        if not seen.held:
            return 0.0
        told, tuning = signs(seen, rival), self.tuning
        return _logistic(
            tuning.bias
            + sum(getattr(tuning, name) * value for name, value in told._asdict().items())
        )

    def _capped(self, question: Question, score: float) -> float:
        """What was read into misspelt words is never more than a guess; the order stays."""
        if question.is_respelt and score > _FAINT:
            score = _FAINT + (score - _FAINT) * (GUESS - _FAINT) / (1 - _FAINT)
        return round(score, 4)


class _Runs:
    """The runs of words of a question, to be compared with the names of documents."""

    def __init__(self, question: Question) -> None:
        words = question.spoken
        self._spans: dict[str, list[tuple[int, int]]] = {}
        for start in range(len(words)):
            for end in range(start + 1, min(start + LONGEST_PHRASE, len(words)) + 1):
                self._spans.setdefault("".join(words[start:end]), []).append((start, end))
        self._by_initial: dict[str, list[str]] = {}
        for key in self._spans if question.is_respelt else ():
            self._by_initial.setdefault(key[:1], []).append(key)

    def naming(self, one: Candidate) -> Iterable[Span]:
        """Return where a document is called by one of its names, or by one much like it."""
        names = _keys_of(one.title, one.category, one.aliases)
        for name, kind in names.items():
            yield from self._called(name, kind)
            for key in self._by_initial.get(name[:1], ()):
                if key not in names and is_near_name(key, name):
                    yield from self._called(key, "text")

    def _called(self, key: str, kind: MatchKind) -> Iterable[Span]:
        return (Span(start, end, len(key), kind) for start, end in self._spans.get(key, ()))


def _together(one: Question, other: Question) -> Question:
    parts = tuple(dict.fromkeys((*one.parts, *other.parts)))[:MOST_PARTS]
    return Question(spoken=(*one.spoken, *other.spoken), keys=(), parts=parts)


def _has_link(found: Sequence[Verdict]) -> bool:
    return any(one.score >= _LINK for one in found)


def _merged(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return each document once, by its best verdict."""
    best: dict[UUID, Verdict] = {}
    for one in sorted(verdicts, key=_order):
        best.setdefault(one.id, one)
    return list(best.values())


def _own(spans: list[Span], every: list[Span]) -> list[Span]:
    return [span for span in spans if not any(other.covers(span) for other in every)]


@lru_cache(maxsize=2_000)
def _keys_of(title: str, category: str, aliases: tuple[str, ...]) -> Mapping[str, MatchKind]:
    """A document goes by its category, its aliases and its own title."""
    names: dict[str, MatchKind] = {phrase_key(name): "alias" for name in (*aliases, title)}
    names[phrase_key(category)] = "category"
    names.pop("", None)
    return names


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def _order(verdict: Verdict) -> tuple[float, str]:
    return (-verdict.score, str(verdict.id))


RANKER = Ranker()
