"""Counts tokens with a vocabulary from an installed package; nothing is downloaded."""

from __future__ import annotations

from typing import Any

from rs_bpe import bpe

_bpe: Any = bpe

# Loaded on import, so that no turn waits for it.
_VOCABULARY = _bpe.openai.o200k_base()


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text in o200k, OpenAI's newer vocabulary.

    Models of other makers differ a little; as a measure for limits it is good enough.
    """
    count: int = _VOCABULARY.count(text)
    return count
