"""A turn that says what can't happen is an error, not a turn without it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from evals.scene import Turn


@pytest.mark.parametrize(
    "turn",
    [
        {"wait_minutes": -3},
        {"wait_minutes": 3, "forged": True},
        {"say": "yes", "proposals": [0]},
        {"wait_minutes": 3, "children": [{"question": "why", "steps": ["So."]}]},
    ],
)
def test_a_turn_has_only_what_belongs_to_it(turn: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Turn.model_validate(turn)


def test_a_press_may_be_forged_and_be_about_some_proposals() -> None:
    assert Turn.model_validate({"press": "Create task", "forged": True, "proposals": [1]}).forged
