"""Custom fields are read by their type, and what is unknown of them is not guessed."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agencyclaw.clickup.custom_fields import CustomFieldAnswer, read_fields, wire_body
from agencyclaw.domain.task_fields import FieldValue

OPTIONS = {
    "options": [
        {"id": "a1", "name": "US", "orderindex": 0},
        {"id": "b2", "label": "urgent", "orderindex": 1},
    ],
    "currency_type": "USD",
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
        ("currency", 28.50, ["28.5 USD"]),
        (
            "users",
            [{"id": 7, "username": "Sara Okafor"}, {"id": 8, "email": "m@a.example"}],
            ["Sara Okafor, m@a.example"],
        ),
        ("date", "soon", [None]),
        ("number", "many", [None]),
    ],
)
def test_a_value_is_read_by_the_type_of_its_field(
    kind: str, value: Any, read: list[str | None]
) -> None:
    assert shown(kind, value, OPTIONS) == read


def test_a_field_without_options_has_none_to_name() -> None:
    assert shown("drop_down", 0, {"options": None}) == [None]


NOON = 1_798_736_400_000


@pytest.mark.parametrize(
    ("kind", "before", "after", "body"),
    [
        ("drop_down", (), ("a1",), {"value": "a1"}),
        ("labels", ("a1",), ("a1", "b2"), {"value": ["a1", "b2"]}),
        ("checkbox", (), ("true",), {"value": True}),
        ("checkbox", ("true",), ("false",), {"value": False}),
        ("date", (), ("2026-12-31",), {"value": NOON}),
        ("number", (), ("28.5",), {"value": 28.5}),
        ("currency", (), ("1250",), {"value": 1250}),
        ("short_text", ("old",), ("new",), {"value": "new"}),
        ("users", ("7", "8"), ("8", "9"), {"value": {"add": [9], "rem": [7]}}),
        ("users", ("7",), (), {"value": {"add": [], "rem": [7]}}),
        ("short_text", ("old",), (), None),
        ("labels", ("a1",), (), None),
    ],
)
def test_a_value_is_written_as_clickup_takes_it(
    kind: str, before: tuple[str, ...], after: tuple[str, ...], body: Any
) -> None:
    whole = FieldValue(id="f", name="Field", kind=kind, values=after)
    present = whole.model_copy(update={"values": before})

    assert wire_body(whole, present, ZoneInfo("America/New_York")) == body


def test_a_value_that_is_read_equals_the_one_that_was_written() -> None:
    """Numbers come back as text with zeros, days as four in the morning, choices by their place."""
    for kind, value, expected in [
        ("number", "28.50", "28.5"),
        ("date", "1798707600000", "2026-12-31"),
        ("drop_down", 0, "a1"),
        ("checkbox", "true", "true"),
    ]:
        answer = {"id": "f", "name": "Field", "type": kind, "type_config": OPTIONS, "value": value}
        read = CustomFieldAnswer.model_validate(answer).read(ZoneInfo("America/New_York"))
        assert read.value.values == (expected,)
