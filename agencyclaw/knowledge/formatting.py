"""Markdown brought into the forms that Slack shows well; code stays as it is written."""

from __future__ import annotations

import re

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+")
_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")


def tidy(text: str) -> str:
    """Return a text without block quotes and tables; twice is as once.

    Slack shows a table of a Markdown block as a heap of signs, so each row becomes a list row.
    Bold and links need nothing: the block an answer stands in takes Markdown as it is.
    """
    kept: list[str] = []
    lines = text.splitlines()
    is_code = False
    at = 0
    while at < len(lines):
        line = lines[at]
        if _FENCE.match(line):
            is_code = not is_code
        if is_code or _FENCE.match(line):
            kept.append(line)
        elif _is_table(lines, at):
            heads = _cells(line)
            at += 2
            while at < len(lines) and "|" in lines[at]:
                kept.append(_row(heads, _cells(lines[at])))
                at += 1
            continue
        else:
            kept.append(_QUOTE.sub("", line))
        at += 1
    return "\n".join(kept)


def _is_table(lines: list[str], at: int) -> bool:
    has_rule = at + 1 < len(lines) and "-" in lines[at + 1] and bool(_RULE.match(lines[at + 1]))
    return has_rule and "|" in lines[at] and "|" in lines[at + 1]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _row(heads: list[str], cells: list[str]) -> str:
    """Name the first thing, then the others with their headings."""
    first, *rest = cells or [""]
    named = [
        f"{head}: {cell}" if head else cell
        for head, cell in zip([*heads[1:], *[""] * len(rest)], rest, strict=False)
        if cell
    ]
    return f"- {' · '.join(part for part in (first, *named) if part)}"
