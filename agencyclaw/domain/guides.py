"""Guides: ways of working that an agency wrote down for the assistant, one file each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agencyclaw.domain.people import Tier, Value
from agencyclaw.domain.text import digest


class Guide(Value):
    """One way of working, in the operator's words, for people of a tier and above."""

    name: str
    description: str
    text: str
    tier: Tier = Tier.VIEWER


def open_to(guides: Iterable[Guide], tier: Tier) -> tuple[Guide, ...]:
    """Return the guides for somebody of this tier."""
    return tuple(guide for guide in guides if guide.tier <= tier)


def guides_hash(guides: Sequence[Guide]) -> str:
    """Return a short hash of these guides' wording, stored with every run."""
    return digest([guide.model_dump(mode="json") for guide in guides])[:12]
