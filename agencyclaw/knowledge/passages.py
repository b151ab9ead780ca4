"""A long text in passages: what somebody asks in one sentence of a mail, a search has to find."""

from __future__ import annotations

import re

# Of very long ones the beginning and, where the asking mostly stands, twice as much of the end.
FIRST, LAST = 8, 16
_BETWEEN = re.compile(r"(?<=[.!?;:])\s+|\n+")
_IDLE = " \t>-*•_"
# A reply's history begins with such a line, in whichever mail program it was written.
_HISTORY = re.compile(
    r"^\s*(?:-{2,}\s*original message|-{2,}\s*forwarded message|_{10,}\s*$|on .{4,80} wrote:\s*$"
    r"|from:\s.+@)",
    re.IGNORECASE,
)


def passages(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of a text, those of its author before those that are quoted.

    Nothing for a text of one sentence: that is asked as a whole.
    """
    own, quoted = _apart(text)
    parts = tuple(part for part in (_sentences(own), _sentences(quoted)) if part)
    return parts if sum(map(len, parts)) > 1 else ()


def _apart(text: str) -> tuple[str, str]:
    """Tell what somebody wrote from the mail they answer or pass on."""
    own: list[str] = []
    quoted: list[str] = []
    is_history = False
    for line in text.splitlines():
        is_history = is_history or bool(_HISTORY.match(line))
        (quoted if is_history or line.lstrip().startswith(">") else own).append(line)
    return "\n".join(own), "\n".join(quoted)


def _sentences(text: str) -> tuple[str, ...]:
    found = [part for one in _BETWEEN.split(text) if (part := one.strip(_IDLE))]
    return tuple(found if len(found) <= FIRST + LAST else [*found[:FIRST], *found[-LAST:]])
