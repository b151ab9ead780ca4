"""How a name a person typed meets the names the agency uses: tolerant, never a guess."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeVar

from agencyclaw.domain.clients import Brand, Client, match_names
from agencyclaw.domain.text import folded

T = TypeVar("T", Client, Brand)

_POSSESSIVE = re.compile(r"['’`]s\b")
_FILLERS = re.compile(r"\b(?:the|our|client|brand|account|for)\b")


def find_named(hint: str, things: list[T]) -> list[T]:
    """Return what a hint may mean: as it stands, else without "'s", punctuation and fillers."""
    return match_names(hint, things) or _match_loosely(hint, things)


def _match_loosely(hint: str, things: list[T]) -> list[T]:
    wanted = _loosened(hint)
    bare = " ".join(_FILLERS.sub(" ", wanted).split()) or wanted
    names = [(_loosened(thing.name), thing) for thing in things]
    for words in dict.fromkeys((wanted, bare)):
        if not words:
            continue
        found = [thing for name, thing in names if name == words]
        found = found or [thing for name, thing in names if words in name]
        if found:
            return found
    return []


# Names of the agency, and what was asked for.
@lru_cache(maxsize=20_000)
def _loosened(text: str) -> str:
    plain = _POSSESSIVE.sub("", folded(text))
    return " ".join(re.sub(r"[^\w]+", " ", plain).split())
