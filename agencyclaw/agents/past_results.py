"""Shortens the tool results of earlier turns, with the key that loads the whole result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast
from uuid import UUID

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, ToolSearchReturnPart

from agencyclaw.agents.past_answers import with_beginning
from agencyclaw.agents.policies.journal import evidence_key
from agencyclaw.domain.text import canonical_json, cut

_RESULT_CHARS = 380
_TEXT_RESULT_CHARS = 280
_ROWS_BESIDE_HITS = 160
_TEXT_CHARS = 80
_ROWS = 3
# The only row that is shown may be so long.
_ROW_CHARS = 520
_PREPARED = "prepared, on a card"
_OURS = ("ask", "proposed", "refusal")


def shortened(part: ToolReturnPart, run_id: UUID) -> str:
    """Return the short form of a result for later turns, with the key of the whole."""
    if _kind(part.content) == "proposed":
        # The situation tells its present state.
        return _PREPARED
    whole = part.content if isinstance(part.content, str) else canonical_json(part.content)
    if len(whole) <= _RESULT_CHARS:
        return whole
    hits = _hits(part.content)
    if isinstance(part.content, str):
        gist = _text(whole)
    else:
        free_chars = max(_ROWS_BESIDE_HITS, _RESULT_CHARS - len(hits))
        gist = hits + _fitting(part.content, free_chars, 0 if hits else _ROW_CHARS)
    return f"{gist} [whole result: {evidence_key(run_id, part.tool_call_id)}]"


def newest_key(messages: Sequence[ModelMessage], run_id: UUID) -> str:
    """Return the key of what a run looked up last; "" if it looked up nothing."""
    returns = (
        part
        for message in reversed(messages)
        if isinstance(message, ModelRequest)
        for part in reversed(message.parts)
        if isinstance(part, ToolReturnPart) and not isinstance(part, ToolSearchReturnPart)
    )
    # Where a change was prepared, something asked, or refused, nothing was looked up.
    found = (p for p in returns if p.outcome == "success" and _kind(p.content) not in _OURS)
    return next((evidence_key(run_id, part.tool_call_id) for part in found), "")


def _kind(content: Any) -> str | None:
    return cast(dict[str, Any], content).get("kind") if isinstance(content, dict) else None


def _fitting(content: Any, free_chars: int, row_chars: int) -> str:
    """Write a result with as many of its first rows as fit, each of them whole.

    With one of them it may have `row_chars` characters.
    """
    written = [_rows_last(_gist(content, rows)) for rows in range(_ROWS, 0, -1)]
    fitting = next((text for text in written if len(text) <= free_chars), written[-1])
    return fitting if len(fitting) <= max(free_chars, row_chars) else cut(fitting, free_chars)


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


def _text(text: str) -> str:
    return with_beginning(text, _TEXT_RESULT_CHARS, "…")


def _gist(value: Any, first_rows: int) -> Any:
    """Keep names and the first rows, cut long texts, and drop addresses."""
    if isinstance(value, str):
        return cut(value, _TEXT_CHARS)
    if isinstance(value, dict):
        items = cast(dict[str, Any], value).items()
        return {
            name: _text(str(item)) if name == "text" else _gist(item, first_rows)
            for name, item in items
            if name != "url"
        }
    if isinstance(value, list):
        rows = cast(list[Any], value)
        count = first_rows if _dicts(rows) else _ROWS
        # Their number comes first, because the end may be cut.
        first = [f"the first of {len(rows)}:"] if len(rows) > count else []
        return [*first, *(_gist(row, first_rows) for row in rows[:count])]
    return value
