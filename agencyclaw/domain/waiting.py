"""How long what is stored waits for a neighbour, and how often it is tried meanwhile."""

from __future__ import annotations

LONGEST_S = 600.0
_FIRST_S = 1.0
_PAUSE_AT_MOST_S = 20.0
_COSTLY = 6


def is_over(waited_s: float) -> bool:
    """Return whether it has waited long enough to be told so."""
    return waited_s >= LONGEST_S


def next_try_s(waited_s: float, asked_s: float = 0.0, *, is_costly: bool = False) -> float:
    """Return the seconds until the next try: half of what it waited, or what was asked for.

    What costs at each try is tried less often.
    """
    longest_s = _PAUSE_AT_MOST_S * (_COSTLY if is_costly else 1)
    return max(asked_s, min(longest_s, max(_FIRST_S, waited_s / 2)))
