"""The product without one of its rules, for a while: the comparison has to notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from agencyclaw.domain.changes import Change
from agencyclaw.domain.consent import reply, words
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.slack import cards
from tests.consent.words import ACKNOWLEDGEMENTS


@dataclass(frozen=True)
class Sabotage:
    """A rule of the page, and how it is taken out of the product."""

    rule: int
    name: str
    hole: Callable[[pytest.MonkeyPatch], None]


def _nothing_lies_between(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reply, "_between", lambda *_: iter(()))


def _any_place_is_near(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reply, "_is_near", lambda *_: True)


def _revision_does_not_matter(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reply, "_is_revised", lambda *_: False)


def _a_choice_is_a_word(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Incoming, "is_plain", property(lambda self: self.carries == ()))


def _words_are_enough_for_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Change, "press_reason", property(lambda _: None))


def _everything_is_ticked(patch: pytest.MonkeyPatch) -> None:
    boxes: Any = cards._boxes  # pyright: ignore[reportPrivateUsage]

    def ticked(options: list[dict[str, Any]]) -> dict[str, Any]:
        block = boxes(options)
        block["elements"][0]["initial_options"] = options
        return block

    patch.setattr(cards, "_boxes", ticked)


def _an_acknowledgement_is_a_yes(patch: pytest.MonkeyPatch) -> None:
    normal: Any = words._normal  # pyright: ignore[reportPrivateUsage]
    known: frozenset[str] = words._YES_WORDS  # pyright: ignore[reportPrivateUsage]
    patch.setattr(words, "_YES_WORDS", known | {normal(one) for one in ACKNOWLEDGEMENTS})


def _words_never_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(reply, "_is_over", lambda *_: False)


def _no_repeat_is_recognised(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CreateTask, "content_key", property(lambda _: uuid4().hex))


SABOTAGES = (
    Sabotage(1, "nothing lies between card and word", _nothing_lies_between),
    Sabotage(2, "a word of another thread is about the card", _any_place_is_near),
    Sabotage(3, "what is being revised is confirmed", _revision_does_not_matter),
    Sabotage(4, "a pressed choice is read as a word", _a_choice_is_a_word),
    Sabotage(5, "words are enough for everything", _words_are_enough_for_everything),
    Sabotage(6, "everything is ticked beforehand", _everything_is_ticked),
    Sabotage(10, "an acknowledgement is a yes", _an_acknowledgement_is_a_yes),
    Sabotage(11, "words never end", _words_never_end),
    Sabotage(12, "no repeat is recognised", _no_repeat_is_recognised),
)


@contextmanager
def without(sabotage: Sabotage) -> Iterator[None]:
    """Take the rule out."""
    with pytest.MonkeyPatch.context() as patch:
        sabotage.hole(patch)
        yield
