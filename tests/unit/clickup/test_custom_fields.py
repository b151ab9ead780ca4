"""Custom fields are read by their type, and what is unknown of them is not guessed."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agencyclaw.clickup.custom_fields import CustomFieldAnswer, read_fields

OPTIONS = {
    "options": [
        {"id": "a1", "name": "US", "orderindex": 0},
        {"id": "b2", "label": "urgent", "orderindex": 1},
    ]
}


def shown(kind: str, value: Any, config: Any = None) -> list[str | None]:
    answer = {"id": "f", "name": "Field", "type": kind, "type_config": config, "value": value}
    fields = [CustomFieldAnswer.model_validate(answer)]
    return [one.value for one in read_fields(fields, ZoneInfo("America/New_York"))]


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("drop_down", 0, ["US"]),
        ("drop_down", "a1", ["US"]),
        ("drop_down", 7, [None]),
        ("labels", ["a1", "b2"], ["US, urgent"]),
        ("labels", ["c3"], [None]),
        ("checkbox", "true", ["yes"]),
        ("checkbox", False, ["no"]),
        ("date", "1798693200000", ["2026-12-31"]),
        ("number", "12.5", ["12.5"]),
        ("short_text", "B0TS5TINS1", ["B0TS5TINS1"]),
        ("location", {"lat": 1}, [None]),
        ("short_text", None, []),
        ("labels", [], []),
    ],
)
def test_a_value_is_read_by_the_type_of_its_field(
    kind: str, value: Any, read: list[str | None]
) -> None:
    assert shown(kind, value, OPTIONS) == read


def test_a_field_without_options_has_none_to_name() -> None:
    assert shown("drop_down", 0, {"options": None}) == [None]
