"""The catalogue of what code says to people: a language is one file of sentences.

Cards, receipts and notices take their words from here. Their shape stays with those who build them.
"""

from __future__ import annotations

from agencyclaw.domain.messages.en import SENTENCES


def message(key: str, **parts: object) -> str:
    """Return a sentence with its parts put in; a key that nobody wrote is a fault of ours."""
    return SENTENCES[key].format(**parts)
