"""Shortens the texts of earlier turns: between the items of a list, and never inside a link."""

from __future__ import annotations

import re

_LINK = re.compile(r"\[[^\]\n]*\]\([^)\n]*\)|https?://\S+")
_ITEM = re.compile(r"\s*(?:[-*•]|\d+[.)])\s")
_SPACE = re.compile(r"\s")
# A shorter piece of a line says nothing.
_PIECE_CHARS = 100


def shortened_answer(answer: str, limit: int, end_chars: int, key: str = "") -> str:
    """Return the beginning of an answer, in about `limit` characters, and a short last paragraph.

    That paragraph has at most `end_chars` characters. `key` brings back what was looked up for it.
    """
    if len(answer) <= limit:
        return answer
    source = f"; looked up for it: {key}" if key else ""
    start, _, end = answer.rpartition("\n\n")
    if not start or len(end) > end_chars:
        rest = f"[the rest of this answer is out of sight by now{source}]"
        return with_beginning(answer, limit, f"… {rest}")
    more = f"[more of this answer is out of sight by now{source}]"
    return f"{with_beginning(start, limit, f'… {more}')}\n\n{end}"


def with_beginning(text: str, limit: int, note: str) -> str:
    """Return the beginning of a text with a note behind it; a text that stays whole has none."""
    beginning = beginning_of(text, limit)
    return text if beginning.rstrip() == text.rstrip() else f"{beginning}{note}"


def beginning_of(text: str, limit: int) -> str:
    """Return the lines that fit; the first item of a list stays whole, other lines may be cut."""
    kept, has_item = "", False
    for line in text.splitlines(keepends=True):
        is_item = _ITEM.match(line) is not None
        free = limit - len(kept)
        if len(line) > free and not (is_item and not has_item and len(line) <= limit):
            is_cut = not kept.strip() or (free >= _PIECE_CHARS and not is_item)
            return f"{kept}{_piece(line, free)}".rstrip() if is_cut else f"{kept.rstrip()}\n"
        kept, has_item = f"{kept}{line}", has_item or is_item
    return kept.rstrip()


def _piece(line: str, limit: int) -> str:
    """Return the whole words at the beginning of a line; a link counts as one."""
    links = [link.span() for link in _LINK.finditer(line)]
    spaces = (space.start() for space in _SPACE.finditer(line, 0, limit + 1))
    ends = [at for at in spaces if not any(start < at < end for start, end in links)]
    if ends:
        return line[: ends[-1]]
    return "" if any(start < limit < end for start, end in links) else line[:limit]
