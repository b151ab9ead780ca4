"""Rankings by words and by meaning as one."""

from __future__ import annotations

from uuid import NAMESPACE_DNS, uuid5

from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.search import Ranked, fused

RANKINGS = st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1), max_size=6)


def ranking(scores: dict[str, float]) -> list[Ranked]:
    best_first = sorted(scores.items(), key=lambda one: -one[1])
    return [Ranked(uuid5(NAMESPACE_DNS, name), name, (), score) for name, score in best_first]


@given(RANKINGS, RANKINGS)
def test_each_is_there_once_with_its_score_by_words(
    words: dict[str, float], likeness: dict[str, float]
) -> None:
    found = fused(ranking(words), ranking(likeness))

    assert sorted(one.title for one in found) == sorted({**words, **likeness})
    assert all(one.score == words.get(one.title, 0.0) for one in found)


@given(RANKINGS, RANKINGS)
def test_what_is_better_by_both_comes_first(
    words: dict[str, float], likeness: dict[str, float]
) -> None:
    places = {one.title: at for at, one in enumerate(fused(ranking(words), ranking(likeness)))}
    for one in places:
        for other in places:
            if words.get(one, 0.0) > words.get(other, 0.0) and (
                likeness.get(one, 0.0) > likeness.get(other, 0.0)
            ):
                assert places[one] < places[other]


def test_without_meaning_the_order_is_that_of_the_words() -> None:
    words = ranking({"a": 0.2, "b": 0.9, "c": 0.5})

    assert fused(words, []) == words
