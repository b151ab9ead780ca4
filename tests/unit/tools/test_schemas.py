"""What a model is told of the tools' arguments: all of it, in few tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

import pytest
from pydantic_ai import Tool

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools import TOOLS, build_toolset
from agencyclaw.tools.schemas import ArgumentSchema
from tests.fakes.ports import context, demo_agency

IN_SIGHT_AT_MOST = 2_850
CREATE_TASK_AT_MOST = 1_500


def schema_of(name: str, *, is_lean: bool) -> dict[str, Any]:
    function = TOOLS[name].function
    if is_lean:
        tool = Tool[Deps](function, docstring_format="google", schema_generator=ArgumentSchema)
    else:
        tool = Tool[Deps](function, docstring_format="google")
    return tool.tool_def.parameters_json_schema


def named_in(schema: Any) -> Iterator[str]:
    """Every field, and every value that is one of a few."""
    if isinstance(schema, list):
        for part in cast("list[Any]", schema):
            yield from named_in(part)
    if not isinstance(schema, dict):
        return
    known = cast("dict[str, Any]", schema)
    properties = known.get("properties")
    if isinstance(properties, dict):
        yield from (f"field {name}" for name in cast("dict[str, Any]", properties))
    yield from (f"value {value}" for value in known.get("enum", ()))
    if "const" in known:
        yield f"value {known['const']}"
    for part in known.values():
        yield from named_in(part)


def required_in(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    defs = cast("dict[str, dict[str, Any]]", schema.get("$defs", {}))
    for one in (schema, *defs.values()):
        for name in one.get("required", ()):
            yield name, one["properties"][name]


@pytest.mark.parametrize("name", TOOLS)
def test_every_field_and_every_value_is_told(name: str) -> None:
    lean, whole = schema_of(name, is_lean=True), schema_of(name, is_lean=False)

    assert set(named_in(lean)) == set(named_in(whole))
    assert lean.get("required") == whole.get("required")


@pytest.mark.parametrize("name", TOOLS)
def test_what_is_required_may_not_be_null(name: str) -> None:
    """The schema does not tell that something may be null: it is left out instead."""
    for argument, schema in required_in(schema_of(name, is_lean=False)):
        assert {"type": "null"} not in schema.get("anyOf", ()), argument


def test_a_model_that_is_used_once_is_written_in_its_place_with_the_words_of_both() -> None:
    schema = schema_of("create_task", is_lean=True)

    assert list(schema["$defs"]) == ["Fact", "QuoteSource", "QuotedDay"]
    assert schema["properties"]["procedure"]["description"] == (
        "The one you chose by reading. Its title, or why none, in the person's language."
    )
    assert "$defs" not in schema_of("remind", is_lean=True)


def test_kinds_of_days_are_told_with_the_fields_of_each() -> None:
    day = schema_of("create_task", is_lean=True)["$defs"]["QuotedDay"]["properties"]["day"]

    assert day["required"] == ["kind"]
    for told in ("date (date)", "weekday (weekday, which?)", "in (count, unit?)", "(month?, day?)"):
        assert told in day["description"]
    # The kinds set different lower limits, and each checks its own.
    assert day["properties"]["count"] == {"type": "integer"}


async def test_the_tools_in_sight_stay_few_and_short() -> None:
    tools = await build_toolset().get_tools(context(demo_agency().run(tier=Tier.SUPER_ADMIN)))
    sizes = {
        name: count_tokens(
            json.dumps([name, tool.tool_def.description, tool.tool_def.parameters_json_schema])
        )
        for name, tool in tools.items()
        if not tool.tool_def.defer_loading
    }

    assert len(sizes) <= 20
    assert sizes["create_task"] <= CREATE_TASK_AT_MOST, sizes
    assert sum(sizes.values()) <= IN_SIGHT_AT_MOST, sizes
