"""Tokens, counted with a vocabulary that lies inside its package: nothing is downloaded."""

from __future__ import annotations

from typing import Any

from rs_bpe import bpe

_bpe: Any = bpe

# Loaded with the module, so that no turn waits for it.
_VOCABULARY = _bpe.openai.o200k_base()


def count_tokens(text: str) -> int:
    """Return how many tokens a text is in o200k, the vocabulary of OpenAI's newer models.

    Other makers' models count a little differently; as a measure of a limit it serves them all.
    """
    count: int = _VOCABULARY.count(text)
    return count
