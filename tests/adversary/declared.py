"""Records that are declared in full: they say themselves which table they write and who may.

Their tools' arguments say with which values one leads to a card.
"""

from __future__ import annotations

import inspect
from collections.abc import Container
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from agencyclaw.domain.record_kinds import RECORD_KINDS
from agencyclaw.tools import TOOLS

RECORDS = {one.model_fields["kind"].default: one for one in RECORD_KINDS}
_NAMED = {"client": "Glintly Inc", "brand": "Glintly", "marketplace": "US", "person": "Yuki"}
_TEXT, _NUMBER, _DAY = "as I said", 7, "2026-12-24"
# What people say as well, so that nothing in a made-up call is without a source.
MADE_UP = f"{_NUMBER}, {_DAY}"


def made_up_bids(*, apart_from: Container[str]) -> dict[str, dict[str, Any]]:
    """Return a call of each tool of a declared record, with a value for each plain argument."""
    tools = sorted({one.skill for one in RECORD_KINDS if one.skill not in apart_from})
    return {tool: _call(tool) for tool in tools}


def _call(tool: str) -> dict[str, Any]:
    function = TOOLS[tool].function
    hints = get_type_hints(function, include_extras=True)
    names = [*inspect.signature(function).parameters][1:]
    values = {name: _value(name, TypeAdapter(hints[name]).json_schema()) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _value(name: str, schema: dict[str, Any]) -> Any:
    """Return a value for an argument; None if only a play by hand can know one."""
    schema = next((one for one in schema.get("anyOf", ()) if one != {"type": "null"}), schema)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "boolean":
            return True
        case "integer" | "number":
            return min(_NUMBER, schema.get("maximum", _NUMBER))
        case "string":
            return _DAY if schema.get("format") == "date" else _NAMED.get(name, _TEXT)
        case _:
            return schema.get("const")
