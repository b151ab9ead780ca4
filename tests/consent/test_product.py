"""The product's judge beside the oracle: it touches nothing that the page leaves alone."""

from __future__ import annotations

import pytest

from tests.consent.compare import compare
from tests.consent.generate import generate
from tests.consent.without import SABOTAGES, Sabotage, without

COUNT = 1200


def test_the_product_carries_out_nothing_that_the_page_forbids() -> None:
    tally = compare(generate(COUNT))

    assert tally.transcripts > COUNT / 2
    assert [case.about for case, _, _ in tally.violations] == []


@pytest.mark.parametrize("sabotage", SABOTAGES, ids=lambda one: f"rule {one.rule}: {one.name}")
def test_a_product_without_one_of_the_rules_is_noticed(sabotage: Sabotage) -> None:
    with without(sabotage):
        assert compare(generate(COUNT), until_broken=True).violations


def test_every_rule_that_the_page_states_twice_is_taken_away_once() -> None:
    assert {one.rule for one in SABOTAGES} >= {1, 2, 3, 4, 5, 6, 10, 11, 12}
