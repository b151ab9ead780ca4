"""Whole messages that are only manners: they may be answered by the cheapest model."""

from __future__ import annotations

from agencyclaw.domain.text import folded

_MANNERS = frozenset(
    {
        "hi",
        "hello",
        "hey",
        "hi there",
        "hello there",
        "good morning",
        "good afternoon",
        "good evening",
        "good night",
        "thanks",
        "thank you",
        "thx",
        "cheers",
        "great",
        "perfect",
        "bye",
        "see you",
    }
)


def is_pleasantry(text: str) -> bool:
    """Return whether a whole message is a greeting or thanks; it only picks a cheaper model."""
    return folded(text) in _MANNERS
