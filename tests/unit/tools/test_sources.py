"""What counts as others' words when something is prepared."""

from __future__ import annotations

from typing import Any

from pydantic_ai.messages import ModelRequest, ToolReturnPart

from agencyclaw.domain.basis import Material, Origin
from agencyclaw.tools.sources import found_by_tools


def found(tool: str, content: Any) -> list[Material]:
    part = ToolReturnPart(tool_name=tool, content=content, tool_call_id="call_1")
    return list(found_by_tools([ModelRequest(parts=[part])]))


def test_what_a_reading_tool_returned_earlier_is_a_record_of_others() -> None:
    [material] = found("list_tasks", '{"tasks": [{"title": "Refresh the banner"}]}')

    assert material.origin is Origin.RECORD
    assert "Refresh the banner" in material.text


def test_what_a_preparing_tool_answered_earlier_is_nobody_elses_words() -> None:
    """Else the second task of a conversation would rest on the card of the first."""
    earlier = '{"kind": "proposed", "missing": ["Product identifiers (ASIN or SKU) are pending."]}'

    assert found("create_task", earlier) == []
