"""How what a person prefers is called."""

from __future__ import annotations

import pytest

from agencyclaw.domain.clients import Named
from agencyclaw.domain.memory import PreferenceKey
from agencyclaw.domain.remembering import RememberPreference
from tests.fakes.ports import an_id


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("other", "I don't work on Fridays"),
        ("default_marketplace", "default marketplace: I don't work on Fridays"),
    ],
)
def test_words_of_no_kind_stand_for_themselves(key: PreferenceKey, label: str) -> None:
    person = Named(id=an_id("Miguel"), name="Miguel Duarte")
    kept = RememberPreference(person=person, key=key, value="I don't work on Fridays")

    assert kept.label == label
    assert f"“{label}”" in kept.receipt()
