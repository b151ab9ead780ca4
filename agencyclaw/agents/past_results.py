"""Shortens the tool results of earlier turns, with the key that loads the whole result."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from pydantic_ai.messages import ToolReturnPart

from agencyclaw.agents.policies.journal import evidence_key
from agencyclaw.domain.text import canonical_json, cut

_RESULT_CHARS = 380
_TEXT_RESULT_CHARS = 280
_ROWS_BESIDE_HITS = 160
_TEXT_CHARS = 80
_ROWS = 3
_PREPARED = "prepared, on a card"


def shortened(part: ToolReturnPart, run_id: UUID) -> str:
    """Return the short form of a result for later turns, with the key of the whole."""
    if _is_prepared(part.content):
        return _PREPARED
    whole = part.content if isinstance(part.content, str) else canonical_json(part.content)
    if len(whole) <= _RESULT_CHARS:
        return whole
    text = part.content if isinstance(part.content, str) else _rows_last(_gist(part.content))
    hits = _hits(part.content)
    free_chars = max(_ROWS_BESIDE_HITS, _RESULT_CHARS - len(hits))
    gist = hits + cut(text, _TEXT_RESULT_CHARS if text == whole else free_chars)
    return f"{gist} [whole result: {evidence_key(run_id, part.tool_call_id)}]"


def _hits(content: Any) -> str:
    """Name every document found; their texts are cut, but never the list."""
    if not isinstance(content, dict):
        return ""
    lists = [_dicts(value) for value in cast(dict[str, Any], content).values()]
    hit_lists = [rows for rows in lists if any("excerpt" in row for row in rows)]
    titles = [cut(str(row.get("title", "")), _TEXT_CHARS) for rows in hit_lists for row in rows]
    return f"Found: {'; '.join(titles)}. " if titles else ""


def _dicts(value: Any) -> list[dict[str, Any]]:
    rows = cast(list[Any], value) if isinstance(value, list) else []
    return [cast(dict[str, Any], row) for row in rows if isinstance(row, dict)]


def _rows_last(content: Any) -> str:
    """Write the text of a procedure or document first and rows last, because the end is cut."""
    if not isinstance(content, dict):
        return canonical_json(content)
    fields = cast(dict[str, Any], content)
    text = fields.get("text")
    rows: dict[str, Any] = {
        name: item for name, item in fields.items() if isinstance(item, list | dict)
    }
    rest = {name: item for name, item in fields.items() if name not in rows and name != "text"}
    written = [canonical_json(part) for part in (rest, rows) if part]
    return " ".join([text, *written] if isinstance(text, str) else written)


def _is_prepared(content: Any) -> bool:
    """Whether a change was prepared: the situation tells its present state."""
    return isinstance(content, dict) and cast(dict[str, Any], content).get("kind") == "proposed"


def _gist(value: Any) -> Any:
    """Keep names and the first rows, cut long texts, and drop addresses."""
    if isinstance(value, str):
        return cut(value, _TEXT_CHARS)
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return {
            name: cut(item, _TEXT_RESULT_CHARS) if name == "text" else _gist(item)
            for name, item in items
            if name != "url"
        }
    if isinstance(value, list):
        rows = cast(list[Any], value)
        # Their number comes first, because the end may be cut.
        first = [f"the first of {len(rows)}:"] if len(rows) > _ROWS else []
        return [*first, *(_gist(row) for row in rows[:_ROWS])]
    return value
