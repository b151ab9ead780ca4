"""How long stored work waits for an unavailable service, and how often it is retried."""

from __future__ import annotations

LONGEST_S = 600.0
_FIRST_S = 1.0
_PAUSE_AT_MOST_S = 20.0
_COSTLY = 6


def is_over(waited_s: float) -> bool:
    """Return whether the person should be told that it did not work."""
    return waited_s >= LONGEST_S


def next_try_s(waited_s: float, asked_s: float = 0.0, *, is_costly: bool = False) -> float:
    """Return the seconds until the next try: half of the time waited, or what was asked for.

    A costly try is repeated less often.
    """
    longest_s = _PAUSE_AT_MOST_S * (_COSTLY if is_costly else 1)
    return max(asked_s, min(longest_s, max(_FIRST_S, waited_s / 2)))
