"""Cuts documents: the passage that answers a question, or successive parts."""

from __future__ import annotations

import math
from collections import Counter

from agencyclaw.domain.names import plain_name
from agencyclaw.domain.text import cut


def passage(body: str, query: str, limit: int) -> str:
    """Return the paragraph with most of the question's rare words and what follows it, cut.

    A word found in most paragraphs says little about one of them, in any language.
    """
    if len(body) <= limit:
        return body
    asked = set(plain_name(query).split())
    paragraphs = [part for part in body.split("\n\n") if part.strip()]
    shared = [asked & set(plain_name(part).split()) for part in paragraphs]
    times = Counter(word for words in shared for word in words)
    best = max(
        range(len(paragraphs)),
        key=lambda at: (math.fsum(1 / times[word] for word in shared[at]), -at),
        default=0,
    )
    return cut("\n\n".join(paragraphs[best:]), limit)


def parts_of(body: str, limit: int) -> list[str]:
    """Split a text into parts, between paragraphs where possible; together they are the text."""
    parts = [""]
    for paragraph in body.split("\n\n"):
        for at in range(0, max(len(paragraph), 1), limit):
            piece = paragraph[at : at + limit]
            if parts[-1] and len(parts[-1]) + len(piece) + 2 > limit:
                parts.append("")
            parts[-1] += f"\n\n{piece}" if parts[-1] else piece
    return parts
