"""The part of a document that speaks of what was asked."""

from __future__ import annotations

from agencyclaw.domain.search_keys import telling, words_of
from agencyclaw.domain.text import cut


def passage(body: str, query: str, limit: int) -> str:
    """Return the paragraph with most of the question's words and what follows it, cut."""
    if len(body) <= limit:
        return body
    asked = set(words_of(telling(query)))
    paragraphs = [part for part in body.split("\n\n") if part.strip()]
    best = max(
        range(len(paragraphs)),
        key=lambda at: (len(asked & set(words_of(paragraphs[at]))), -at),
        default=0,
    )
    return cut("\n\n".join(paragraphs[best:]), limit)
