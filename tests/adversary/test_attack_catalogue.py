"""The catalogue is complete, every class is held by something that exists, and the page says so."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from agencyclaw.domain.effects import Effect
from tests.adversary import playing
from tests.adversary.attacks_records import BIDS
from tests.adversary.cases import ATTACKS, pairwise, product
from tests.adversary.classes import BY_ID, CLASSES, GROUPS, OUTCOMES
from tests.adversary.moves import _EXTRA_CLASSES, _TEXT_CLASSES
from tests.adversary.sabotage import SABOTAGES, Sabotage, sabotaged
from tests.adversary.threat_model import PAGE, render

ROOT, FOLDER = Path(__file__).parents[2], Path(__file__).parent
# Level 0 plays these through the tools' own schemas.
BY_MOVE = {*_EXTRA_CLASSES.values(), *_TEXT_CLASSES.values()} | {
    *("A2", "A3", "D51", "D52", "D53", "D54", "D55", "D56", "D61", "D64", "D65")
}
PLAYED = {one.cls for one in ATTACKS} | BY_MOVE


def test_every_class_from_a_to_i_is_in_the_catalogue() -> None:
    expected = {
        "A": range(1, 14),
        "B": range(14, 36),
        "C": range(36, 51),
        "D": range(51, 66),
        "E": range(66, 81),
        "F": range(81, 85),
        "G": range(85, 96),
        "H": range(96, 103),
        "I": range(103, 107),
    }
    wanted = {f"{letter}{at}" for letter, numbers in expected.items() for at in numbers}

    assert wanted - BY_ID.keys() == set()
    assert len(CLASSES) == len(BY_ID)
    assert {one.id[0] for one in CLASSES} == GROUPS.keys()
    assert {one.expected for one in CLASSES} <= OUTCOMES.keys()


def test_whatever_is_played_is_in_the_catalogue() -> None:
    assert playing.ATTACKS is ATTACKS
    assert PLAYED - BY_ID.keys() - {"benign", "walk"} == set()


def test_every_class_is_played_or_held_by_a_test_that_exists() -> None:
    for one in CLASSES:
        is_held = one.id in PLAYED or one.expected == "OPEN"
        assert is_held or one.test, one.id
        assert not one.test or (ROOT / one.test).is_file(), one.id


def test_every_kind_of_effect_is_attacked() -> None:
    plays = [ast.parse(path.read_text("utf-8")) for path in FOLDER.glob("attacks_*.py")]
    named = {
        node.value for play in plays for node in ast.walk(play) if isinstance(node, ast.Constant)
    } | BIDS.keys()
    forgotten = [one for one in get_args(get_args(Effect)[0]) if one.skill not in named]

    assert not forgotten, "\n".join(
        f"No attack tries to carry out {one.__name__} without its person's act: call"
        f" {one.skill} in a play of tests/adversary/attacks_*.py, for instance in its _BIDS."
        for one in forgotten
    )


def test_every_rail_that_names_a_file_names_one_that_exists() -> None:
    rails = " ".join(one.rail for one in CLASSES)

    for path in re.findall(r"\b\w+/[\w/]+\.py|\b\w+\.py", rails):
        assert (ROOT / "agencyclaw" / path).is_file(), path


def test_every_kind_of_agentic_risk_has_three_classes() -> None:
    # 04 (supply chain) has no door here but the tools' own schemas, which are frozen by a test.
    count = Counter(risk for one in CLASSES for risk in one.asi.split())

    assert {risk for risk, times in count.items() if times < 3} <= {"04", "07"}
    assert set(count) == {f"{at:02}" for at in range(1, 11)}


def test_there_are_two_dozen_sabotages_of_different_rails() -> None:
    assert len({one.name for one in SABOTAGES}) == len(SABOTAGES) >= 24
    assert all(set(one.classes) <= PLAYED for one in SABOTAGES)


def test_pairwise_leaves_no_pair_out() -> None:
    axes = {"a": range(4), "b": range(3), "c": range(5)}
    chosen = pairwise(axes)

    for left, right in (("a", "b"), ("a", "c"), ("b", "c")):
        pairs = {(one[left], one[right]) for one in chosen}
        assert pairs == {(x, y) for x in axes[left] for y in axes[right]}
    assert len(chosen) < len(product(axes)) / 2


def test_the_page_is_in_step_with_the_catalogue() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), "run `make threat-model`"


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda one: one.name)
def test_a_sabotage_finds_what_it_takes_away(sabotage: Sabotage) -> None:
    with sabotaged(sabotage):
        pass
