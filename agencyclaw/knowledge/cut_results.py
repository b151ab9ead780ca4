"""Cuts what a tool returned to a limit, so that something of each of its parts is left."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, cast

from agencyclaw.domain.text import cut

# Of a shorter piece of a row nobody could tell what it says: the last rows are left out instead.
_OF_A_ROW = 200
_WHOLE = 60


def cut_result(content: str, limit: int) -> str:
    """Return a result of at most `limit` characters, in which each cut part says what is missing.

    Short parts stay whole, and longer ones share in proportion what these leave.
    """
    if len(content) <= limit:
        return content
    try:
        shown = _fitted(json.loads(content), limit)
    except ValueError:
        shown = content
    return _text(shown, limit)


def _fitted(node: Any, limit: int) -> str:
    """Return a part of a result in about as many characters; it may be a few more."""
    whole = _dumped(node)
    if len(whole) <= limit:
        return whole
    match node:
        case dict():
            fields = cast("dict[str, Any]", node)
            names = [f"{_dumped(name)}:" for name in fields]
            pieces = _shared(list(fields.values()), limit - len("".join(names)) - len(names) - 1)
            return f"{{{','.join(map(''.join, zip(names, pieces, strict=True)))}}}"
        case list():
            return _rows(cast("list[Any]", node), limit)
        case str():
            return _dumped(_text(node, max(limit - 2, 1)))
        case _:
            return whole


def _rows(rows: Sequence[Any], limit: int) -> str:
    ends = accumulate(len(_dumped(row)) + 1 for row in rows)
    short = sum(end < limit - _OF_A_ROW // 10 for end in ends)
    count = min(len(rows), max(1, short, limit // _OF_A_ROW))
    more = f" … and {len(rows) - count} more" if count < len(rows) else ""
    return f"[{','.join(_shared(rows[:count], limit - len(more) - count - 1))}{more}]"


def _shared(nodes: Sequence[Any], limit: int) -> Sequence[str]:
    """Return parts as they fit together: short ones whole, each longer one in proportion."""
    pieces = [_dumped(node) for node in nodes]
    long = [index for index, piece in enumerate(pieces) if len(piece) > _WHOLE]
    total = sum(len(pieces[index]) for index in long)
    free = max(limit - sum(map(len, pieces)) + total, 0)
    for index in long:
        pieces[index] = _fitted(nodes[index], free * len(pieces[index]) // total)
    return pieces


def _text(text: str, limit: int) -> str:
    """Cut a text, and say how much is missing."""
    if len(text) <= limit:
        return text
    missing = f" [{len(text) - limit} more characters]"
    return f"{cut(text, max(limit - len(missing), 1))}{missing}"[:limit]


def _dumped(node: Any) -> str:
    return json.dumps(node, ensure_ascii=False, separators=(",", ":"))
