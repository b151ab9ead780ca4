"""All sentences that code says to people; each language is one set of files.

Cards, receipts and notices take their words from here; their layout belongs to the modules that
build them.
"""

from __future__ import annotations

from agencyclaw.domain.messages.en import SENTENCES


def message(key: str, **parts: object) -> str:
    """Return a sentence with its values filled in; raises KeyError for an unknown key."""
    return SENTENCES[key].format(**parts)


def localized(words: str) -> str:
    """Return a label of one or two words as people read it; a name from a record stays as it is."""
    return SENTENCES.get(f"label.{words}", words)
