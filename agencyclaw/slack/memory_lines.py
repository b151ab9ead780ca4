"""Remembered items, each as a line with a button."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agencyclaw.domain.memory import MemoryLine
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import Block, button, context, paragraphs
from agencyclaw.slack.escaping import escaped, one_line

SHOWN_AT_MOST = 15


def memory_lines(lines: Sequence[MemoryLine], more: Callable[[int], str]) -> list[Block]:
    """Return the first items, with author and date; `more` returns the line about the others."""
    blocks = [block for line in lines[:SHOWN_AT_MOST] for block in _memory_line(line)]
    left = len(lines) - SHOWN_AT_MOST
    return [*blocks, context(more(left))] if left > 0 else blocks


def _memory_line(line: MemoryLine) -> list[Block]:
    by = escaped(one_line(line.by))
    when = f", {line.day}" if line.day else ""
    about, text = escaped(one_line(line.about)), escaped(one_line(line.text))
    blocks = paragraphs(f"*{about}*: {text}\n_{by}{when}_")
    blocks[0]["accessory"] = button(action_ids.FORGET, "Forget", line.mark)
    return blocks
